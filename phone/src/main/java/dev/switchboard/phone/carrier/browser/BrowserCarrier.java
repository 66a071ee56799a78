package dev.switchboard.phone.carrier.browser;

import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Permission;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.CarrierEvent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Calls from the browser: a page, such as the server's console, opens a socket for each, over
/// which it sends what the caller types and shows what the agent says. The server authenticates the
/// client, to which the call belongs; a client has one call at a time.
public final class BrowserCarrier implements Carrier {
  /// The path of the socket.
  public static final String PATH = "/phone/browser/relay";

  private static final Answer NO_NUMBERS =
      new Answer("A call from the browser cannot be transferred to a number.");

  private final Map<String, BrowserSocket> sockets = new ConcurrentHashMap<>(); // by call
  private final AtomicReference<@Nullable Switch> calls = new AtomicReference<>();

  private BrowserCarrier() {}

  /// Calls from the browser, all of a server.
  public static BrowserCarrier of() {
    return new BrowserCarrier();
  }

  @Override
  public String name() {
    return "browser";
  }

  @Override
  public boolean isTelephone() {
    return false;
  }

  /// @throws IllegalStateException when there are routes already
  @Override
  public List<Mount> routes(String publicUrl, Switch exchange) {
    if (!calls.compareAndSet(null, exchange)) {
      throw new IllegalStateException("there are routes for calls from the browser already");
    }
    return List.of(
        new Mount.Socket(
            PATH, Mount.Check.server(Permission.TALK), new BrowserAcceptor(sockets, exchange)));
  }

  @Override
  public String voiceUrl(String publicUrl) {
    return PATH;
  }

  @Override
  public Answer transfer(String call, String number, String from) {
    return NO_NUMBERS;
  }

  @Override
  public Answer hangUp(String call) {
    return give(call, socket -> {});
  }

  @Override
  public Answer sayAndHangUp(String call, String words) {
    return give(call, socket -> socket.say(words));
  }

  /// The call ends with its socket; one without a socket has ended.
  private Answer give(String call, Consumer<BrowserSocket> before) {
    BrowserSocket socket = sockets.get(call);
    Switch exchange = calls.get();
    if (socket != null && exchange != null) {
      before.accept(socket);
      exchange.post(call, new CarrierEvent.Status("completed"));
    }
    return Answer.TAKEN;
  }
}
