package dev.switchboard.rest;

import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ResultCode;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The part of a service's response that is the result.
///
/// @param text unchanged, for messages
/// @param pointer a JSON pointer (RFC 6901)
record ResultPath(String text, String pointer) {
  private static final Pattern PATH =
      Pattern.compile("\\$(\\.[A-Za-z_][A-Za-z0-9_-]*|\\[[0-9]{1,9}])*");
  private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)*");

  /// A path such as `$.order.items[0]`, or a JSON pointer.
  ///
  /// @throws IllegalArgumentException when it is neither
  static ResultPath of(String text) {
    if (PATH.matcher(text).matches()) {
      String steps = text.substring(1).replace('.', '/').replace('[', '/').replace("]", "");
      return new ResultPath(text, steps);
    }
    if (POINTER.matcher(text).matches()) {
      return new ResultPath(text, text);
    }
    throw new IllegalArgumentException(
        "'" + text + "' is neither a path such as $.order.items[0] nor a JSON pointer");
  }

  /// The part of that response.
  Json in(Json answer, int status) {
    JsonNode part = answer.tree().at(pointer);
    if (part.isMissingNode()) {
      // The request has succeeded: a retry would do it twice.
      throw ToolException.last(
          ResultCode.FAILED, "HTTP %d: the answer has no %s".formatted(status, text));
    }
    return Json.of(part);
  }
}
