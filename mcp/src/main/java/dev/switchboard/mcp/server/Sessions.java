package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.mount.Bound;
import dev.switchboard.mount.FullException;
import dev.switchboard.mount.Places;
import dev.switchboard.mount.Principal;
import dev.switchboard.text.DerivedId;
import dev.switchboard.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The open sessions of clients: those that began with `initialize`, and one for the calls of each
/// principal outside them. Thread-safe.
final class Sessions implements AutoCloseable {
  private static final Duration IDLE = Duration.ofMinutes(30);
  // When a new session of its principal may replace it.
  private static final Duration UNUSED = Duration.ofMinutes(1);
  private static final int ID_BYTES = 16;

  private final Agent agent;
  private final Time time;
  private final SecureRandom random = new SecureRandom();
  private final Places places = new Places(Bound.MCP_SESSIONS);
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Held> held = new LinkedHashMap<>(); // guarded by lock

  /// A client's session that began with `initialize`.
  ///
  /// @param owner its principal; no other may use it
  record Open(
      String id,
      String owner,
      ClientSession session,
      String version,
      JsonNode capabilities,
      Questions questions) {}

  /// A session and its place.
  ///
  /// @param open null if it is for calls outside sessions
  private record Held(
      Principal by, ClientSession session, @Nullable Open open, Places.Place place) {
    String owner() {
      return by.name();
    }

    void close() {
      try {
        session.close();
      } finally {
        place.close();
      }
    }
  }

  Sessions(Agent agent, Time time) {
    this.agent = agent;
    this.time = time;
  }

  /// Opens a session.
  ///
  /// @throws FullException when the principal, or all of them, have too many
  Open open(Principal owner, String version, JsonNode capabilities) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = HexFormat.of().formatHex(bytes);
    lock.lock();
    try {
      Places.Place place = place(owner.name());
      ClientSession session = session("mcp-" + id, owner);
      Open opened = new Open(id, owner.name(), session, version, capabilities, new Questions());
      held.put(id, new Held(owner, session, opened, place));
      return opened;
    } finally {
      lock.unlock();
    }
  }

  private ClientSession session(String conversation, Principal owner) {
    ClientSession session = new ClientSession(agent, conversation, options(owner), this::end);
    session.used(time.nanos());
    return session;
  }

  private static ConversationOptions options(Principal owner) {
    // For listeners: who the client is.
    return ConversationOptions.NONE
        .withPrincipal(owner.name())
        .withActor(owner.actor())
        .withAttribute("principal", owner.by())
        .withLog(event -> {})
        .withDerivedId();
  }

  /// A place for one more session, after idle ones have ended: those that no one used for long,
  /// and, if need be, the least recently used of that principal.
  private Places.Place place(String owner) {
    long now = time.nanos();
    List<Map.Entry<String, Held>> oldest =
        held.entrySet().stream()
            .filter(one -> !one.getValue().session.isBusy())
            .sorted(Comparator.comparingLong(one -> one.getValue().session.usedAt() - now))
            .toList();
    for (Map.Entry<String, Held> one : oldest) {
      Held session = one.getValue();
      long unused = now - session.session.usedAt();
      boolean replaced =
          unused >= UNUSED.toNanos() && session.owner().equals(owner) && places.isFull(owner);
      if (replaced || unused > IDLE.toNanos()) {
        held.remove(one.getKey());
        session.close();
      }
    }
    return places.acquire(owner);
  }

  /// The session of that id, null if that owner has none.
  @Nullable Open find(String id, String owner) {
    lock.lock();
    try {
      Held found = held.get(id);
      if (found == null || found.open == null || !found.owner().equals(owner)) {
        return null;
      }
      found.session.used(time.nanos());
      return found.open;
    } finally {
      lock.unlock();
    }
  }

  /// Ends a session.
  void end(Open ended) {
    Held session;
    lock.lock();
    try {
      session = held.remove(ended.id);
    } finally {
      lock.unlock();
    }
    if (session != null) {
      session.close();
    }
  }

  /// Ends a session whose conversation is to be deleted.
  private void end(ClientSession deleted) {
    Held session = null;
    lock.lock();
    try {
      for (Map.Entry<String, Held> one : Map.copyOf(held).entrySet()) {
        if (one.getValue().session.equals(deleted)) {
          session = held.remove(one.getKey());
        }
      }
    } finally {
      lock.unlock();
    }
    if (session != null) {
      session.close();
    }
  }

  /// The session for calls of that principal outside any session.
  ///
  /// @throws FullException when the principal, or all of them, have too many
  ClientSession of(Principal principal) {
    String id = DerivedId.of("mcp", agent.name(), principal.name(), "");
    lock.lock();
    try {
      Held session = held.get(id);
      if (session == null) {
        Places.Place place = place(principal.name());
        session = new Held(principal, session(id, principal), null, place);
        held.put(id, session);
      } else if (!session.by.by().equals(principal.by()) && !session.session.isBusy()) {
        // An operator acts for the principal, or no longer does.
        session.session.leave();
        session = new Held(principal, session(id, principal), null, session.place);
        held.put(id, session);
      }
      session.session.used(time.nanos());
      return session.session;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      held.values().forEach(Held::close);
      held.clear();
    } finally {
      lock.unlock();
    }
  }
}
