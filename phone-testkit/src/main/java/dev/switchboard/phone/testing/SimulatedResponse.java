package dev.switchboard.phone.testing;

import dev.switchboard.json.Codec;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.time.Time;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A response of a simulated session, sent on its own thread.
final class SimulatedResponse {
  private static final int CHUNK_MS = 100;

  final String id;
  final boolean aside;
  private final SimulatedConversation conversation;
  private final RealtimeSimulator.Settings settings;
  private final JsonNode metadata;
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicReference<Time.@Nullable Signal> pause = new AtomicReference<>();
  private final ArrayNode output = Codec.object().putArray("output");
  private volatile @Nullable String cancelled;
  private int words;

  SimulatedResponse(
      String id,
      SimulatedConversation conversation,
      RealtimeSimulator.Settings settings,
      JsonNode request) {
    this.id = id;
    this.conversation = conversation;
    this.settings = settings;
    metadata = request.path("metadata");
    aside = request.path("conversation").asString("auto").equals("none");
  }

  /// Cancels it.
  void cancel(String reason) {
    cancelled = reason;
    end.countDown();
    Time.Signal waiting = pause.get();
    if (waiting != null) {
      waiting.give();
    }
  }

  /// Ends it early, or a held one as if it were complete.
  void end(boolean complete) {
    if (complete) {
      end.countDown();
    } else {
      cancel("client_cancelled");
    }
  }

  void created() {
    ObjectNode event = conversation.event("response.created");
    event.set("response", json("in_progress"));
    conversation.send(event);
  }

  void run(ModelView view) {
    Reply reply = aside ? settings.asides().apply(view) : settings.script().apply(view);
    pause.set(new Time.Signal());
    for (int i = 0; i < reply.parts().size() && cancelled == null; i++) {
      boolean cut = reply.ending() == Reply.Ending.INCOMPLETE && i == reply.parts().size() - 1;
      switch (reply.parts().get(i)) {
        case Reply.Part.Say say -> say(i, say.words(), false, cut);
        case Reply.Part.Preamble preamble -> say(i, preamble.words(), true, cut);
        case Reply.Part.Call call -> call(i, call);
      }
    }
    if (reply.ending() == Reply.Ending.HELD) {
      SimulatedSession.await(end);
    }
    done(reply);
  }

  private void done(Reply reply) {
    String status =
        cancelled != null
            ? "cancelled"
            : switch (reply.ending()) {
              case COMPLETED, HELD -> "completed";
              case INCOMPLETE -> "incomplete";
              case FAILED -> "failed";
            };
    ObjectNode response = json(status);
    ObjectNode details = response.putObject("status_details").put("type", status);
    switch (status) {
      case "cancelled" -> details.put("reason", cancelled);
      case "incomplete" -> details.put("reason", "max_output_tokens");
      case "failed" ->
          details
              .putObject("error")
              .put("type", "server_error")
              .put("code", reply.code())
              .put("message", "The response failed.");
      default -> response.putNull("status_details");
    }
    ObjectNode event = conversation.event("response.done");
    event.set("response", response);
    conversation.done(this, event);
  }

  private ObjectNode json(String status) {
    ObjectNode out = Codec.object().put("object", "realtime.response").put("id", id);
    out.put("status", status).putNull("status_details");
    out.set("output", output.deepCopy());
    out.put("conversation_id", aside ? null : "conv_1");
    out.set("metadata", metadata.isObject() ? metadata : null);
    out.putObject("usage").put("input_tokens", conversation.size()).put("output_tokens", words);
    return out;
  }

  private ObjectNode event(String type, String item, int index) {
    return conversation
        .event(type)
        .put("response_id", id)
        .put("item_id", item)
        .put("output_index", index);
  }

  private void item(String type, int index, SimulatedItems.Item item, String status) {
    ObjectNode event = conversation.event(type).put("response_id", id).put("output_index", index);
    event.set("item", item.json(status));
    conversation.send(event);
  }

  private void say(int index, String text, boolean preamble, boolean cut) {
    SimulatedItems.Item item =
        new SimulatedItems.Item(conversation.newId("item"), "message", "assistant", null, "");
    item.phase = conversation.phase(preamble);
    conversation.begins(item, aside);
    item("response.output_item.added", index, item, "in_progress");
    conversation.send(event("response.content_part.added", item.id, index).put("content_index", 0));
    for (String word : text.strip().split("(?<=\\s)", -1)) {
      if (cancelled != null) {
        break;
      }
      // Words arrive in fragments, like a model's tokens.
      for (String piece : word.split("(?<=\\G.{4})(?=\\S)", -1)) {
        ObjectNode event = event("response.output_audio_transcript.delta", item.id, index);
        conversation.says(item, piece, event.put("content_index", 0).put("delta", piece));
      }
      words++;
      audio(item, index, Speech.of(word));
    }
    String status = cut || cancelled != null ? "incomplete" : "completed";
    conversation.send(event("response.output_audio.done", item.id, index).put("content_index", 0));
    conversation.send(
        event("response.output_audio_transcript.done", item.id, index)
            .put("content_index", 0)
            .put("transcript", item.text));
    conversation.send(event("response.content_part.done", item.id, index).put("content_index", 0));
    finish(index, item, status);
  }

  private void audio(SimulatedItems.Item item, int index, byte[] audio) {
    int chunk = CHUNK_MS * MuLaw.SAMPLES_PER_MS;
    for (int from = 0; from < audio.length && cancelled == null; from += chunk) {
      byte[] piece = Arrays.copyOfRange(audio, from, Math.min(audio.length, from + chunk));
      ObjectNode event =
          event("response.output_audio.delta", item.id, index)
              .put("content_index", 0)
              .put("delta", Base64.getEncoder().encodeToString(piece));
      conversation.sounds(item, piece.length / MuLaw.SAMPLES_PER_MS, event);
      pause(piece.length / MuLaw.SAMPLES_PER_MS);
    }
  }

  private void pause(int ms) {
    Time.Signal signal = pause.get();
    if (settings.pace() > 0 && signal != null) {
      Time time = settings.time();
      time.await(signal, time.nanos() + (long) (ms * 1_000_000L / settings.pace()));
    }
  }

  private void call(int index, Reply.Part.Call call) {
    String text = call.name() + " " + call.arguments();
    SimulatedItems.Item item =
        new SimulatedItems.Item(
            conversation.newId("item"), "function_call", "call", call.id(), text);
    boolean whole = call.delivery() != Reply.Delivery.INCOMPLETE;
    int times = call.delivery() == Reply.Delivery.TWICE ? 2 : 1;
    if (whole) {
      conversation.begins(item, aside);
    }
    item("response.output_item.added", index, item, "in_progress");
    conversation.send(
        event("response.function_call_arguments.delta", item.id, index)
            .put("call_id", call.id())
            .put("delta", call.arguments()));
    for (int i = 0; i < times; i++) {
      // The provider also sends these for an interrupted call.
      conversation.send(
          event("response.function_call_arguments.done", item.id, index)
              .put("call_id", call.id())
              .put("name", call.name())
              .put("arguments", call.arguments()));
    }
    for (int i = 0; i < times; i++) {
      finish(index, item, whole ? "completed" : "incomplete");
    }
  }

  private void finish(int index, SimulatedItems.Item item, String status) {
    item("response.output_item.done", index, item, status);
    if (!aside) {
      ObjectNode event = conversation.event("conversation.item.done");
      event.set("item", item.json(status));
      conversation.send(event);
    }
    output.add(item.json(status));
  }
}
