package dev.switchboard.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.harness.Load;
import dev.switchboard.store.WorkersLoadTest.Figures;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations of one process in a database, beside bare JDBC that makes as many transactions
/// with the same rows, in the threads of its clients.
@Tag("load")
@SuppressWarnings("try") // what makes the tables is there to be closed
class HostsLoadTest {
  /// Where the bare one works.
  private interface Transactions {
    void in(BareTurns.Work work) throws SQLException;
  }

  /// What a turn writes, written bare.
  private record Bare(List<Writing> writings, Transactions transactions) {
    void turn(int number) {
      String id = "b" + number;
      int[] row = {0};
      try {
        transactions.in(connection -> begin(connection, id, writings.getFirst(), row));
        for (Writing writing : writings.subList(1, writings.size())) {
          transactions.in(connection -> BareTurns.write(connection, id, writing, row));
        }
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    private static void begin(Connection connection, String id, Writing first, int[] row)
        throws SQLException {
      BareTurns.run(
          connection,
          "INSERT INTO bare_conversation (agent, id, version, state, fence) VALUES ('load', ?, 1,"
              + " ?, 1)",
          id,
          StoredForm.CONVERSATION.write(Objects.requireNonNull(first.state()).next()));
      Writing rest = new Writing(null, first.lines(), first.calls(), first.events());
      BareTurns.write(connection, id, rest, row);
    }
  }

  private static void talk(Agent agent, int number) {
    ConversationOptions logged = ConversationOptions.NONE.withLog(event -> {});
    try (Conversation conversation = agent.conversation("c" + number, logged)) {
      Turn unused = conversation.say("Where is my order A-4711?");
    }
  }

  private static List<Writing> writings(Storage storage) {
    List<Writing> writings = new CopyOnWriteArrayList<>();
    ConversationStore store =
        WorkersLoadTest.watched(
            storage.conversations("record"), (writing, nanos) -> writings.add(writing));
    try (Agent agent = WorkersLoadTest.agent(store).build()) {
      for (int i = 0; i < 300; i++) {
        writings.clear();
        talk(agent, i);
      }
    }
    return List.copyOf(writings);
  }

  private static void measure(String host, Storage storage, Bare bare) throws Exception {
    Load.tell("%s: %d transactions of a turn", host, bare.writings.size());
    ConcurrentLinkedQueue<Long> writes = new ConcurrentLinkedQueue<>();
    ConversationStore store =
        WorkersLoadTest.watched(
            storage.conversations("load"), (writing, nanos) -> writes.add(nanos));
    try (Agent agent = WorkersLoadTest.agent(store).build()) {
      // Until little is compiled any more.
      Figures unused = WorkersLoadTest.measure(64, Load.of(15_000), bare::turn);
      unused = WorkersLoadTest.measure(64, Load.of(15_000), number -> talk(agent, number));
      for (int clients : new int[] {1, 16, 64, 256}) {
        int turns = Load.of(clients == 1 ? 1_500 : 2_500);
        for (int i = 0; i < 3; i++) {
          Figures peer = WorkersLoadTest.measure(clients, turns, bare::turn);
          writes.clear();
          Figures ours = WorkersLoadTest.measure(clients, turns, number -> talk(agent, number));
          long[] each = writes.stream().mapToLong(Long::longValue).toArray();
          Load.tell(
              "%s, %3d clients: bare %s; conversations %s; share %.2f; a write %s",
              host, clients, peer, ours, ours.perSecond() / peer.perSecond(), Figures.of(each, 1));
        }
      }
    }
  }

  @Test
  void sqliteBesideBareJdbc(@TempDir Path folder) throws Exception {
    try (Storage storage = Storage.open("sqlite:load.db", folder);
        Connection connection =
            DriverManager.getConnection(
                "jdbc:sqlite:"
                    + folder.resolve("load.db")
                    + "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=5000")) {
      List<Writing> writings = writings(storage);
      for (String made : tables(connection)) {
        execute(connection, made);
      }
      connection.setAutoCommit(false);
      ReentrantLock lock = new ReentrantLock();
      measure(
          "SQLite",
          storage,
          new Bare(
              writings,
              work -> {
                lock.lock();
                try {
                  work.with(connection);
                  connection.commit();
                } finally {
                  lock.unlock();
                }
              }));
    }
  }

  /// What makes tables like those of the store.
  private static List<String> tables(Connection connection) throws SQLException {
    List<String> made = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN"
                    + " ('conversation', 'line', 'event') ORDER BY type DESC")) {
      while (rows.next()) {
        made.add(
            rows.getString(1)
                .replaceFirst("(TABLE|INDEX) \"?(\\w+)\"?", "$1 bare_$2")
                .replaceFirst(" ON \"?(\\w+)\"?", " ON bare_$1"));
      }
    }
    return made;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void postgresBesideBareJdbc() throws Exception {
    try (EmbeddedPostgres server =
            EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        Storage storage =
            Storage.open(
                "postgresql://postgres@localhost:%d/postgres".formatted(server.getPort()),
                Path.of(""));
        BareTurns made = new BareTurns(server, List.of());
        HikariDataSource connections = BareTurns.connections(server)) {
      measure(
          "PostgreSQL",
          storage,
          new Bare(writings(storage), work -> BareTurns.in(connections, work)));
    }
  }
}
