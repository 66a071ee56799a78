package dev.switchboard.tool;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What harm a tool can do; it decides about consent and retries.
public enum ToolMode {
  /// Only reads.
  READ,
  /// A limited change, such as an update.
  SAFE_WRITE,
  /// A change that cannot be undone. Tried once by default.
  DESTRUCTIVE,
  /// Acts on the user's machine: needs consent. Tried once by default.
  LOCAL,
  /// Calls an external service.
  EXTERNAL;

  /// The mode that a tool's name implies, in any letter case: `get_` reads, `create_` writes,
  /// `delete_` destroys, `shell_` is local, any other is external.
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

  /// The mode of that word, or null.
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

  /// Whether calls of this mode overlap others by default.
  public boolean overlaps() {
    return this == READ || this == EXTERNAL;
  }

  /// Whether a failed call is retried by default.
  public boolean retries() {
    return this != DESTRUCTIVE && this != LOCAL;
  }
}
