package dev.switchboard.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A provider's key; [#toString] hides its text.
public final class ApiKey {
  private final String text;
  private final @Nullable String variable;

  private ApiKey(String text, @Nullable String variable) {
    this.text = text;
    this.variable = variable;
  }

  /// The key of this text, without white space and control characters at its ends.
  ///
  /// @throws IllegalArgumentException when it is empty or contains characters that headers do not
  ///   allow; the message does not quote it
  public static ApiKey of(String text) {
    return of(text, null);
  }

  /// The key in this environment variable.
  ///
  /// @throws IllegalArgumentException that names the variable, when it is unset or has no key
  public static ApiKey env(String name) {
    return env(name, System.getenv());
  }

  static ApiKey env(String name, Map<String, String> environment) {
    String text = environment.get(name);
    if (text == null) {
      throw new IllegalArgumentException("environment variable '" + name + "' is not set");
    }
    return of(text, name);
  }

  /// The key of this text, from that environment variable.
  ///
  /// @throws IllegalArgumentException as [#of(String)], with the name of the variable
  public static ApiKey of(String text, @Nullable String variable) {
    String where = variable == null ? "" : "environment variable '" + variable + "': ";
    String key = trimmed(text);
    if (key.isEmpty()) {
      throw new IllegalArgumentException(where + "an API key must not be empty");
    }
    if (!key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(
          where + "an API key must not hold spaces, line breaks or characters beyond ASCII");
    }
    return new ApiKey(key, variable);
  }

  private static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isMargin(text.charAt(start))) {
      start++;
    }
    while (start < end && isMargin(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isMargin(char c) {
    return Character.isWhitespace(c)
        || Character.isSpaceChar(c)
        || Character.isISOControl(c)
        || c == '\ufeff';
  }

  /// The key itself.
  public String text() {
    return text;
  }

  /// The environment variable that it came from, null for none.
  public @Nullable String variable() {
    return variable;
  }

  /// `ApiKey[***]`.
  @Override
  public String toString() {
    return "ApiKey[***]";
  }
}
