package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.switchboard.json.Json;
import dev.switchboard.text.Surrogates;
import org.jspecify.annotations.Nullable;

/// A tool call as a model asks for it.
///
/// @param id the provider's, which may be empty or repeat an earlier one in a [ModelReply]; in a
///   [Message] never so
/// @param arguments in a [ModelReply] as the model wrote them, which may be no JSON at all; in a
///   [Message] always the text of a JSON object
/// @param extra what the provider wants to see again with the call, null for nothing; what nests
///   too deep for a request is left out. A member that [#isPrivate] is for the client that put it
///   there
public record RequestedCall(
    String id,
    String name,
    @JsonFormat(shape = JsonFormat.Shape.STRING) Json arguments,
    @Nullable Json extra) {
  public RequestedCall {
    id = Surrogates.repaired(id);
    name = Surrogates.repaired(name);
    extra = extra == null || extra.nestsTooDeep() ? null : extra;
  }

  /// A call without more.
  public static RequestedCall of(String id, String name, String arguments) {
    return new RequestedCall(id, name, Json.text(arguments), null);
  }

  /// Whether a member of [#extra] is for one client alone: its name begins with that client's and a
  /// colon.
  public static boolean isPrivate(String member) {
    return member.indexOf(':') > 0;
  }

  /// This call with another id.
  public RequestedCall withId(String other) {
    return new RequestedCall(other, name, arguments, extra);
  }

  /// The call as any server takes it back: `{}` in place of arguments that are not a JSON object,
  /// or hold what some readers of JSON refuse. What was wrong with them, its result says.
  RequestedCall readable() {
    return arguments.isReadableObject()
        ? this
        : new RequestedCall(id, name, Json.EMPTY_OBJECT, extra);
  }
}
