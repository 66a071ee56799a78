package dev.switchboard.model;

import dev.switchboard.json.Json;
import org.jspecify.annotations.Nullable;

/// A tool call as a model asks for it.
///
/// @param id the provider's, which may be empty or repeat an earlier one in a [ModelReply]; in a
///   [Message] never so
/// @param arguments as the model wrote them, which may be no JSON at all
/// @param extra what the provider wants to see again with the call, null for nothing
public record RequestedCall(String id, String name, Json arguments, @Nullable Json extra) {
  /// A call without more.
  public static RequestedCall of(String id, String name, String arguments) {
    return new RequestedCall(id, name, Json.text(arguments), null);
  }

  /// The same call under another id.
  public RequestedCall withId(String other) {
    return new RequestedCall(other, name, arguments, extra);
  }
}
