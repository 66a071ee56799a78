package dev.switchboard.phone.carrier.browser;

import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Principal;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.Carrier.Admission;
import dev.switchboard.phone.carrier.Carrier.Arrival;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Accepts the sockets of calls from the browser.
final class BrowserAcceptor implements Mount.Acceptor {
  private static final String AGENT = "agent=";
  private static final int LONGEST_LABEL = 100;
  // The prompt may contain the label, so it must not contain sentences.
  private static final Pattern UNFIT = Pattern.compile("[^A-Za-z0-9_.@/-]");

  private final Map<String, BrowserSocket> sockets;
  private final Carrier.Switch calls;
  private final Set<String> callers = ConcurrentHashMap.newKeySet(); // principals with a call

  /// @param sockets by the ids of their calls
  BrowserAcceptor(Map<String, BrowserSocket> sockets, Carrier.Switch calls) {
    this.sockets = sockets;
    this.calls = calls;
  }

  @Override
  public Mount.@Nullable Refusal refusal(Mount.Request request) {
    return agent(request) == null
        ? new Mount.Refusal(400, "The query needs the name of an agent, ?agent=NAME.")
        : null;
  }

  @Override
  public Mount.Listener open(Mount.Request request, Mount.Channel channel) {
    Principal principal = request.principal();
    String agent = agent(request);
    if (principal == null || agent == null) {
      throw new IllegalStateException("the server authenticates calls from the browser");
    }
    String caller = principal.name();
    String id = "browser_" + UUID.randomUUID();
    BrowserSocket socket = new BrowserSocket(id, channel, calls, () -> forget(id, caller));
    if (!callers.add(caller)) {
      socket.refuse("busy", "You have another call; hang up there first.");
      return socket;
    }
    sockets.put(id, socket);
    Arrival arrival = new Arrival(id, label(caller), agent, "inbound", Map.of(), caller);
    switch (calls.arrived(arrival)) {
      case Admission.Taken taken -> socket.connect();
      case Admission.UnknownNumber unknown -> {
        forget(id, caller);
        socket.refuse("unknown_agent", "No agent of that name answers calls from the browser.");
      }
      case Admission.Busy(String words) -> {
        forget(id, caller);
        socket.refuse("busy", words.isEmpty() ? "The line is busy." : words);
      }
    }
    return socket;
  }

  private void forget(String id, String caller) {
    sockets.remove(id);
    callers.remove(caller);
  }

  private static String label(String name) {
    String plain = UNFIT.matcher(name).replaceAll("_");
    return "browser:" + plain.substring(0, Math.min(plain.length(), LONGEST_LABEL));
  }

  private static @Nullable String agent(Mount.Request request) {
    int query = request.target().indexOf('?');
    for (String part : request.target().substring(query + 1).split("&", -1)) {
      if (query >= 0 && part.startsWith(AGENT)) {
        return decoded(part.substring(AGENT.length()));
      }
    }
    return null;
  }

  private static @Nullable String decoded(String name) {
    try {
      return URLDecoder.decode(name, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
