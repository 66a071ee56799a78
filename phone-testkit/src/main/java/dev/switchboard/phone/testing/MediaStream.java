package dev.switchboard.phone.testing;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.time.Time;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A media stream: every 20 ms of the carrier's clock it plays a frame of the agent's audio, and
/// sends a frame of the caller's.
final class MediaStream implements CarrierSocket.Protocol {
  static final int FRAME = 20 * MuLaw.SAMPLES_PER_MS;

  private static final int INVALID_MESSAGE = 31_924;

  private final String id = "MZ" + randomHex();
  private final SimulatedCall call;
  private final Map<String, String> parameters;
  private final double speed;
  private final PlayBuffer buffer = new PlayBuffer();
  private volatile @Nullable CarrierSocket socket;
  private final AtomicInteger sequence = new AtomicInteger(1);
  private @Nullable String heldBack; // a frame sent after the next one; of the playing thread

  MediaStream(SimulatedCall call, Map<String, String> parameters, double speed) {
    this.call = call;
    this.parameters = parameters;
    this.speed = speed;
  }

  static String randomHex() {
    byte[] bytes = new byte[16];
    ThreadLocalRandom.current().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public void greet(CarrierSocket opened) {
    socket = opened;
    send("{\"event\":\"connected\",\"protocol\":\"Call\",\"version\":\"1.0.0\"}");
    send(
        """
        {"event":"start","sequenceNumber":"1","start":{"streamSid":"%s","accountSid":"%s",\
        "callSid":"%s","tracks":["inbound"],"customParameters":%s,"mediaFormat":\
        {"encoding":"audio/x-mulaw","sampleRate":8000,"channels":1}},"streamSid":"%s"}\
        """
            .formatted(id, call.account(), call.id(), Json.of(parameters).text(), id));
  }

  @Override
  public void run() {
    Time.Signal never = new Time.Signal();
    long begin = System.nanoTime();
    for (long frame = 0; !isEnded(); frame++) {
      playFrame();
      sayFrame(frame);
      Time.SYSTEM.await(never, begin + (long) ((frame + 1) * 20_000_000L / speed));
    }
  }

  private boolean isEnded() {
    CarrierSocket open = socket;
    return open == null || open.isEnded();
  }

  private void playFrame() {
    byte[] heard = new byte[FRAME];
    buffer.take(heard).forEach(this::echo);
    call.recorder().record(heard);
  }

  private void echo(String mark) {
    if (!call.losesMarks()) {
      send(
          "{\"event\":\"mark\",\"sequenceNumber\":\"%d\",\"streamSid\":\"%s\",\"mark\":{\"name\":%s}}"
              .formatted(sequence.incrementAndGet(), id, Json.of(mark).text()));
    }
  }

  private void sayFrame(long frame) {
    byte[] said = call.nextFrame();
    if (said == null) {
      return;
    }
    String message = media(said, frame);
    if (call.reordersMedia() && heldBack == null) {
      heldBack = message;
      return;
    }
    send(message);
    if (heldBack != null) {
      send(heldBack);
      heldBack = null;
    }
  }

  private String media(byte[] said, long frame) {
    return """
    {"event":"media","sequenceNumber":"%d","media":{"track":"inbound","chunk":"%d",\
    "timestamp":"%d","payload":"%s"},"streamSid":"%s"}\
    """
        .formatted(
            sequence.incrementAndGet(),
            frame + 1,
            frame * 20,
            Base64.getEncoder().encodeToString(said),
            id);
  }

  /// Sends that many frames of silence at once.
  void flood(int frames) {
    byte[] silence = new byte[FRAME];
    Arrays.fill(silence, MuLaw.SILENCE);
    for (int i = 0; i < frames; i++) {
      send(media(silence, i));
    }
  }

  @Override
  public void press(char key) {
    send(
        """
        {"event":"dtmf","streamSid":"%s","sequenceNumber":"%d",\
        "dtmf":{"track":"inbound_track","digit":"%s"}}\
        """
            .formatted(id, sequence.incrementAndGet(), key));
  }

  private void send(String message) {
    CarrierSocket open = socket;
    if (open != null) {
      open.send(message);
    }
  }

  @Override
  public void message(String text) {
    CarrierSocket open = socket;
    String fault = open == null || open.isEnded() ? null : take(text);
    if (open != null && fault != null) {
      call.fault(INVALID_MESSAGE + " " + fault);
      open.end();
    }
  }

  /// The fault of a message, null if it was accepted.
  private @Nullable String take(String text) {
    JsonNode message;
    try {
      message = Json.text(text).tree();
    } catch (JsonException e) {
      return "the message is not JSON";
    }
    String event = message.path("event").stringValue("");
    call.watched(event, text.length());
    if (!message.path("streamSid").stringValue("").equals(id)) {
      return "the message is not of this stream";
    }
    return switch (event) {
      case "media" -> takeMedia(message.path("media").path("payload").stringValue(""));
      case "mark" -> takeMark(message.path("mark").path("name").stringValue(""));
      case "clear" -> {
        buffer.clear().forEach(this::echo);
        yield null;
      }
      default -> "the event '" + event + "' is unknown";
    };
  }

  private @Nullable String takeMedia(String payload) {
    byte[] audio;
    try {
      audio = Base64.getDecoder().decode(payload);
    } catch (IllegalArgumentException e) {
      return "the payload is not base64";
    }
    if (audio.length == 0 || audio.length >= 4 && audio[0] == 'R' && audio[1] == 'I') {
      return "the payload is not bare audio";
    }
    buffer.add(audio);
    return null;
  }

  private @Nullable String takeMark(String name) {
    if (name.isEmpty()) {
      return "the mark has no name";
    }
    buffer.addMark(name);
    return null;
  }

  @Override
  public long waiting() {
    return buffer.waiting();
  }

  @Override
  public void stopping() {
    send(
        """
        {"event":"stop","sequenceNumber":"%d","streamSid":"%s",\
        "stop":{"accountSid":"%s","callSid":"%s"}}\
        """
            .formatted(sequence.incrementAndGet(), id, call.account(), call.id()));
  }

  @Override
  public void lost(int status) {
    if (status > 0) {
      call.fault("31920 the socket was not opened: status " + status);
    }
  }

  @Override
  public Map<String, String> report() {
    return Map.of();
  }
}
