package dev.switchboard.memory;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A named piece of memory.
///
/// @param agent the owner
/// @param label unique among the agent's, 1 to 64 letters, digits, underscores, hyphens or dots
/// @param kind whether and how it is in the prompt
/// @param description its purpose, for the model
/// @param value its text
/// @param charLimit the maximum length of the value, in code points
/// @param permission what its owner may do with it
/// @param pinned whether a working block is in the prompt
/// @param version increases with every change; a change states the version that it expects
/// @param edits how many edits of its log are in force; those after it were undone
public record Block(
    String agent,
    String label,
    Kind kind,
    String description,
    String value,
    @JsonProperty("char_limit") int charLimit,
    Permission permission,
    boolean pinned,
    long version,
    int edits) {
  /// The default character limit.
  public static final int DEFAULT_LIMIT = 5_000;

  /// The largest character limit that a file or a model can set.
  public static final int LARGEST_LIMIT = 1_000_000;

  /// @throws IllegalArgumentException when the label is invalid, or the limit is not positive
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
  public static Block of(String agent, String label, Kind kind) {
    return new Block(agent, label, kind, "", "", DEFAULT_LIMIT, Permission.READ_WRITE, false, 0, 0);
  }

  /// The length of the value, in code points.
  public int length() {
    return value.codePointCount(0, value.length());
  }

  /// Whether it is a working block.
  public boolean isWorking() {
    return kind == Kind.WORKING;
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
  public Block withKind(Kind other) {
    return new Block(
        agent, label, other, description, value, charLimit, permission, pinned, version, edits);
  }

  /// A new block of that owner that begins as this one.
  Block copyFor(String owner) {
    return new Block(owner, label, kind, description, value, charLimit, permission, pinned, 0, 0);
  }

  /// This block, whatever its version.
  Block withoutVersion() {
    return new Block(
        agent, label, kind, description, value, charLimit, permission, pinned, 0, edits);
  }

  /// The next version of this block, with that number of edits in force.
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

  private static String wordOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Enum<E>> E ofWord(E[] all, String word) {
    for (E one : all) {
      if (wordOf(one).equals(word)) {
        return one;
      }
    }
    String words = Arrays.stream(all).map(Block::wordOf).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("must be one of " + words + ", not '" + word + "'");
  }

  /// Whether and how a block is in the prompt.
  public enum Kind {
    /// Always in the prompt.
    CORE,
    /// In the prompt while it is pinned.
    WORKING,
    /// Not in the prompt, found by search.
    ARCHIVAL,
    /// In the prompt with its latest lines only.
    LOG;

    /// The word in files and on the wire, such as `core`.
    public String word() {
      return wordOf(this);
    }

    /// The kind of that word.
    ///
    /// @throws IllegalArgumentException when the word is unknown
    public static Kind of(String word) {
      return ofWord(values(), word);
    }
  }

  /// An edit of a block's value, which can be undone and redone.
  ///
  /// @param agent the block's owner
  /// @param number of the block's edits, from 1
  /// @param at when it was made
  /// @param by who made it: an agent, or a person at the command line
  /// @param operation the word of the operation, such as `append`
  /// @param before the value before it
  /// @param after the value after it
  /// @param key of the call that made it, null for none; a call that is repeated after a crash
  ///   edits only once
  public record Edit(
      String agent,
      String label,
      int number,
      Instant at,
      String by,
      String operation,
      String before,
      String after,
      @Nullable String key) {
    /// An edit without a call.
    public Edit(
        String agent,
        String label,
        int number,
        Instant at,
        String by,
        String operation,
        String before,
        String after) {
      this(agent, label, number, at, by, operation, before, after, null);
    }

    /// Whether this edit removes the other from the log: an undone edit with its number or a higher
    /// one, or the oldest of more than [MemoryStore#MOST_EDITS].
    public boolean replaces(Edit other) {
      return other.number >= number || other.number <= number - MemoryStore.MOST_EDITS;
    }
  }

  /// What an agent may do with a block.
  public enum Permission {
    /// Read it.
    READ_ONLY,
    /// Read it, and change it if the partner agrees.
    PARTNER,
    /// Read it, and change it if a person agrees.
    HUMAN,
    /// Read it and append to it.
    APPEND,
    /// Read and change it.
    READ_WRITE,
    /// Everything, including deletion.
    ADMIN;

    /// A kind of access to a block.
    public enum Access {
      READ,
      APPEND,
      OVERWRITE,
      DELETE
    }

    /// Whether an access is allowed.
    public enum Verdict {
      ALLOW,
      /// Allowed if the person agrees.
      ASK,
      DENY
    }

    /// Whether that access is allowed.
    public Verdict verdict(Access access) {
      return switch (this) {
        case READ_ONLY -> allowIf(access == Access.READ);
        case PARTNER, HUMAN ->
            switch (access) {
              case READ -> Verdict.ALLOW;
              case APPEND, OVERWRITE -> Verdict.ASK;
              case DELETE -> Verdict.DENY;
            };
        case APPEND -> allowIf(access == Access.READ || access == Access.APPEND);
        case READ_WRITE -> allowIf(access != Access.DELETE);
        case ADMIN -> Verdict.ALLOW;
      };
    }

    /// The lowest permission that allows that access without a person.
    static Permission least(Access access) {
      return switch (access) {
        case READ -> READ_ONLY;
        case APPEND -> APPEND;
        case OVERWRITE -> READ_WRITE;
        case DELETE -> ADMIN;
      };
    }

    /// Whether a holder of this permission may share that one: it must not allow more, nor allow
    /// without a person what needs one here.
    public boolean covers(Permission other) {
      return this == other
          || Arrays.stream(Access.values())
              .allMatch(access ->
                  other.verdict(access) == Verdict.DENY || verdict(access) == Verdict.ALLOW);
    }

    private static Verdict allowIf(boolean allowed) {
      return allowed ? Verdict.ALLOW : Verdict.DENY;
    }

    /// The word in files and on the wire, such as `read_only`.
    public String word() {
      return wordOf(this);
    }

    /// The permission of that word.
    ///
    /// @throws IllegalArgumentException when the word is unknown
    public static Permission of(String word) {
      return ofWord(values(), word);
    }
  }
}
