package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.carrier.CarrierEvent;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The messages of a media socket: Twilio's Media Streams.
final class MediaSocket implements CallSocket.Protocol {
  private static final int LONGEST_MARK = 256;
  private static final Pattern STREAM = Pattern.compile("[A-Za-z0-9]{1,64}");

  private @Nullable String stream; // once it has started
  private long next; // when audio is due, in milliseconds since the start

  /// Audio arrives during the whole call, even in silence.
  @Override
  public Duration longestSilence() {
    return Duration.ofSeconds(15);
  }

  @Override
  public boolean take(String text, CallSocket socket) {
    return switch (StreamMessage.parse(text)) {
      case null -> false;
      case StreamMessage.Connected ignored -> !socket.isOpen();
      case StreamMessage.Start start -> !socket.isOpen() && start(start, socket);
      case StreamMessage.Media(String id, byte[] audio, long at) ->
          id.equals(stream) && audio.length > 0 && socket.post(heard(audio, at));
      case StreamMessage.Key(String id, char key) ->
          id.equals(stream) && socket.post(new CarrierEvent.Pressed(key));
      case StreamMessage.Mark(String id, String name) ->
          id.equals(stream)
              && name.length() <= LONGEST_MARK
              && socket.post(new CarrierEvent.Played(name));
      case StreamMessage.Stop(String id) -> id.equals(stream) && stop(socket);
    };
  }

  private boolean start(StreamMessage.Start start, CallSocket socket) {
    if (STREAM.matcher(start.stream()).matches() && start.telephone()) {
      stream = start.stream();
      socket.start(start.call(), start.token(), new MediaLine(socket.queue(), start.stream()));
    } else {
      socket.refuse("The stream is not what was asked for.");
    }
    return true;
  }

  private CarrierEvent heard(byte[] audio, long at) {
    long begin = at < 0 ? next : at;
    next = begin + audio.length / MuLaw.SAMPLES_PER_MS;
    return new CarrierEvent.Heard(audio, begin);
  }

  private static boolean stop(CallSocket socket) {
    socket.stop();
    return true;
  }
}
