package dev.switchboard.phone.engine.realtime;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.text.Surrogates;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads the provider's messages. One without its essential members is ignored.
final class ServerMessages {
  private static final int LONGEST_ID = 512;
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_WORDS = 100_000;
  private static final int LONGEST_ARGUMENTS = 256 * 1024;
  private static final long MOST_TOKENS = 1_000_000_000;

  private ServerMessages() {}

  /// The message as a tree, null if it is not JSON.
  static @Nullable JsonNode tree(String message) {
    try {
      // A fragment of a transcript may end within a surrogate pair.
      JsonNode tree = Json.piece(message);
      return tree.isObject() ? tree : null;
    } catch (JsonException e) {
      return null;
    }
  }

  /// The event of a message of this type; null for none.
  static @Nullable EngineEvent event(String type, JsonNode message) {
    String response = id(message, "response_id");
    String item = id(message, "item_id");
    return switch (type) {
      case "input_audio_buffer.speech_started" -> new EngineEvent.SpeechStarted();
      case "input_audio_buffer.speech_stopped" -> new EngineEvent.SpeechStopped();
      case "input_audio_buffer.committed" ->
          item.isEmpty() ? null : new EngineEvent.Committed(item, null);
      case "conversation.item.input_audio_transcription.completed" ->
          item.isEmpty() ? null : new EngineEvent.Transcribed(item, words(message, "transcript"));
      case "conversation.item.input_audio_transcription.failed" ->
          item.isEmpty() ? null : new EngineEvent.Transcribed(item, null);
      case "response.output_audio.delta" -> audio(response, item, message);
      case "response.output_audio_transcript.delta" ->
          response.isEmpty() || item.isEmpty()
              ? null
              : new EngineEvent.Words(response, item, string(message, "delta"));
      case "response.output_audio_transcript.done" ->
          response.isEmpty() || item.isEmpty()
              ? null
              : new EngineEvent.Spoken(response, item, words(message, "transcript"));
      case "response.output_item.done" -> called(response, message.path("item"));
      case "response.created" -> created(message.path("response"));
      case "response.done" -> done(message.path("response"));
      default -> null;
    };
  }

  private static @Nullable EngineEvent audio(String response, String item, JsonNode message) {
    JsonNode index = message.path("content_index");
    int content = index.isMissingNode() ? 0 : index.asInt(-1);
    try {
      byte[] audio = Base64.getDecoder().decode(string(message, "delta"));
      boolean named = !response.isEmpty() && !item.isEmpty() && content >= 0 && audio.length > 0;
      return named ? new EngineEvent.Audio(response, item, content, audio) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /// The id of the item that begins if it is a preamble; null otherwise. The phase is not in the
  /// provider's schema, but models that think state it.
  static @Nullable String preamble(JsonNode item) {
    String id = id(item, "id");
    return string(item, "phase").equals("commentary") && !id.isEmpty() ? id : null;
  }

  private static @Nullable EngineEvent created(JsonNode response) {
    String id = id(response, "id");
    String request = id(response.path("metadata"), ClientMessages.REQUEST);
    return id.isEmpty() ? null : new EngineEvent.Created(id, request.isEmpty() ? null : request);
  }

  /// Only a completed item is a call: an interrupted one is also reported as done.
  private static @Nullable EngineEvent called(String response, JsonNode item) {
    String callId = id(item, "call_id");
    boolean whole =
        string(item, "type").equals("function_call")
            && string(item, "status").equals("completed")
            && !callId.isEmpty()
            && !response.isEmpty();
    return whole
        ? new EngineEvent.Called(
            response,
            id(item, "id"),
            RequestedCall.of(
                callId,
                cut(string(item, "name"), LONGEST_NAME),
                // Cut text is not valid JSON, which the model is told.
                cut(string(item, "arguments"), LONGEST_ARGUMENTS)))
        : null;
  }

  private static @Nullable EngineEvent done(JsonNode response) {
    String id = id(response, "id");
    if (id.isEmpty()) {
      return null;
    }
    EngineEvent.Status status =
        switch (string(response, "status")) {
          case "completed" -> EngineEvent.Status.COMPLETED;
          case "cancelled" -> EngineEvent.Status.CANCELLED;
          case "incomplete" -> EngineEvent.Status.INCOMPLETE;
          default -> EngineEvent.Status.FAILED;
        };
    String reason = status == EngineEvent.Status.COMPLETED ? null : reason(response);
    JsonNode usage = response.path("usage");
    return new EngineEvent.Done(
        id,
        status,
        reason,
        new ModelReply.Usage(count(usage, "input_tokens"), count(usage, "output_tokens")));
  }

  private static @Nullable String reason(JsonNode response) {
    JsonNode details = response.path("status_details");
    JsonNode stated = details.path("error");
    if (stated.isObject()) {
      RealtimeError error = RealtimeError.of(stated);
      return error.message().isEmpty() ? error.code() : error.code() + ": " + error.message();
    }
    String reason = string(details, "reason");
    return reason.isEmpty() ? null : RealtimeError.shown(reason);
  }

  private static long count(JsonNode usage, String name) {
    return Math.clamp(usage.path(name).asLong(0), 0, MOST_TOKENS);
  }

  /// The text of a member, empty if it is not one.
  static String string(JsonNode node, String name) {
    JsonNode member = node.path(name);
    return member.isString() ? member.stringValue() : "";
  }

  private static String words(JsonNode node, String name) {
    return Surrogates.repaired(cut(string(node, name), LONGEST_WORDS));
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest);
  }

  /// The id in a member, empty if it is not one.
  static String id(JsonNode node, String name) {
    String id = string(node, name);
    return isId(id) ? id : "";
  }

  private static boolean isId(String text) {
    return !text.isEmpty() && text.length() <= LONGEST_ID;
  }
}
