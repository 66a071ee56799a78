package dev.switchboard.phone.testing;

import dev.switchboard.mount.PublicUrl;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Executes a call's TwiML in the simulated carrier, one verb after the other, until the call has
/// ended.
final class CallFlow {
  private static final String IN_PROGRESS = "in-progress";
  private static final long CHARACTER_MILLIS = 60; // of words that the carrier speaks
  private static final long RING_MILLIS = 1_000;

  final List<String> statuses = new CopyOnWriteArrayList<>(List.of("ringing"));
  final List<String> spoken = new CopyOnWriteArrayList<>();
  final List<String> dialed = new CopyOnWriteArrayList<>();
  final List<CarrierSocket> sockets = new CopyOnWriteArrayList<>();

  private final TwilioSimulator twilio;
  private final SimulatedCall call;
  private final PublicUrl url;
  private final long begin = System.nanoTime();
  private final LinkedBlockingQueue<Order> orders = new LinkedBlockingQueue<>();
  private volatile boolean over; // accepts no orders
  private volatile boolean finished; // the callback of the end was sent

  /// An event while the carrier executes a verb.
  private sealed interface Order {
    /// Other TwiML was requested.
    record Do(List<TwimlVerb> verbs) implements Order {}

    /// The call ends.
    record End() implements Order {}

    /// A socket has ended.
    record Disconnected(CarrierSocket socket) implements Order {}
  }

  CallFlow(TwilioSimulator twilio, SimulatedCall call, PublicUrl url) {
    this.twilio = twilio;
    this.call = call;
    this.url = url;
  }

  void run() {
    String end = "failed";
    try {
      List<TwimlVerb> verbs = twilio.ask(call, url.http(TwilioSimulator.VOICE), Map.of());
      while (verbs != null) {
        verbs = doAll(verbs);
      }
      end = statuses.contains(IN_PROGRESS) ? "completed" : statuses.getLast();
    } catch (IllegalArgumentException e) {
      call.fault(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      finish(end);
    }
  }

  private void finish(String status) {
    over = true;
    sockets.forEach(CarrierSocket::stop);
    if (!statuses.getLast().equals(status)) {
      status(status);
    }
    long seconds = (System.nanoTime() - begin) / 1_000_000_000;
    twilio.postWebhook(
        call, url.http(TwilioSimulator.STATUS), Map.of("CallDuration", "" + seconds));
    finished = true;
    call.signal();
  }

  boolean isFinished() {
    return finished;
  }

  /// The verbs to execute after those, null for none.
  private @Nullable List<TwimlVerb> doAll(List<TwimlVerb> verbs) throws InterruptedException {
    for (TwimlVerb verb : verbs) {
      Order order = doOne(verb);
      if (order instanceof Order.Do other) {
        return other.verbs;
      }
      if (order instanceof Order.End) {
        return null;
      }
    }
    return null;
  }

  private @Nullable Order doOne(TwimlVerb verb) throws InterruptedException {
    return switch (verb) {
      case TwimlVerb.Reject(boolean busy) -> {
        status(busy ? "busy" : "no-answer");
        yield new Order.End();
      }
      case TwimlVerb.Hangup() -> new Order.End();
      case TwimlVerb.Say(String words) -> {
        answered();
        spoken.add(words);
        yield pause(words.length() * CHARACTER_MILLIS);
      }
      case TwimlVerb.Connect connect -> connect(connect);
      case TwimlVerb.Dial dial -> dial(dial);
    };
  }

  private void answered() {
    if (!statuses.contains(IN_PROGRESS)) {
      status(IN_PROGRESS);
    }
  }

  private void status(String status) {
    statuses.add(status);
    call.signal();
  }

  /// The event within that time of the carrier's clock, null for none.
  private @Nullable Order pause(long milliseconds) throws InterruptedException {
    long end = System.nanoTime() + (long) (milliseconds * 1e6 / twilio.speed());
    Order order = orders.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    while (order instanceof Order.Disconnected) {
      order = orders.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    return order;
  }

  private @Nullable Order connect(TwimlVerb.Connect connect) throws InterruptedException {
    answered();
    CarrierSocket socket = new CarrierSocket(call, protocol(connect));
    open(connect, socket);
    Order order = orders.take();
    while (order instanceof Order.Disconnected gone && gone.socket != socket) {
      order = orders.take();
    }
    if (order instanceof Order.Disconnected) {
      return ask(connect.action(), socket.protocol().report());
    }
    socket.stop();
    socket.awaitClosed();
    if (order instanceof Order.End && connect.relay() != null && connect.action() != null) {
      status("completed");
      twilio.postWebhook(call, connect.action(), socket.protocol().report());
    }
    return order;
  }

  private CarrierSocket.Protocol protocol(TwimlVerb.Connect connect) {
    RelaySettings relay = connect.relay();
    return relay == null
        ? new MediaStream(call, connect.parameters(), twilio.speed())
        : new RelaySession(call, connect.parameters(), relay, twilio.speed());
  }

  /// Opens a socket, unless its session fails before.
  private void open(TwimlVerb.Connect connect, CarrierSocket socket) {
    boolean fails =
        socket.protocol() instanceof RelaySession session
            && !session.canBegin(twilio.relayFailure());
    if (fails) {
      disconnected(socket);
    } else {
      twilio.open(connect.url(), socket);
    }
  }

  private @Nullable Order ask(@Nullable String action, Map<String, String> more) {
    return action == null ? null : new Order.Do(twilio.ask(call, action, more));
  }

  private @Nullable Order dial(TwimlVerb.Dial dial) throws InterruptedException {
    answered();
    dialed.add(dial.number());
    call.signal();
    Order order = pause(RING_MILLIS);
    return order == null
        ? ask(dial.action(), Map.of("DialCallStatus", twilio.end(dial.number())))
        : order;
  }

  /// Replaces the call's TwiML; false if it has ended.
  boolean update(List<TwimlVerb> verbs) {
    return !over && orders.add(new Order.Do(verbs));
  }

  /// Ends the call; false if it has ended before.
  boolean end() {
    return !over && orders.add(new Order.End());
  }

  void disconnected(CarrierSocket socket) {
    boolean unused = orders.add(new Order.Disconnected(socket));
  }
}
