package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.switchboard.json.Json;
import dev.switchboard.text.Surrogates;
import org.jspecify.annotations.Nullable;

/// A tool call that a model requests.
///
/// @param id the provider's; it may be empty or repeated in a [ModelReply], but not in a [Message]
/// @param arguments in a [ModelReply] as the model wrote them, possibly invalid JSON; in a
///   [Message] always the text of a JSON object
/// @param extra what the provider needs back with the call, null for nothing; what nests too deep
///   for a request is left out. A member that [#isPrivate] is for the client that added it
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

  /// A call without extra members.
  public static RequestedCall of(String id, String name, String arguments) {
    return new RequestedCall(id, name, Json.text(arguments), null);
  }

  /// Whether a member of [#extra] is for one client only: its name begins with the client's name
  /// and a colon.
  public static boolean isPrivate(String member) {
    return member.indexOf(':') > 0;
  }

  /// This call with another id.
  public RequestedCall withId(String other) {
    return new RequestedCall(other, name, arguments, extra);
  }

  /// The call in a form that every server accepts: `{}` replaces arguments that are not a JSON
  /// object, or that some JSON parsers reject. Its result says what was wrong with them.
  RequestedCall readable() {
    return arguments.isReadableObject()
        ? this
        : new RequestedCall(id, name, Json.EMPTY_OBJECT, extra);
  }
}
