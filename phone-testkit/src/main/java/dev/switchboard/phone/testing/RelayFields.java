package dev.switchboard.phone.testing;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The messages of an application to Twilio's ConversationRelay: every one is validated
/// (twilio.com/docs/voice/conversationrelay/websocket-messages, of August 2026).
final class RelayFields {
  private static final String TYPE = "type";
  private static final Map<String, Set<String>> MEMBERS =
      Map.of(
          "text", Set.of("token", "last", "lang", "interruptible", "preemptible"),
          "play", Set.of("source", "loop", "interruptible", "preemptible"),
          "sendDigits", Set.of("digits"),
          "language", Set.of("ttsLanguage", "transcriptionLanguage"),
          "end", Set.of("handoffData"));
  private static final Map<String, String> NEEDED =
      Map.of("text", "token", "play", "source", "sendDigits", "digits");
  private static final Set<String> FLAGS = Set.of("last", "interruptible", "preemptible");

  private RelayFields() {}

  /// Why a message is refused, null if it is not.
  static @Nullable String fault(JsonNode message) {
    String type = message.path(TYPE).stringValue("");
    Set<String> members = MEMBERS.get(type);
    if (members == null) {
      return "the type '" + type + "' is unknown";
    }
    for (Map.Entry<String, JsonNode> member : message.properties()) {
      String name = member.getKey();
      if (!name.equals(TYPE) && !members.contains(name)) {
        return "the member '" + name + "' is unknown";
      }
      if (!isOfItsType(name, member.getValue())) {
        return "the member '" + name + "' is of another type";
      }
    }
    String needed = NEEDED.get(type);
    if (needed != null && !message.has(needed)) {
      return "the member '" + needed + "' is missing";
    }
    boolean keys = message.path("digits").stringValue("").matches("[0-9w#*]*");
    return keys ? null : "the digits are not keys";
  }

  private static boolean isOfItsType(String name, JsonNode value) {
    return FLAGS.contains(name)
        ? value.isBoolean()
        : name.equals("loop") ? value.isInt() : value.isString();
  }
}
