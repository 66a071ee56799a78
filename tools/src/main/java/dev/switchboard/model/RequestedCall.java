package dev.switchboard.model;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.switchboard.json.Json;
import dev.switchboard.text.Surrogates;
import java.util.regex.Pattern;
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
  private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9_-]");
  private static final int LONGEST_NAME = 64;

  public RequestedCall {
    id = Surrogates.repaired(id);
    name = Surrogates.repaired(name);
    extra = extra == null || extra.nestsTooDeep() ? null : extra;
  }

  /// All of it but the extra members, such as signatures.
  @Override
  public String toString() {
    return "RequestedCall[id=%s, name=%s, arguments=%s]".formatted(id, name, arguments);
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

  /// This call without what the provider needs back with it.
  public RequestedCall withoutExtra() {
    return extra == null ? this : new RequestedCall(id, name, arguments, null);
  }

  /// The call in a form that every server accepts: `{}` replaces arguments that are not a JSON
  /// object, or that some JSON parsers reject, and `_` the characters that names of tools cannot
  /// have. Its result says what was wrong.
  RequestedCall readable() {
    String accepted = accepted(name);
    boolean reads = arguments.isReadableObject();
    return reads && accepted.equals(name)
        ? this
        : new RequestedCall(id, accepted, reads ? arguments : Json.EMPTY_OBJECT, extra);
  }

  private static String accepted(String name) {
    String plain = isPlain(name) ? name : NO_NAME.matcher(name).replaceAll("_");
    return plain.isEmpty() ? "unnamed" : plain.substring(0, Math.min(plain.length(), LONGEST_NAME));
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(c >= 'a' && c <= 'z' || c == '_')) {
        return false;
      }
    }
    return true;
  }
}
