package dev.switchboard.mcp.server;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.mount.Mount.Principal;
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

/// The open sessions of clients. Thread-safe.
final class Sessions implements AutoCloseable {
  private static final int MOST = 1_000;
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final int ID_BYTES = 16;

  private final Agent agent;
  private final Time time;
  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Open> open = new LinkedHashMap<>(); // guarded by lock
  private final Map<String, ClientSession> ofPrincipals = new LinkedHashMap<>(); // guarded by lock

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

  Sessions(Agent agent, Time time) {
    this.agent = agent;
    this.time = time;
  }

  /// Opens a session.
  Open open(String owner, String version, JsonNode capabilities) {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = HexFormat.of().formatHex(bytes);
    ClientSession session = new ClientSession(agent, "mcp-" + id, options(owner));
    Open made = new Open(id, owner, session, version, capabilities, new Questions());
    lock.lock();
    try {
      session.used(time.nanos());
      open.put(id, made);
      leaveIdle();
    } finally {
      lock.unlock();
    }
    return made;
  }

  private static ConversationOptions options(String owner) {
    return ConversationOptions.NONE.withAttribute("principal", owner);
  }

  /// Closes sessions that were idle for long, and the least recently used ones beyond the limit.
  private void leaveIdle() {
    List<Open> oldest =
        open.values().stream()
            .sorted(Comparator.comparingLong(one -> one.session.usedAt() - time.nanos()))
            .toList();
    for (Open one : oldest) {
      boolean idle = time.nanos() - one.session.usedAt() > IDLE.toNanos();
      if (idle || open.size() > MOST) {
        open.remove(one.id);
        one.session.close();
      }
    }
  }

  /// The session of that id, null if that owner has none.
  @Nullable Open find(String id, String owner) {
    lock.lock();
    try {
      Open found = open.get(id);
      if (found == null || !found.owner.equals(owner)) {
        return null;
      }
      found.session.used(time.nanos());
      return found;
    } finally {
      lock.unlock();
    }
  }

  /// Ends a session.
  void end(Open ended) {
    lock.lock();
    try {
      open.remove(ended.id);
    } finally {
      lock.unlock();
    }
    ended.session.close();
  }

  /// The session for calls of that principal outside any session.
  ClientSession of(Principal principal) {
    lock.lock();
    try {
      return ofPrincipals.computeIfAbsent(
          principal.name(),
          name ->
              new ClientSession(
                  agent, "mcp-" + name.replaceAll("[^A-Za-z0-9_.-]", "_"), options(name)));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      open.values().forEach(one -> one.session.close());
      ofPrincipals.values().forEach(ClientSession::close);
      open.clear();
      ofPrincipals.clear();
    } finally {
      lock.unlock();
    }
  }
}
