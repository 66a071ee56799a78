package dev.switchboard.phone.testing;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.phone.audio.MuLaw;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The provider's state of a session, and how it executes or refuses messages.
///
/// Thread-safe: a message is executed atomically.
final class SimulatedConversation {
  private final RealtimeSimulator.Settings settings;
  private final SimulatedSession out;
  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final SimulatedItems items;
  private final Map<String, SimulatedResponse> responses = new LinkedHashMap<>();
  private final ObjectNode session;
  private SpeechDetection detection = new SpeechDetection(0.5, 500);
  private @Nullable String speech;
  private @Nullable SimulatedResponse active;
  private int numbers;
  private boolean spoke;

  SimulatedConversation(RealtimeSimulator.Settings settings, SimulatedSession out, String model) {
    this.settings = settings;
    items = new SimulatedItems(settings.refusesCalls());
    this.out = out;
    session = SessionFields.initial(newId("sess"), model);
  }

  /// An atomic step.
  private interface Step<T> {
    T done();
  }

  private <T> T alone(Step<T> step) {
    lock.lock();
    try {
      return step.done();
    } finally {
      lock.unlock();
    }
  }

  void alone(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  byte[] heard() {
    return alone(heard::toByteArray);
  }

  List<ModelView.Line> lines() {
    return alone(items::lines);
  }

  JsonNode session() {
    return alone(session::deepCopy);
  }

  /// The phase of a message, which only models that reason state.
  @Nullable String phase(boolean preamble) {
    return SessionFields.reasons(session()) ? (preamble ? "commentary" : "final_answer") : null;
  }

  int size() {
    return alone(items::size);
  }

  String newId(String kind) {
    return alone(() -> kind + "_" + ++numbers);
  }

  ObjectNode event(String type) {
    return Codec.object().put("type", type).put("event_id", newId("event"));
  }

  void send(ObjectNode event) {
    alone(() -> out.write(Json.of(event).text()));
  }

  void sendSession(String type) {
    ObjectNode event = event(type);
    event.set("session", session());
    send(event);
  }

  void endAll(boolean complete) {
    alone(() -> responses.values().forEach(response -> response.end(complete)));
  }

  void obey(JsonNode message) {
    alone(() -> {
      String type = message.path("type").asString("");
      String unknown = WireFields.unknown(message, settings.takesStrict());
      if (!WireFields.knows(type)) {
        refuse(message, WireRefusal.value("type"));
      } else if (unknown != null) {
        // The provider names the first unknown field, and ignores the whole message.
        String sentence = "Unknown parameter: '" + unknown + "'.";
        refuse(message, new WireRefusal("unknown_parameter", sentence, unknown));
      } else {
        obey(type, message);
      }
    });
  }

  private void obey(String type, JsonNode message) {
    switch (type) {
      case "session.update" -> update(message);
      case "input_audio_buffer.append" -> appendAudio(message);
      case "input_audio_buffer.commit" -> commit(message);
      case "conversation.item.create" -> {
        if (isTaken(message, items.create(message.path("item"), newId("item")))) {
          added(items.last());
        }
      }
      case "conversation.item.truncate" -> truncate(message);
      case "conversation.item.delete" -> delete(message);
      case "response.create" -> respond(message);
      case "response.cancel" -> cancel(message);
      default -> {}
    }
  }

  private void refuse(JsonNode message, WireRefusal refusal) {
    String eventId = message.path("event_id").asString(null);
    out.error(refusal.code(), refusal.sentence(), refusal.param(), eventId);
  }

  private boolean isTaken(JsonNode message, @Nullable WireRefusal refusal) {
    if (refusal != null) {
      refuse(message, refusal);
    }
    return refusal == null;
  }

  private void update(JsonNode message) {
    if (isTaken(message, SessionFields.update(session, message.path("session"), spoke))) {
      JsonNode turns = turns();
      detection =
          new SpeechDetection(
              turns.path("threshold").asDouble(0.5), turns.path("silence_duration_ms").asInt(500));
      sendSession("session.updated");
    }
  }

  private JsonNode turns() {
    return session.at("/audio/input/turn_detection");
  }

  private void appendAudio(JsonNode message) {
    try {
      byte[] audio = Base64.getDecoder().decode(message.path("audio").asString("?"));
      heard.writeBytes(audio);
      if (turns().isObject()) {
        detection.detect(audio).forEach(this::edge);
      }
    } catch (IllegalArgumentException e) {
      refuse(message, WireRefusal.value("audio"));
    }
  }

  /// The caller begins to speak, as if it were detected.
  void callerSpeaks() {
    alone(() -> edge(new SpeechDetection.Edge(true, heard.size() / MuLaw.SAMPLES_PER_MS)));
  }

  /// The caller has said that, as if it were detected.
  void callerSaid(String words) {
    alone(() -> {
      if (speech == null) {
        callerSpeaks();
      }
      settings.transcripts().add(words);
      edge(new SpeechDetection.Edge(false, heard.size() / MuLaw.SAMPLES_PER_MS));
    });
  }

  private void edge(SpeechDetection.Edge edge) {
    if (edge.start()) {
      speech = newId("item");
      send(
          event("input_audio_buffer.speech_started")
              .put("audio_start_ms", edge.ms())
              .put("item_id", speech));
      // The caller's speech interrupts only responses in the conversation.
      if (active != null && turns().path("interrupt_response").asBoolean(true)) {
        active.cancel("turn_detected");
      }
    } else if (speech != null) {
      send(
          event("input_audio_buffer.speech_stopped")
              .put("audio_end_ms", edge.ms())
              .put("item_id", speech));
      committed(speech);
      speech = null;
      if (active == null && turns().path("create_response").asBoolean(true)) {
        begin(Codec.object());
      }
    }
  }

  private void commit(JsonNode message) {
    if (heard.size() == 0) {
      refuse(message, new WireRefusal("input_audio_buffer_commit_empty", "No audio.", "audio"));
    } else {
      committed(newId("item"));
    }
  }

  private void committed(String id) {
    String words = settings.transcripts().poll();
    String text = words == null ? "" : words;
    items.add(new SimulatedItems.Item(id, "message", "user", null, text));
    send(event("input_audio_buffer.committed").putNull("previous_item_id").put("item_id", id));
    added(items.last());
    if (!session.at("/audio/input/transcription").isObject()) {
      return;
    }
    String end = words == null ? "failed" : "completed";
    send(
        event("conversation.item.input_audio_transcription." + end)
            .put("item_id", id)
            .put("content_index", 0)
            .put("transcript", words));
  }

  private void added(SimulatedItems.Item item) {
    for (String type : List.of("conversation.item.added", "conversation.item.done")) {
      ObjectNode event = event(type).putNull("previous_item_id");
      event.set("item", item.json("completed"));
      send(event);
    }
  }

  private void truncate(JsonNode message) {
    String id = message.path("item_id").asString("");
    JsonNode end = message.path("audio_end_ms");
    if (isTaken(message, items.truncate(id, end))) {
      ObjectNode event = event("conversation.item.truncated").put("item_id", id);
      event.set("audio_end_ms", end);
      send(event.put("content_index", message.path("content_index").asInt(0)));
    }
  }

  private void delete(JsonNode message) {
    String id = message.path("item_id").asString("");
    if (items.remove(id)) {
      send(event("conversation.item.deleted").put("item_id", id));
    } else {
      refuse(message, new WireRefusal("item_delete_invalid_item_id", "No such item.", "item_id"));
    }
  }

  private void respond(JsonNode message) {
    JsonNode request = message.path("response");
    if (!isTaken(message, SessionFields.reasoningRefusal(session, request, "response"))) {
      return;
    }
    boolean aside = request.path("conversation").asString("auto").equals("none");
    if (aside || active == null) {
      begin(request);
      return;
    }
    // One response at a time writes to the conversation. The provider does not always name the
    // refused message.
    out.error(
        "conversation_already_has_active_response",
        "Conversation already has an active response in progress: " + active.id,
        null,
        settings.namesNoEvent() ? null : message.path("event_id").asString(null));
  }

  private void begin(JsonNode request) {
    SimulatedResponse response = new SimulatedResponse(newId("resp"), this, settings, request);
    responses.put(response.id, response);
    active = response.aside ? active : response;
    String own = request.path("instructions").asString("");
    String instructions = own.isEmpty() ? session.path("instructions").asString("") : own;
    ModelView turn = new ModelView(instructions, items.lines(), Json.of(request), response.aside);
    response.created();
    Thread unused = Thread.ofVirtual().name("simulated-response").start(() -> response.run(turn));
  }

  private void cancel(JsonNode message) {
    String id = message.path("response_id").asString(active == null ? "" : active.id);
    SimulatedResponse response = responses.get(id);
    if (response == null) {
      String sentence = "Cancellation failed: no active response found";
      refuse(message, new WireRefusal("response_cancel_not_active", sentence, "response_id"));
    } else {
      response.cancel("client_cancelled");
    }
  }

  void done(SimulatedResponse response, ObjectNode event) {
    alone(() -> {
      responses.remove(response.id);
      active = active == response ? null : active;
      send(event);
    });
  }

  /// An item of a response begins.
  void begins(SimulatedItems.Item item, boolean aside) {
    alone(() -> {
      spoke = true;
      if (!aside) {
        items.add(item);
      }
    });
  }

  /// An item continues with that word.
  void says(SimulatedItems.Item item, String word, ObjectNode event) {
    alone(() -> {
      item.text += word;
      send(event);
    });
  }

  /// An item continues with that much audio.
  void sounds(SimulatedItems.Item item, int ms, ObjectNode event) {
    alone(() -> {
      item.audioMs += ms;
      send(event);
    });
  }
}
