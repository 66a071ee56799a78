package dev.switchboard.store;

import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Announcement.Topic;
import dev.switchboard.execution.ConversationQueue.Listening;
import dev.switchboard.execution.StoreException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// Announcements between processes that share a PostgreSQL database, by NOTIFY and LISTEN. They are
/// sent after the writes that they report, since a commit with a NOTIFY waits for all others with
/// one, and without waiting for the disk: receivers also poll, in case one is lost. The first is
/// sent in the same round trip as its write; those that follow meanwhile are sent in groups.
///
/// Thread-safe.
final class PostgresAnnouncements extends Announcements implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PostgresAnnouncements.class.getName());
  private static final String CHANNEL = "'switchboard_' || hashtext(current_schema())";
  private static final int LONGEST = 7_000; // characters of one, of which the server takes 8,000
  private static final int MOST_WAITING = 10_000;
  private static final int LISTEN_MILLIS = 5_000;
  private static final long LISTEN_NANOS = Duration.ofMillis(LISTEN_MILLIS).toNanos();
  private static final int ANSWER_MILLIS = 5_000;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  // The delay after which other processes are notified of events, with all else that waits then.
  private static final long GATHERING_NANOS = Duration.ofMillis(5).toNanos();

  private final Sql sql;
  private final Callable<Connection> connections;
  private final DatabaseTime clock;
  private final String own = UUID.randomUUID().toString();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition urgent = lock.newCondition();
  private Set<AgentAnnouncement> waiting = new LinkedHashSet<>(); // guarded by lock
  private boolean isUrgent; // whether something of what waits is; guarded by lock
  private boolean sending; // guarded by lock
  private boolean sentWithWrite; // whether one goes in the trip of its write; guarded by lock
  private @Nullable Thread listening; // guarded by lock
  private volatile boolean closed;

  /// @param connections opens one for the listening thread
  /// @param clock is corrected from time to time
  PostgresAnnouncements(Sql sql, Callable<Connection> connections, DatabaseTime clock) {
    this.sql = sql;
    this.connections = connections;
    this.clock = clock;
  }

  @Override
  void announce(AgentAnnouncement announcement) {
    notifyListeners(announcement);
    lock.lock();
    try {
      if (closed || waiting.size() >= MOST_WAITING || !waiting.add(announcement)) {
        return;
      }
      if (!canWait(announcement)) {
        isUrgent = true;
        urgent.signal();
      }
      if (sending) {
        return;
      }
      sending = true;
      Thread unused = Thread.ofVirtual().name("announce").start(this::send);
    } finally {
      lock.unlock();
    }
  }

  /// The message to send in the same round trip as the reported write, up to the call of [#end];
  /// null if another one is being sent.
  @Nullable String begin(List<AgentAnnouncement> announced) {
    if (announced.stream().allMatch(PostgresAnnouncements::canWait)) {
      return null;
    }
    lock.lock();
    try {
      List<String> texts = sentWithWrite || closed ? List.of() : texts(announced);
      sentWithWrite |= texts.size() == 1;
      return texts.size() == 1 ? texts.getFirst() : null;
    } finally {
      lock.unlock();
    }
  }

  /// Reports that a write has ended, and what to announce.
  ///
  /// @param message that was sent with it, null for none
  void end(@Nullable String message, List<AgentAnnouncement> announced) {
    if (message == null) {
      announced.forEach(this::announce);
      return;
    }
    announced.forEach(this::notifyListeners);
    lock.lock();
    try {
      sentWithWrite = false;
      announced.forEach(waiting::remove);
    } finally {
      lock.unlock();
    }
  }

  /// A query that sends the message that is its value.
  String notification() {
    return "SELECT " + sql.syntax().unsynced() + ", pg_notify(" + CHANNEL + ", ?)::text";
  }

  private static boolean canWait(AgentAnnouncement announcement) {
    return announcement.what().topic() == Topic.EVENTS;
  }

  private void send() {
    for (Set<AgentAnnouncement> group = next(); !group.isEmpty(); group = next()) {
      try {
        for (String text : texts(group)) {
          List<Boolean> unused = sql.query(notification(), row -> true, text);
        }
      } catch (StoreException e) {
        // The readers also look from time to time.
        LOG.log(Level.DEBUG, "other processes were not notified", e);
      }
    }
  }

  /// What to send next; nothing if nothing arrived for a while.
  private Set<AgentAnnouncement> next() {
    lock.lock();
    try {
      gather();
      Set<AgentAnnouncement> group = waiting;
      waiting = new LinkedHashSet<>();
      sending = !group.isEmpty();
      isUrgent = false;
      return group;
    } finally {
      lock.unlock();
    }
  }

  private void gather() {
    try {
      for (long left = GATHERING_NANOS; left > 0 && !isUrgent && !closed; ) {
        left = urgent.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // No one interrupts it; what there is goes at once.
    }
  }

  /// As few messages as possible; one about a conversation with a longer name is not sent.
  private List<String> texts(Collection<AgentAnnouncement> group) {
    List<String> texts = new ArrayList<>();
    ArrayNode all = message();
    int length = 0;
    for (AgentAnnouncement announcement : group) {
      Announcement what = announcement.what();
      ArrayNode entry = message().removeAll();
      entry.add(announcement.agent()).add(what.topic().name()).add(what.conversation());
      int more = Json.of(entry).text().getBytes(StandardCharsets.UTF_8).length + 1;
      if (length > 0 && length + more > LONGEST) {
        texts.add(Json.of(all).text());
        all = message();
        length = 0;
      }
      if (more <= LONGEST) {
        all.add(entry);
        length += more;
      }
    }
    texts.add(Json.of(all).text());
    return texts;
  }

  private ArrayNode message() {
    return Codec.object().putArray("").add(own);
  }

  @Override
  Listening listen(Consumer<AgentAnnouncement> listener) {
    Listening listening = super.listen(listener);
    lock.lock();
    try {
      if (this.listening == null && !closed) {
        // Reading from the driver would hold the carrier of a virtual one.
        this.listening =
            Thread.ofPlatform().daemon().name("switchboard-listen").start(this::listenAlways);
      }
    } finally {
      lock.unlock();
    }
    return listening;
  }

  private void listenAlways() {
    while (!closed) {
      try (Connection connection = connections.call()) {
        listenOn(connection);
      } catch (Exception e) {
        if (!closed) {
          LOG.log(Level.DEBUG, "notifications of other processes are not received", e);
          Time.SYSTEM.await(new Time.Signal(), Time.SYSTEM.nanos() + PAUSE.toNanos());
        }
      }
    }
  }

  private void listenOn(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
    SqlSession session = new SqlSession(connection, Texts.WITHOUT_ZERO, 0, "", LastWrites.none());
    String channel = session.query("SELECT " + CHANNEL, row -> row.text(1)).getFirst();
    boolean unused = session.change("LISTEN \"" + channel + "\"");
    PGConnection driver = connection.unwrap(PGConnection.class);
    long next = System.nanoTime();
    while (!closed) {
      if (System.nanoTime() - next >= 0) {
        setClock(session);
        next = System.nanoTime() + LISTEN_NANOS;
      }
      PGNotification[] notifications = driver.getNotifications(LISTEN_MILLIS);
      while (notifications != null && notifications.length > 0) {
        for (PGNotification notification : notifications) {
          take(notification.getParameter());
        }
        notifications = driver.getNotifications();
      }
    }
  }

  /// Also checks whether the server still answers.
  private void setClock(SqlSession session) throws SQLException {
    Instant asked = clock.asked();
    long millis = session.query("SELECT " + sql.syntax().now(), row -> row.number(1)).getFirst();
    clock.set(asked, millis);
  }

  /// Reads a message, which any user of the database may have sent.
  private void take(String text) {
    try {
      JsonNode all = Json.text(text).tree();
      if (!all.isArray() || all.path(0).asString("").equals(own)) {
        return;
      }
      for (int i = 1; i < all.size(); i++) {
        JsonNode entry = all.get(i);
        Topic topic = topic(entry.path(1).asString(""));
        if (topic != null) {
          Announcement what = new Announcement(topic, entry.path(2).asString(""));
          notifyListeners(new AgentAnnouncement(entry.path(0).asString(""), what));
        }
      }
    } catch (JsonException e) {
      LOG.log(Level.DEBUG, "a notification cannot be read", e);
    }
  }

  private static @Nullable Topic topic(String name) {
    for (Topic topic : Topic.values()) {
      if (topic.name().equals(name)) {
        return topic;
      }
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
    lock.lock();
    try {
      if (listening != null) {
        listening.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
