package dev.switchboard.phone.testing;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The fields of OpenAI Realtime's client messages, by path.
final class WireFields {
  private static final Set<String> FORMAT = Set.of("type", "rate");
  private static final Set<String> TOOL = Set.of("type", "name", "description", "parameters");
  private static final Set<String> ITEM =
      Set.of(
          "id",
          "type",
          "object",
          "status",
          "role",
          "content",
          "call_id",
          "name",
          "arguments",
          "output");
  private static final Set<String> CONTENT =
      Set.of("type", "text", "audio", "transcript", "image_url", "detail");

  private static final Map<String, Set<String>> MESSAGES =
      Map.ofEntries(
          entry("session.update", Set.of("session")),
          entry("input_audio_buffer.append", Set.of("audio")),
          entry("input_audio_buffer.commit", Set.of()),
          entry("input_audio_buffer.clear", Set.of()),
          entry("conversation.item.create", Set.of("item", "previous_item_id")),
          entry("conversation.item.truncate", Set.of("item_id", "content_index", "audio_end_ms")),
          entry("conversation.item.delete", Set.of("item_id")),
          entry("conversation.item.retrieve", Set.of("item_id")),
          entry("response.create", Set.of("response")),
          entry("response.cancel", Set.of("response_id")));

  private static final Map<String, Set<String>> PLACES =
      Map.ofEntries(
          entry(
              "session",
              Set.of(
                  "type",
                  "model",
                  "output_modalities",
                  "instructions",
                  "tools",
                  "tool_choice",
                  "max_output_tokens",
                  "audio",
                  "truncation",
                  "include",
                  "prompt",
                  "tracing",
                  "reasoning",
                  "parallel_tool_calls")),
          entry("session.reasoning", Set.of("effort")),
          entry("session.audio", Set.of("input", "output")),
          entry(
              "session.audio.input",
              Set.of("format", "noise_reduction", "transcription", "turn_detection")),
          entry("session.audio.input.format", FORMAT),
          entry("session.audio.input.noise_reduction", Set.of("type")),
          entry(
              "session.audio.input.transcription",
              Set.of("model", "language", "languages", "keywords", "prompt", "delay")),
          entry(
              "session.audio.input.turn_detection",
              Set.of(
                  "type",
                  "threshold",
                  "prefix_padding_ms",
                  "silence_duration_ms",
                  "create_response",
                  "interrupt_response",
                  "idle_timeout_ms",
                  "eagerness")),
          entry("session.audio.output", Set.of("format", "voice", "speed")),
          entry("session.audio.output.format", FORMAT),
          entry("session.tools[]", TOOL),
          entry("item", ITEM),
          entry("item.content[]", CONTENT),
          entry(
              "response",
              Set.of(
                  "output_modalities",
                  "instructions",
                  "audio",
                  "tools",
                  "tool_choice",
                  "parallel_tool_calls",
                  "reasoning",
                  "max_output_tokens",
                  "conversation",
                  "metadata",
                  "input",
                  "prompt")),
          entry("response.reasoning", Set.of("effort")),
          entry("response.audio", Set.of("output")),
          entry("response.audio.output", Set.of("format", "voice")),
          entry("response.tools[]", TOOL));

  private WireFields() {}

  /// Whether there is a message of that type.
  static boolean knows(String type) {
    return MESSAGES.containsKey(type);
  }

  /// The path of the first unknown field, such as `session.tools[0].strict`; null for none.
  ///
  /// @param strict whether `strict` is accepted in the tools of a session
  static @Nullable String unknown(JsonNode message, boolean strict) {
    Set<String> fields = MESSAGES.getOrDefault(message.path("type").asString(""), Set.of());
    for (Map.Entry<String, JsonNode> field : message.properties()) {
      String name = field.getKey();
      if (!fields.contains(name) && !name.equals("type") && !name.equals("event_id")) {
        return name;
      }
      String below = unknown(field.getValue(), name, name, strict);
      if (below != null) {
        return below;
      }
    }
    return null;
  }

  private static @Nullable String unknown(
      JsonNode node, String place, String shown, boolean strict) {
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        String below = unknown(node.path(i), place + "[]", shown + "[" + i + "]", strict);
        if (below != null) {
          return below;
        }
      }
    }
    Set<String> fields = PLACES.get(place);
    if (fields == null || !node.isObject()) {
      return null;
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String name = field.getKey();
      boolean taken = strict && place.equals("session.tools[]") && name.equals("strict");
      if (!fields.contains(name) && !taken) {
        return shown + "." + name;
      }
      String below = unknown(field.getValue(), place + "." + name, shown + "." + name, strict);
      if (below != null) {
        return below;
      }
    }
    return null;
  }
}
