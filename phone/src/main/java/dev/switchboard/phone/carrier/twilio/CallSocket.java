package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.mount.Mount;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.Line;
import dev.switchboard.phone.carrier.relay.SocketQueue;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A socket of the carrier. It belongs to no call until a message shows the token of one.
final class CallSocket implements Mount.Listener {
  private static final System.Logger LOG = System.getLogger(Twilio.class.getName());
  private static final int LONGEST_MESSAGE = 64 * 1024;
  private static final int MOST_BEFORE_START = 100;
  private static final Duration UNTIL_START = Duration.ofSeconds(10);
  private static final int NORMAL = 1000;
  private static final int GOING_AWAY = 1001;
  private static final int REFUSED = 1008;

  private final Mount.Channel channel;
  private final Account account;
  private final Protocol protocol;
  private final SocketQueue queue;

  // The end may arrive during a message.
  private final ReentrantLock lock = new ReentrantLock();
  private Time.Alarm alarm; // guarded by lock
  private long last; // when something arrived; guarded by lock
  private @Nullable Owner owner; // guarded by lock
  private boolean ended; // guarded by lock
  private int early; // messages before the start; guarded by lock

  /// The messages of one kind of socket.
  interface Protocol {
    /// Whether that message was expected; called for one at a time.
    boolean take(String text, CallSocket socket);

    /// How long the carrier may send nothing; null if it sends only what happens, and the server's
    /// pings show that it is connected.
    @Nullable Duration longestSilence();
  }

  /// What all sockets of an account share.
  ///
  /// @param dropped counts the messages that were not expected
  record Account(MediaTokens tokens, Carrier.Switch calls, Time time, LongAdder dropped) {}

  /// The call of the socket.
  private record Owner(String call, String token) {}

  CallSocket(Mount.Channel channel, Account account, Protocol protocol) {
    this.channel = channel;
    this.account = account;
    this.protocol = protocol;
    queue = new SocketQueue(channel);
    last = account.time.nanos();
    alarm = account.time.alarm(last + UNTIL_START.toNanos(), this::look);
  }

  /// Checks whether the socket has started, and from then on whether the carrier is silent for too
  /// long.
  private void look() {
    lock.lock();
    try {
      Duration silent = protocol.longestSilence();
      if (owner == null && !ended) {
        refuse("No start came.");
      } else if (!ended && silent != null) {
        look(last + silent.toNanos());
      }
    } finally {
      lock.unlock();
    }
  }

  private void look(long due) {
    if (due - account.time.nanos() <= 0) {
      channel.close(GOING_AWAY, "Nothing came.");
      closed(GOING_AWAY);
    } else {
      alarm = account.time.alarm(due, this::look);
    }
  }

  @Override
  public void message(String text) {
    lock.lock();
    try {
      last = account.time.nanos();
      boolean taken = !ended && text.length() <= LONGEST_MESSAGE && protocol.take(text, this);
      if (!taken) {
        account.dropped.increment();
        refuseFlood();
      }
    } finally {
      lock.unlock();
    }
  }

  private void refuseFlood() {
    if (owner == null && !ended && ++early > MOST_BEFORE_START) {
      refuse("Too many messages before the start.");
    }
  }

  /// Whether it belongs to a call.
  boolean isOpen() {
    return owner != null;
  }

  /// The messages to the other side.
  SocketQueue queue() {
    return queue;
  }

  /// Assigns the socket to a call if the token is the call's and it has no other socket; otherwise
  /// closes it.
  void start(String call, String token, Line line) {
    if (account.tokens.take(call, token)) {
      owner = new Owner(call, token);
      post(new CarrierEvent.Connected(line));
    } else {
      LOG.log(System.Logger.Level.WARNING, "a socket without a valid token was closed");
      refuse("The token is not valid.");
    }
  }

  /// Closes a socket that belongs to no call.
  void refuse(String reason) {
    ended = true;
    alarm.cancel();
    channel.close(REFUSED, reason);
  }

  /// Posts an event of the call; always true.
  boolean post(CarrierEvent event) {
    if (owner != null) {
      account.calls.post(owner.call, event);
    }
    return true;
  }

  /// Ends the socket, since the carrier sends nothing more.
  void stop() {
    queue.close(NORMAL, "");
    closed(NORMAL);
  }

  @Override
  public void closed(int code) {
    lock.lock();
    try {
      alarm.cancel();
      if (owner != null && !ended) {
        queue.end();
        account.tokens.free(owner.call, owner.token);
        post(new CarrierEvent.Disconnected());
      }
      ended = true;
    } finally {
      lock.unlock();
    }
  }
}
