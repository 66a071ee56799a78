package dev.switchboard.memory;

import com.fasterxml.jackson.annotation.JsonProperty;

/// A piece of memory with a name.
///
/// @param agent the owner
/// @param label unique among the agent's, 1 to 64 letters, digits, underscores, hyphens or dots
/// @param kind whether and how it is in the prompt
/// @param description what it is for, told to the model
/// @param value its text
/// @param charLimit the most characters of the value, in code points
/// @param permission what its own agent may do with it
/// @param pinned whether a working block is in the prompt
/// @param version increases with every change; a change expects it
/// @param edits how many edits of its log are in force; those after it were undone
public record Block(
    String agent,
    String label,
    BlockKind kind,
    String description,
    String value,
    @JsonProperty("char_limit") int charLimit,
    Permission permission,
    boolean pinned,
    long version,
    int edits) {
  /// The default character limit.
  public static final int DEFAULT_LIMIT = 5_000;

  /// The largest character limit that a file or a model gives a block.
  public static final int LARGEST_LIMIT = 1_000_000;

  /// @throws IllegalArgumentException when the label is not valid, or the limit is not positive
  public Block {
    if (!label.matches("[A-Za-z0-9_.-]{1,64}")) {
      throw new IllegalArgumentException(
          "a label must be 1 to 64 letters, digits, underscores, hyphens or dots");
    }
    if (charLimit < 1) {
      throw new IllegalArgumentException("a character limit must be positive");
    }
    if (version < 0 || edits < 0) {
      throw new IllegalArgumentException("versions and edits are counted from zero");
    }
  }

  /// A new, empty block of that agent, which it may read and change.
  public static Block of(String agent, String label, BlockKind kind) {
    return new Block(agent, label, kind, "", "", DEFAULT_LIMIT, Permission.READ_WRITE, false, 0, 0);
  }

  /// How long the value is, in code points.
  public int length() {
    return value.codePointCount(0, value.length());
  }

  /// Whether it is a working block.
  public boolean isWorking() {
    return kind == BlockKind.WORKING;
  }

  /// Whether it is in the prompt.
  public boolean inPrompt() {
    return switch (kind) {
      case CORE, LOG -> true;
      case WORKING -> pinned;
      case ARCHIVAL -> false;
    };
  }

  /// This block with another description.
  public Block withDescription(String text) {
    return new Block(
        agent, label, kind, text, value, charLimit, permission, pinned, version, edits);
  }

  /// This block with another value.
  public Block withValue(String text) {
    return new Block(
        agent, label, kind, description, text, charLimit, permission, pinned, version, edits);
  }

  /// This block with another character limit.
  public Block withCharLimit(int limit) {
    return new Block(
        agent, label, kind, description, value, limit, permission, pinned, version, edits);
  }

  /// This block with another permission.
  public Block withPermission(Permission other) {
    return new Block(
        agent, label, kind, description, value, charLimit, other, pinned, version, edits);
  }

  /// This block, pinned or not.
  public Block withPinned(boolean now) {
    return new Block(
        agent, label, kind, description, value, charLimit, permission, now, version, edits);
  }

  /// This block as one of another kind.
  public Block withKind(BlockKind other) {
    return new Block(
        agent, label, other, description, value, charLimit, permission, pinned, version, edits);
  }

  /// This block in its next version, with so many edits in force.
  public Block next(int inForce) {
    return new Block(
        agent,
        label,
        kind,
        description,
        value,
        charLimit,
        permission,
        pinned,
        version + 1,
        inForce);
  }
}
