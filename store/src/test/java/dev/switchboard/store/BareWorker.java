package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.switchboard.execution.ConversationStore.Writing;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/// The same rows in as many transactions, by threads with connections of their own that hear of
/// them, as one would write it by hand: the input is inserted and announced, claimed by another
/// thread, which reads it, writes what the turn writes, and announces its end in the last
/// transaction.
final class BareWorker implements AutoCloseable {
  private static final int AT_ONCE = 32;

  private final HikariDataSource ofClients;
  private final HikariDataSource ofWorker;
  private final List<Writing> writings;
  private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();
  private final Semaphore told = new Semaphore(0);
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  BareWorker(EmbeddedPostgres server, List<Writing> writings) throws SQLException {
    this.writings = writings;
    ofClients = BareTurns.connections(server);
    ofWorker = BareTurns.connections(server);
    listen(
        ofClients,
        "bare_done",
        id -> {
          CompletableFuture<Void> done = awaited.remove(id);
          if (done != null) {
            boolean unused = done.complete(null);
          }
        });
    listen(ofWorker, "bare_due", id -> told.release());
    threads.add(Thread.ofPlatform().daemon().start(this::takeUp));
  }

  private void listen(HikariDataSource connections, String channel, Consumer<String> heard)
      throws SQLException {
    Connection connection = connections.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + channel);
    }
    connection.commit();
    threads.add(
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try (connection) {
                PGConnection driver = connection.unwrap(PGConnection.class);
                while (!closed) {
                  PGNotification[] all = driver.getNotifications(500);
                  for (int i = 0; all != null && i < all.length; i++) {
                    heard.accept(all[i].getParameter());
                  }
                }
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            }));
  }

  void turn(int number) {
    String id = "h" + number;
    CompletableFuture<Void> done = new CompletableFuture<>();
    awaited.put(id, done);
    try {
      BareTurns.in(
          ofClients,
          connection -> {
            BareTurns.say(connection, id);
            tell(connection, "bare_due", id);
          });
      done.get(5, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new AssertionError(id, e);
    }
  }

  private static void tell(Connection connection, String channel, String id) throws SQLException {
    BareTurns.query(connection, "SELECT pg_notify('" + channel + "', ?)::text", id);
  }

  private void takeUp() {
    try {
      while (!closed) {
        if (told.tryAcquire(500, TimeUnit.MILLISECONDS)) {
          told.drainPermits();
          while (claim() == AT_ONCE) {
            // There may be more.
          }
        }
      }
    } catch (SQLException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private int claim() throws SQLException {
    List<String> ids = new ArrayList<>();
    BareTurns.in(
        ofWorker,
        connection -> {
          try (PreparedStatement statement =
                  connection.prepareStatement(
                      "SELECT id, state FROM bare_conversation WHERE agent = 'load' AND due <= 1"
                          + " ORDER BY due LIMIT 32 FOR UPDATE SKIP LOCKED");
              ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              ids.add(rows.getString(1));
            }
          }
          for (String id : ids) {
            BareTurns.state(connection, id, "x".repeat(300), ", due = NULL");
          }
        });
    for (String id : ids) {
      Thread unused = Thread.ofVirtual().start(() -> work(id));
    }
    return ids.size();
  }

  private void work(String id) {
    int[] row = {0};
    try {
      BareTurns.in(
          ofWorker,
          connection ->
              BareTurns.query(
                  connection,
                  "SELECT entry FROM bare_input WHERE agent = 'load' AND conversation = ?",
                  id));
      for (int i = 0; i < writings.size(); i++) {
        Writing writing = writings.get(i);
        boolean isLast = i == writings.size() - 1;
        BareTurns.in(
            ofWorker,
            connection -> {
              BareTurns.writeShared(connection, id, writing, row);
              if (isLast) {
                tell(connection, "bare_done", id);
              }
            });
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ofClients.close();
    ofWorker.close();
    assertThat(awaited).isEmpty();
  }
}
