package dev.switchboard.bench;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// One simulated call, both its ends: the carrier's, which sends a frame every 20 ms and echoes
/// marks when it has played so far, and the engine's, which tells that the caller speaks, responds
/// and calls tools. Its audio carries the moment at which it was sent.
///
/// A turn begins every six seconds: the caller speaks for 1.5 s; then one turn in three calls a
/// tool, one has a short answer, one a long one that the next turn interrupts.
///
/// Safe for use by several threads: a tick or a message is taken as a whole.
final class PhoneTalk {
  private static final int FRAME = 160;
  private static final int DELTA = 800;
  private static final int TURN_TICKS = 300;
  private static final int SPEECH_TICKS = 75;
  private static final int SHORT = 30; // deltas, of 100 ms
  private static final int LONG = 60;
  private static final int ASIDE = 10;
  private static final String[] TOOLS = {"wait_10_ms", "wait_3_s", "wait_30_s"};
  private static final int[] TOOL_TICKS = {1, 150, 1_500};

  private final int number;
  private final PhoneFigures figures;
  private final boolean bare; // the other side is a relay, which asks for nothing
  private final boolean strained; // tools are webhooks that take long, and one that fails
  private @Nullable PhoneWire carrier;
  private @Nullable PhoneWire engine;

  private final byte[] frame = new byte[FRAME];
  private final byte[] delta = new byte[DELTA];
  private final String stream;
  private long ticks;
  private long queued; // bytes that the carrier was sent, since the latest clear
  private long played;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private long speechStarted; // nanos, 0 where nothing was to be cleared
  private int turns;
  private int made;
  private long answerAt = -1; // tick at which a bare call's engine answers
  private int running; // calls of tools without a result
  private int called; // the turn that called tools last
  private final Deque<Response> responses = new ArrayDeque<>();

  private record Mark(String name, long at) {}

  /// A response that is being spoken.
  private static final class Response {
    final String id;
    int left;

    Response(String id, int left) {
      this.id = id;
      this.left = left;
    }
  }

  PhoneTalk(int number, PhoneFigures figures, boolean bare, boolean strained) {
    this.number = number;
    this.figures = figures;
    this.bare = bare;
    this.strained = strained;
    stream = "MZ" + number;
    Arrays.fill(frame, (byte) 0x55);
    Arrays.fill(delta, (byte) 0x66);
    ByteBuffer.wrap(frame).putInt(8, number);
    // So that the turns of the calls are spread.
    ticks = number * 997L / 20 % TURN_TICKS;
    turns = number % 9;
  }

  /// Begins, over that socket.
  synchronized void begin(PhoneWire wire, String callId, String token) {
    carrier = wire;
    wire.send("{\"event\":\"connected\",\"protocol\":\"Call\",\"version\":\"1.0.0\"}");
    wire.send(
        """
        {"event":"start","sequenceNumber":"1","start":{"streamSid":"%s","callSid":"%s",\
        "tracks":["inbound"],"customParameters":{"token":"%s"},"mediaFormat":\
        {"encoding":"audio/x-mulaw","sampleRate":8000,"channels":1}},"streamSid":"%s"}\
        """
            .formatted(stream, callId, token, stream));
  }

  /// The call's engine is the one at the other end of that socket.
  synchronized void engine(PhoneWire wire) {
    engine = wire;
  }

  synchronized boolean isConnected() {
    return engine != null;
  }

  /// What happens within 20 ms.
  synchronized void tick() {
    PhoneWire line = carrier;
    if (line == null) {
      return;
    }
    ticks++;
    ByteBuffer.wrap(frame).putLong(0, System.nanoTime());
    line.send(
        "{\"event\":\"media\",\"sequenceNumber\":\"%d\",\"media\":{\"track\":\"inbound\",\"chunk\":\"%d\",\"timestamp\":\"%d\",\"payload\":\""
                .formatted(ticks, ticks, ticks * 20)
            + Base64.getEncoder().encodeToString(frame)
            + "\"},\"streamSid\":\""
            + stream
            + "\"}");
    play(line);
    PhoneWire model = engine;
    if (model != null) {
      turn(model);
      speak(model);
    }
  }

  private void play(PhoneWire line) {
    played = Math.min(queued, played + FRAME);
    while (!marks.isEmpty() && marks.peekFirst().at <= played) {
      echo(line, marks.removeFirst());
    }
  }

  private void echo(PhoneWire line, Mark mark) {
    line.send(
        "{\"event\":\"mark\",\"sequenceNumber\":\"%d\",\"streamSid\":\"%s\",\"mark\":{\"name\":\"%s\"}}"
            .formatted(ticks, stream, mark.name));
  }

  private void turn(PhoneWire model) {
    long within = ticks % TURN_TICKS;
    if (within == 0) {
      turns++;
      speechStarted = queued > played && !bare ? System.nanoTime() : 0;
      model.send(
          "{\"type\":\"input_audio_buffer.speech_started\",\"event_id\":\"e%d\",\"audio_start_ms\":%d,\"item_id\":\"in%d\"}"
              .formatted(ticks, ticks * 20, turns));
      if (bare) {
        responses.clear();
        queued = played;
      }
    } else if (within == SPEECH_TICKS) {
      for (String type :
          new String[] {
            "speech_stopped\",\"audio_end_ms\":" + ticks * 20,
            "committed\",\"previous_item_id\":null"
          }) {
        model.send(
            "{\"type\":\"input_audio_buffer.%s,\"item_id\":\"in%d\"}".formatted(type, turns));
      }
      model.send(
          "{\"type\":\"conversation.item.input_audio_transcription.completed\",\"item_id\":\"in%d\",\"content_index\":0,\"transcript\":\"Where is my order?\"}"
              .formatted(turns));
      answerAt = !bare ? -1 : ticks + (turns % 3 == 0 ? TOOL_TICKS[turns / 3 % 3] : 1);
    }
    if (ticks == answerAt) {
      respond(model, "", turns % 3 == 1 ? LONG : SHORT);
    }
  }

  private void respond(PhoneWire model, String request, int deltas) {
    made++;
    Response response = new Response("resp" + made, deltas);
    responses.add(response);
    model.send(
        "{\"type\":\"response.created\",\"event_id\":\"c%d\",\"response\":{\"object\":\"realtime.response\",\"id\":\"%s\",\"status\":\"in_progress\",\"output\":[],\"metadata\":{\"switchboard\":\"%s\"}}}"
            .formatted(made, response.id, request));
  }

  /// Every second tick 100 ms of audio, with its words; so it comes two and a half times as fast as
  /// it is spoken.
  private void speak(PhoneWire model) {
    Response response = responses.peekFirst();
    if (response == null || ticks % 2 != 0) {
      return;
    }
    String place =
        "\",\"event_id\":\"d%d\",\"response_id\":\"%s\",\"item_id\":\"i%s\",\"output_index\":0,\"content_index\":0,\"delta\":\""
            .formatted(ticks, response.id, response.id);
    model.send("{\"type\":\"response.output_audio_transcript.delta" + place + " word\"}");
    ByteBuffer.wrap(delta).putLong(0, System.nanoTime());
    model.send(
        "{\"type\":\"response.output_audio.delta"
            + place
            + Base64.getEncoder().encodeToString(delta)
            + "\"}");
    response.left--;
    if (response.left == 0) {
      end(model, response, "completed");
    }
  }

  private void end(PhoneWire model, Response response, String status) {
    responses.remove(response);
    model.send(
        "{\"type\":\"response.done\",\"event_id\":\"e%s\",\"response\":{\"object\":\"realtime.response\",\"id\":\"%s\",\"status\":\"%s\",\"status_details\":null,\"output\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":9}}}"
            .formatted(response.id, response.id, status));
  }

  /// What the carrier is sent.
  synchronized void toCarrier(String text) {
    long now = System.nanoTime();
    if (text.startsWith("{\"event\":\"media\"")) {
      byte[] audio = Base64.getDecoder().decode(between(text, "\"payload\":\""));
      queued += audio.length;
      if (audio.length == DELTA) {
        figures.spoken(now - ByteBuffer.wrap(audio).getLong(0));
      }
    } else if (text.startsWith("{\"event\":\"mark\"")) {
      marks.add(new Mark(between(text, "\"name\":\""), queued));
    } else if (text.startsWith("{\"event\":\"clear\"")) {
      if (speechStarted != 0) {
        figures.cleared(now - speechStarted);
      }
      speechStarted = 0;
      PhoneWire line = carrier;
      marks.forEach(mark -> echo(java.util.Objects.requireNonNull(line), mark));
      marks.clear();
      queued = 0;
      played = 0;
    }
  }

  /// What the engine is sent; not audio.
  synchronized void toEngine(String text) {
    PhoneWire model = engine;
    if (model == null) {
      return;
    }
    if (text.startsWith("{\"type\":\"response.create\"")) {
      String request = between(text, "\"switchboard\":\"");
      boolean aside = text.contains("\"conversation\":\"none\"");
      respond(model, request, aside ? ASIDE : turns % 3 == 1 ? LONG : SHORT);
      boolean calls = turns % 3 == 0 && called != turns && !(strained && running > 0);
      if (calls && !aside) {
        called = turns;
        call(model, responses.peekLast());
      }
    } else if (text.startsWith("{\"type\":\"response.cancel\"")) {
      String id = between(text, "\"response_id\":\"");
      responses.stream()
          .filter(one -> one.id.equals(id))
          .findFirst()
          .ifPresent(one -> end(model, one, "cancelled"));
    } else if (text.contains("\"function_call_output\"")) {
      running--;
      figures.called();
    }
  }

  private void call(PhoneWire model, Response response) {
    String[] tools =
        strained
            ? new String[] {"slow", "slow", "slow", "slow", "broken"}
            : new String[] {TOOLS[turns / 3 % 3]};
    for (String tool : tools) {
      running++;
      model.send(
          "{\"type\":\"response.output_item.done\",\"response_id\":\"%s\",\"output_index\":0,\"item\":{\"id\":\"f%d\",\"type\":\"function_call\",\"status\":\"completed\",\"call_id\":\"call%d_%d\",\"name\":\"%s\",\"arguments\":\"{}\"}}"
              .formatted(response.id, made, made, running, tool));
    }
    end(model, response, "completed");
  }

  /// The moments at which the frames of an append message were sent.
  static void heard(String text, PhoneFigures figures) {
    long now = System.nanoTime();
    byte[] audio = Base64.getDecoder().decode(between(text, "\"audio\":\""));
    for (int at = 0; at + FRAME <= audio.length; at += FRAME) {
      figures.heard(now - ByteBuffer.wrap(audio).getLong(at));
    }
  }

  /// The number of the call whose caller is heard in an append message.
  static int number(String text) {
    return ByteBuffer.wrap(Base64.getDecoder().decode(between(text, "\"audio\":\""))).getInt(8);
  }

  private static String between(String text, String before) {
    int from = text.indexOf(before) + before.length();
    return text.substring(from, text.indexOf('"', from));
  }

  /// Hangs up.
  synchronized void end() {
    PhoneWire line = carrier;
    carrier = null;
    if (line != null) {
      line.send(
          "{\"event\":\"stop\",\"sequenceNumber\":\"1\",\"streamSid\":\"%s\",\"stop\":{}}"
              .formatted(stream));
      line.close();
    }
  }

  synchronized boolean isLost() {
    PhoneWire line = carrier;
    return line == null || line.isClosed();
  }
}
