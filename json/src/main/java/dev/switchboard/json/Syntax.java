package dev.switchboard.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/// Describes why a text is not JSON, without quoting it.
final class Syntax {
  private Syntax() {}

  /// For example `is not JSON: it ends too early (line 1, column 12)`.
  static String describe(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    String place =
        at == null || at.getLineNr() < 1
            ? ""
            : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
    return "is not JSON: " + reason(e) + place;
  }

  private static String reason(JacksonException e) {
    String message = e.getOriginalMessage() == null ? "" : e.getOriginalMessage();
    if (e instanceof UnexpectedEndOfInputException
        || message.startsWith("Unexpected end-of-input")) {
      return "it ends too early";
    }
    if (e instanceof StreamConstraintsException) {
      return message.contains("nesting")
          ? "it nests deeper than " + Codec.MAX_DEPTH + " levels"
          : "a number or name in it is too long";
    }
    if (message.startsWith("Duplicate")) {
      return "a member is named twice";
    }
    if (message.startsWith("Trailing token")) {
      return "something follows the value";
    }
    return "the syntax is broken";
  }
}
