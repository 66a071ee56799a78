package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.mount.Mount;
import dev.switchboard.phone.audio.MuLaw;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A media socket. It belongs to no call until its start message has the token of one.
final class MediaSocket implements Mount.Listener {
  private static final System.Logger LOG = System.getLogger(Twilio.class.getName());
  private static final int LONGEST_MESSAGE = 64 * 1024;
  private static final int LONGEST_MARK = 256;
  private static final int MOST_BEFORE_START = 100;
  private static final Duration UNTIL_START = Duration.ofSeconds(10);
  private static final Duration SILENT = Duration.ofSeconds(15);
  private static final Pattern STREAM = Pattern.compile("[A-Za-z0-9]{1,64}");
  private static final int NORMAL = 1000;
  private static final int GOING_AWAY = 1001;
  private static final int REFUSED = 1008;

  private final Mount.Channel channel;
  private final MediaTokens tokens;
  private final Carrier.Switch calls;
  private final LongAdder dropped;
  private final Time time;

  // The end may arrive during a message.
  private final ReentrantLock lock = new ReentrantLock();
  private Time.Alarm alarm; // guarded by lock
  private long last; // when something arrived; guarded by lock
  private @Nullable Open open; // guarded by lock
  private boolean ended; // guarded by lock
  private int early; // messages before the start; guarded by lock
  private long next; // when audio is due, in milliseconds since the start; guarded by lock

  /// The call of the socket.
  private record Open(StreamMessage.Start start, MediaLine line) {}

  MediaSocket(
      Mount.Channel channel,
      MediaTokens tokens,
      Carrier.Switch calls,
      Time time,
      LongAdder dropped) {
    this.channel = channel;
    this.tokens = tokens;
    this.calls = calls;
    this.dropped = dropped;
    this.time = time;
    last = time.nanos();
    alarm = time.alarm(last + UNTIL_START.toNanos(), this::look);
  }

  /// Checks whether the socket has started, and from then on whether it is alive: audio arrives
  /// during the whole call, even in silence.
  private void look() {
    lock.lock();
    try {
      long due = last + SILENT.toNanos();
      if (open == null && !ended) {
        refuse("No start came.");
      } else if (!ended && due - time.nanos() <= 0) {
        channel.close(GOING_AWAY, "Nothing came.");
        closed(GOING_AWAY);
      } else if (!ended) {
        alarm = time.alarm(due, this::look);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void message(String text) {
    StreamMessage message = text.length() > LONGEST_MESSAGE ? null : StreamMessage.parse(text);
    lock.lock();
    try {
      last = time.nanos();
      boolean taken = message != null && !ended && take(message);
      if (!taken) {
        dropped.increment();
        refuseFlood();
      }
    } finally {
      lock.unlock();
    }
  }

  private void refuseFlood() {
    if (open == null && !ended && ++early > MOST_BEFORE_START) {
      refuse("Too many messages before the start.");
    }
  }

  /// Whether that message was expected.
  private boolean take(StreamMessage message) {
    return switch (message) {
      case StreamMessage.Connected ignored -> open == null;
      case StreamMessage.Start start -> open == null && start(start);
      case StreamMessage.Media(String stream, byte[] audio, long at) ->
          isOpen(stream) && postAudio(audio, at);
      case StreamMessage.Key(String stream, char key) ->
          isOpen(stream) && post(new CarrierEvent.Pressed(key));
      case StreamMessage.Mark(String stream, String name) ->
          isOpen(stream) && name.length() <= LONGEST_MARK && post(new CarrierEvent.Played(name));
      case StreamMessage.Stop(String stream) -> isOpen(stream) && stop();
    };
  }

  private boolean isOpen(String stream) {
    return open != null && open.start.stream().equals(stream);
  }

  private boolean start(StreamMessage.Start start) {
    if (!STREAM.matcher(start.stream()).matches() || !start.telephone()) {
      refuse("The stream is not what was asked for.");
    } else if (!tokens.take(start.call(), start.token())) {
      LOG.log(System.Logger.Level.WARNING, "a media socket without a valid token was closed");
      refuse("The token is not valid.");
    } else {
      open = new Open(start, new MediaLine(channel, start.stream()));
      post(new CarrierEvent.Connected(open.line));
    }
    return true;
  }

  private void refuse(String reason) {
    ended = true;
    alarm.cancel();
    channel.close(REFUSED, reason);
  }

  private boolean postAudio(byte[] audio, long at) {
    long begin = at < 0 ? next : at;
    next = begin + audio.length / MuLaw.SAMPLES_PER_MS;
    return audio.length > 0 && post(new CarrierEvent.Heard(audio, begin));
  }

  private boolean post(CarrierEvent event) {
    if (open != null) {
      calls.post(open.start.call(), event);
    }
    return true;
  }

  private boolean stop() {
    if (open != null) {
      open.line.close(NORMAL, "");
    }
    closed(NORMAL);
    return true;
  }

  @Override
  public void closed(int code) {
    lock.lock();
    try {
      alarm.cancel();
      if (open != null && !ended) {
        open.line.end();
        tokens.free(open.start.call(), open.start.token());
        post(new CarrierEvent.Disconnected());
      }
      ended = true;
    } finally {
      lock.unlock();
    }
  }
}
