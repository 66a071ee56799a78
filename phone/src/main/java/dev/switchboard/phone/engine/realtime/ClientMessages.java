package dev.switchboard.phone.engine.realtime;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest.ToolChoice;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The messages of one session to the provider, each with an id, which errors refer to.
///
/// Thread-safe.
final class ClientMessages {
  /// The audio format in both directions: µ-law.
  static final String FORMAT = "audio/pcmu";

  /// The member of a response's metadata with the id of its request.
  static final String REQUEST = "switchboard";

  private static final String VERBATIM =
      "Say exactly this to the caller, word for word, and nothing else: ";
  private static final String UPDATE = "session.update";
  private static final String UPDATED = "update_";
  // The prefix of the ids of these messages only.
  private static final String CREATE = "response_";

  private final AtomicLong number = new AtomicLong();

  /// Sets up the session. The provider refuses the whole message if it contains an unknown member.
  ///
  /// @param transcriber null for none
  /// @param strict whether tools may be marked as strict
  String session(
      OpenAiRealtime.Settings settings,
      @Nullable Transcriber transcriber,
      Engine.Setup setup,
      boolean strict) {
    ObjectNode message = message(UPDATE);
    ObjectNode session = message.putObject("session").put("type", "realtime");
    session.putArray("output_modalities").add("audio");
    session.put("instructions", Surrogates.repaired(setup.instructions()));
    session.put("tool_choice", "auto").put("max_output_tokens", "inf");
    ObjectNode audio = session.putObject("audio");
    ObjectNode input = audio.putObject("input");
    input.putObject("format").put("type", FORMAT);
    input.putNull("noise_reduction");
    if (transcriber != null) {
      input.set("transcription", transcription(transcriber));
    }
    input.set("turn_detection", turns(settings.turns()));
    ObjectNode output = audio.putObject("output");
    output.putObject("format").put("type", FORMAT);
    output.put("voice", settings.voice()).put("speed", 1.0);
    session.set("tools", tools(setup.tools(), strict));
    session.put("truncation", "auto");
    reason(session, settings.effort());
    return text(message);
  }

  /// @param effort null for a model that does not think, which refuses both members
  private static void reason(ObjectNode session, OpenAiRealtime.@Nullable Effort effort) {
    if (effort != null) {
      session.putObject("reasoning").put("effort", effort.name().toLowerCase(Locale.ROOT));
      session.put("parallel_tool_calls", true);
    }
  }

  private static ObjectNode transcription(Transcriber transcriber) {
    ObjectNode out = Codec.object().put("model", transcriber.name());
    if (transcriber.takesOneLanguage()) {
      out.put("language", transcriber.languages().getFirst());
    } else if (!transcriber.languages().isEmpty()) {
      transcriber.languages().forEach(out.putArray("languages")::add);
    }
    if (!transcriber.keywords().isEmpty()) {
      ArrayNode keywords = out.putArray("keywords");
      transcriber.keywords().forEach(word -> keywords.add(Surrogates.repaired(word)));
    }
    return out;
  }

  /// Ends the transcription of a session in progress.
  String withoutTranscription() {
    ObjectNode message = message(UPDATE);
    ObjectNode session = message.putObject("session").put("type", "realtime");
    session.putObject("audio").putObject("input").putNull("transcription");
    return text(message);
  }

  /// Whether the message of that id sets a session up or changes it.
  static boolean updates(String eventId) {
    return eventId.startsWith(UPDATED);
  }

  private static ObjectNode turns(TurnDetection turns) {
    ObjectNode out =
        switch (turns) {
          case TurnDetection.ServerVad vad ->
              Codec.object()
                  .put("type", "server_vad")
                  .put("threshold", vad.threshold())
                  .put("prefix_padding_ms", vad.prefix().toMillis())
                  .put("silence_duration_ms", vad.silence().toMillis())
                  .putNull("idle_timeout_ms");
          case TurnDetection.SemanticVad vad ->
              Codec.object()
                  .put("type", "semantic_vad")
                  .put("eagerness", vad.eagerness().name().toLowerCase(Locale.ROOT));
        };
    // The provider only reports speech; responses are requested here.
    return out.put("create_response", false).put("interrupt_response", false);
  }

  private static ArrayNode tools(List<ToolDefinition> tools, boolean strict) {
    ArrayNode out = Codec.object().putArray("tools");
    for (ToolDefinition tool : tools) {
      ObjectNode function = out.addObject().put("type", "function").put("name", tool.name());
      function.put("description", Surrogates.repaired(tool.description()));
      function.set("parameters", tool.parameters().tree());
      if (strict && tool.strict()) {
        function.put("strict", true);
      }
    }
    return out;
  }

  /// Requests a response. Its tools are never marked as strict: only for the session is it known
  /// whether the provider accepts that.
  String create(EngineSession.Response response) {
    ObjectNode message = Codec.object().put("type", "response.create");
    message.put("event_id", CREATE + response.id());
    ObjectNode body = message.putObject("response");
    body.putArray("output_modalities").add("audio");
    body.putObject("metadata").put(REQUEST, response.id());
    String words = response.words();
    if (words != null) {
      body.put("instructions", Surrogates.repaired(VERBATIM + Json.of(words)));
      body.put("conversation", "none").put("tool_choice", "none");
      body.putArray("tools");
      body.putArray("input");
      return text(message);
    }
    if (response.instructions() != null) {
      body.put("instructions", Surrogates.repaired(response.instructions()));
    }
    if (response.tools() != null) {
      body.set("tools", tools(response.tools(), false));
    }
    if (response.choice() != ToolChoice.AUTO) {
      body.put("tool_choice", response.choice().name().toLowerCase(Locale.ROOT));
    }
    return text(message);
  }

  /// The id of the response that the message of that id requested, null for another message.
  static @Nullable String request(String eventId) {
    return eventId.startsWith(CREATE) ? eventId.substring(CREATE.length()) : null;
  }

  String cancel(String response) {
    return text(message("response.cancel").put("response_id", response));
  }

  String truncate(String item, int content, int milliseconds) {
    return text(
        message("conversation.item.truncate")
            .put("item_id", item)
            .put("content_index", content)
            .put("audio_end_ms", milliseconds));
  }

  String delete(String item) {
    return text(message("conversation.item.delete").put("item_id", item));
  }

  String output(String callId, String text) {
    return text(outputItem(callId, text));
  }

  private ObjectNode outputItem(String callId, String text) {
    ObjectNode message = message("conversation.item.create");
    message
        .putObject("item")
        .put("type", "function_call_output")
        .put("call_id", callId)
        .put("output", Surrogates.repaired(text));
    return message;
  }

  /// A message with its id, to which an error refers.
  record Numbered(String id, String text) {
    private static Numbered of(ObjectNode message) {
      return new Numbered(message.path("event_id").stringValue(), ClientMessages.text(message));
    }
  }

  /// Adds a call that the runtime has made, as if it were the model's, and its output.
  List<Numbered> call(SessionItems.Call call) {
    ObjectNode message = message("conversation.item.create");
    message
        .putObject("item")
        .put("type", "function_call")
        .put("call_id", call.id())
        .put("name", call.tool())
        .put("arguments", Surrogates.repaired(call.arguments()));
    return List.of(Numbered.of(message), Numbered.of(outputItem(call.id(), call.output())));
  }

  String add(SessionItems.Item item) {
    ObjectNode message = message("conversation.item.create");
    ObjectNode out = message.putObject("item").put("type", "message");
    out.put("role", item.role().name().toLowerCase(Locale.ROOT));
    out.putArray("content")
        .addObject()
        .put("type", item.role() == SessionItems.Role.ASSISTANT ? "output_text" : "input_text")
        .put("text", Surrogates.repaired(item.text()));
    return text(message);
  }

  private ObjectNode message(String type) {
    String id = type.substring(type.lastIndexOf('.') + 1) + "_" + number.incrementAndGet();
    return Codec.object().put("type", type).put("event_id", id);
  }

  private static String text(ObjectNode message) {
    return Json.of(message).text();
  }
}
