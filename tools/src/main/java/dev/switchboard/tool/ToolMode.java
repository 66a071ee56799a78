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

  /// The mode that the first word of a tool's name implies, in any letter case: `get` reads,
  /// `create` writes, `delete` destroys, `shell` is local, any other is external. The word ends at
  /// `_`, `-`, `.` or before a capital after a small letter: `delete-user`, `deleteUser`.
  public static ToolMode infer(String toolName) {
    return switch (firstWord(toolName)) {
      case "get", "list", "read", "search" -> READ;
      case "create", "update", "add", "set" -> SAFE_WRITE;
      case "delete", "remove", "archive", "drop" -> DESTRUCTIVE;
      case "local", "shell", "exec" -> LOCAL;
      default -> EXTERNAL;
    };
  }

  /// The mode of a tool whose kind or origin implies one: its name may only say that it is local or
  /// destructive.
  ///
  /// @param usual the implied one, null for none
  public static ToolMode infer(String toolName, @Nullable ToolMode usual) {
    ToolMode named = infer(toolName);
    return usual == null || usual != LOCAL && (named == LOCAL || named == DESTRUCTIVE)
        ? named
        : usual;
  }

  /// The first of several words, in small letters; empty if there is only one.
  private static String firstWord(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean capital =
          i > 0 && Character.isUpperCase(c) && Character.isLowerCase(name.charAt(i - 1));
      if (c == '_' || c == '-' || c == '.' || capital) {
        return name.substring(0, i).toLowerCase(Locale.ROOT);
      }
    }
    return "";
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
