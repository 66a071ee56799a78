package dev.switchboard.phone.testing;

import dev.switchboard.json.Codec;
import dev.switchboard.provider.ModelNames;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The settings of a simulated session, and the check of changes.
final class SessionFields {
  private static final Set<String> FORMATS = Set.of("audio/pcm", "audio/pcmu", "audio/pcma");
  // Transcribers that take several languages and keywords, and one that does not.
  private static final Set<String> GUIDED = Set.of("gpt-transcribe", "gpt-live-transcribe");
  private static final String UNGUIDED = "gpt-realtime-whisper";
  private static final Set<String> EFFORTS = Set.of("minimal", "low", "medium", "high", "xhigh");
  private static final Set<String> MERGED = Set.of("audio", "input", "output");

  private SessionFields() {}

  /// The initial settings of a session.
  static ObjectNode initial(String id, String model) {
    ObjectNode out = Codec.object().put("id", id).put("object", "realtime.session");
    out.put("type", "realtime").put("model", model);
    out.putArray("output_modalities").add("audio");
    out.put("instructions", "You are a helpful assistant.").put("tool_choice", "auto");
    out.putArray("tools");
    out.put("max_output_tokens", "inf").put("truncation", "auto");
    ObjectNode audio = out.putObject("audio");
    ObjectNode input = audio.putObject("input");
    input.putObject("format").put("type", "audio/pcm").put("rate", 24_000);
    input
        .putObject("turn_detection")
        .put("type", "server_vad")
        .put("threshold", 0.5)
        .put("prefix_padding_ms", 300)
        .put("silence_duration_ms", 500)
        .put("create_response", true)
        .put("interrupt_response", true);
    ObjectNode output = audio.putObject("output");
    output.putObject("format").put("type", "audio/pcm").put("rate", 24_000);
    output.put("voice", "marin").put("speed", 1.0);
    return out;
  }

  /// Applies a change of settings, or refuses all of it.
  ///
  /// @param spoke whether audio was sent; then the voice cannot change
  /// @return why it is refused, null if it is not
  static @Nullable WireRefusal update(ObjectNode session, JsonNode change, boolean spoke) {
    WireRefusal refusal = refusal(session, change, spoke);
    if (refusal == null) {
      merge(session, change);
    }
    return refusal;
  }

  private static @Nullable WireRefusal refusal(ObjectNode session, JsonNode change, boolean spoke) {
    if (!change.path("type").asString("").equals("realtime")) {
      return new WireRefusal(
          "missing_required_parameter",
          "Missing required parameter: 'session.type'.",
          "session.type");
    }
    JsonNode model = change.path("model");
    if (model.isString() && !model.equals(session.path("model"))) {
      return WireRefusal.value("session.model");
    }
    JsonNode modalities = change.path("output_modalities");
    if (modalities.isArray()
        && (modalities.size() != 1
            || !List.of("audio", "text").contains(modalities.path(0).asString("")))) {
      return WireRefusal.value("session.output_modalities");
    }
    JsonNode voice = change.at("/audio/output/voice");
    if (spoke && voice.isString() && !voice.equals(session.at("/audio/output/voice"))) {
      return new WireRefusal(
          "cannot_update_voice",
          "Cannot update a conversation's voice if assistant audio is present.",
          "session.audio.output.voice");
    }
    return Stream.of(
            reasoningRefusal(session, change, "session"),
            transcriberRefusal(change.at("/audio/input/transcription")),
            formatRefusal(change, "input"),
            formatRefusal(change, "output"))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /// Whether the model of a session reasons before it speaks.
  static boolean reasons(JsonNode session) {
    return ModelNames.isReasoningRealtime(session.path("model").asString(""));
  }

  /// Why these fields, which only models that reason take, are refused; null if they are not. How
  /// the provider refuses them of other models is not documented.
  ///
  /// @param place of the fields in the message
  static @Nullable WireRefusal reasoningRefusal(JsonNode session, JsonNode fields, String place) {
    for (String field : List.of("reasoning", "parallel_tool_calls")) {
      if (fields.has(field) && !reasons(session)) {
        String path = place + "." + field;
        return new WireRefusal(
            "unsupported_parameter",
            "Unsupported parameter: '" + path + "' is not supported with this model.",
            path);
      }
    }
    JsonNode effort = fields.at("/reasoning/effort");
    boolean known = effort.isMissingNode() || EFFORTS.contains(effort.asString(""));
    return known ? null : WireRefusal.value(place + ".reasoning.effort");
  }

  private static @Nullable WireRefusal transcriberRefusal(JsonNode transcription) {
    String place = "session.audio.input.transcription";
    String model = transcription.path("model").asString("");
    if (transcription.isObject() && !GUIDED.contains(model) && !model.equals(UNGUIDED)) {
      return WireRefusal.value(place + ".model");
    }
    for (String guide : List.of("languages", "keywords")) {
      if (transcription.has(guide) && !GUIDED.contains(model)) {
        return WireRefusal.value(place + "." + guide);
      }
    }
    return null;
  }

  private static @Nullable WireRefusal formatRefusal(JsonNode change, String direction) {
    JsonNode format = change.path("audio").path(direction).path("format");
    if (format.isMissingNode()) {
      return null;
    }
    String type = format.path("type").asString("");
    boolean rated = !type.equals("audio/pcm") || format.path("rate").asInt(0) == 24_000;
    return FORMATS.contains(type) && rated
        ? null
        : WireRefusal.value("session.audio." + direction + ".format");
  }

  private static void merge(ObjectNode into, JsonNode change) {
    for (Map.Entry<String, JsonNode> field : change.properties()) {
      String name = field.getKey();
      if (MERGED.contains(name) && into.path(name) instanceof ObjectNode below) {
        merge(below, field.getValue());
      } else {
        into.set(name, field.getValue().deepCopy());
      }
    }
  }
}
