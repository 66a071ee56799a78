package dev.switchboard.phone.engine.realtime;

import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// An error of the provider.
///
/// @param code its code, or else its type, or else `error`
/// @param message its text, for people, cut
/// @param param the faulty member of the message, empty for none
/// @param eventId of the faulty message, empty for none
/// @param fatal whether another session would be refused too: for the key, the account or the quota
record RealtimeError(String code, String message, String param, String eventId, boolean fatal) {
  /// The code of a session that has reached its maximum duration.
  static final String EXPIRED = "session_expired";

  private static final int LONGEST = 500;
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final Set<String> FATAL =
      Set.of(
          "invalid_api_key",
          "account_deactivated",
          "authentication_error",
          "beta_api_shape_disabled",
          "billing_hard_limit_reached",
          "insufficient_quota",
          "permission_error");

  static RealtimeError of(JsonNode error) {
    String type = ServerMessages.string(error, "type");
    String code = ServerMessages.string(error, "code");
    return new RealtimeError(
        word(code, word(type, "error")),
        shown(ServerMessages.string(error, "message")),
        ServerMessages.string(error, "param"),
        ServerMessages.id(error, "event_id"),
        FATAL.contains(code) || FATAL.contains(type));
  }

  /// Whether the reason of a close frame names a fatal error, such as
  /// `invalid_request_error.invalid_api_key`.
  static boolean fatal(String reason) {
    return FATAL.contains(reason.substring(reason.lastIndexOf('.') + 1));
  }

  private static String word(String text, String other) {
    return WORD.matcher(text).matches() ? text : other;
  }

  /// Whether the provider does not know the member `strict` of a tool.
  boolean refusesStrict() {
    return code.equals("unknown_parameter") && (param + message).contains(".strict");
  }

  /// Whether it is about that transcriber: about no other message than one that names it.
  boolean isOf(Transcriber transcriber) {
    boolean ofAnother = !eventId.isEmpty() && !ClientMessages.updates(eventId);
    boolean named =
        param.isEmpty()
            ? message.contains("transcription") || message.contains(transcriber.name())
            : param.contains("transcription");
    return named && !ofAnother;
  }

  /// An untrusted text for people: on one line, at most 500 characters.
  static String shown(String text) {
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .limit(LONGEST)
        .map(
            c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? ' ' : c)
        .forEach(plain::appendCodePoint);
    return plain.toString().strip();
  }
}
