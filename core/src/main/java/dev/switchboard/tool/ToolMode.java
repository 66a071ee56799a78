package dev.switchboard.tool;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What kind of harm a tool can do, which decides whether a person is asked and what a failure may
/// repeat.
public enum ToolMode {
  /// Pure inspection.
  READ,
  /// A bounded change, such as an update; may carry a preview in `data.preview`.
  SAFE_WRITE,
  /// A change that cannot be taken back; may carry an undo affordance in `data.undo`. Tried once by
  /// default.
  DESTRUCTIVE,
  /// Touches the user's machine: needs consent. Tried once by default.
  LOCAL,
  /// Calls a service outside; leaves a line in the audit log.
  EXTERNAL;

  /// The mode that a tool's name suggests, in any letter case: `get_` reads, `create_` writes,
  /// `delete_` destroys, `shell_` is local, and whatever says nothing is external.
  public static ToolMode infer(String toolName) {
    String name = toolName.toLowerCase(Locale.ROOT);
    int end = name.indexOf('_');
    return switch (end < 0 ? "" : name.substring(0, end)) {
      case "get", "list", "read", "search" -> READ;
      case "create", "update", "add", "set" -> SAFE_WRITE;
      case "delete", "remove", "archive", "drop" -> DESTRUCTIVE;
      case "local", "shell", "exec" -> LOCAL;
      default -> EXTERNAL;
    };
  }

  /// The mode of that word, or null when there is none.
  public static @Nullable ToolMode ofWord(String word) {
    for (ToolMode mode : values()) {
      if (mode.word().equals(word)) {
        return mode;
      }
    }
    return null;
  }

  /// The word on the wire, such as `safe_write`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether a person is asked before a tool of this mode runs.
  public boolean requiresConsent() {
    return this == LOCAL;
  }

  /// Whether calls of this mode may overlap others when the tool does not say.
  public boolean overlaps() {
    return this == READ || this == EXTERNAL;
  }

  /// Whether a failed call is tried again when the tool does not say: what cannot be undone is not
  /// blindly repeated.
  public boolean retries() {
    return this != DESTRUCTIVE && this != LOCAL;
  }
}
