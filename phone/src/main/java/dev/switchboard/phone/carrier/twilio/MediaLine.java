package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.json.Json;
import dev.switchboard.phone.carrier.AudioLine;
import dev.switchboard.phone.carrier.relay.SocketQueue;
import java.util.Base64;

/// Sends audio to the caller over a media socket. A clear overtakes waiting audio and marks.
final class MediaLine implements AudioLine {
  private static final int MARK_COST = 200;
  private static final int AUDIO_OVERHEAD = 40; // bytes that each piece counts in addition

  private final SocketQueue queue;
  private final String stream;

  /// @param stream a name of letters and digits
  MediaLine(SocketQueue queue, String stream) {
    this.queue = queue;
    this.stream = stream;
  }

  /// Audio, which is encoded when it is sent.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Audio(String stream, byte[] audio) implements SocketQueue.Message {
    @Override
    public int size() {
      return audio.length + AUDIO_OVERHEAD;
    }

    @Override
    public String text() {
      String payload = Base64.getEncoder().encodeToString(audio);
      return message(stream, "media", ",\"media\":{\"payload\":\"" + payload + "\"}");
    }
  }

  /// A mark or a clear.
  private record Order(String text) implements SocketQueue.Message {
    @Override
    public int size() {
      return MARK_COST;
    }
  }

  @Override
  public void play(byte[] audio) {
    if (audio.length > 0) {
      queue.add(new Audio(stream, audio));
    }
  }

  @Override
  public void mark(String name) {
    String mark = ",\"mark\":{\"name\":" + Json.of(name).text() + "}";
    queue.add(new Order(message(stream, "mark", mark)));
  }

  @Override
  public void clear() {
    queue.clear();
    queue.add(new Order(message(stream, "clear", "")));
  }

  @Override
  public void close(int code, String reason) {
    queue.close(code, reason);
  }

  private static String message(String stream, String event, String rest) {
    return "{\"event\":\"" + event + "\",\"streamSid\":\"" + stream + "\"" + rest + "}";
  }
}
