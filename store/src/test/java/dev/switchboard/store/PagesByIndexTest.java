package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.contract.ConversationWritesContract;
import dev.switchboard.contract.PagesContract;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.state.Selection.Activity;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page reads as many rows as it has, however many the store has.
class PagesByIndexTest {
  private static final int ALL = 300;
  private static final int PAGE = 7;

  @TempDir private Path folder;
  private final List<String> queries = new ArrayList<>();
  private final List<@Nullable Object[]> values = new ArrayList<>();
  private int rows;
  private Database database;
  private ConversationStore store;

  @BeforeEach
  void open() {
    database = Database.open(folder.resolve("store.db"));
    store = new SqlStore(counting(database), "agent", true, () -> {});
    for (int i = 0; i < ALL; i++) {
      assertThat(store.directory().create("c" + i, Header.of(i % 10 == 0 ? "zoe" : "yan")))
          .isTrue();
      PagesContract.ask(store, "c" + i, ConversationWritesContract.NOON.plusSeconds(i % 50));
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  /// The database, which counts the rows that are read.
  private Sql counting(Sql sql) {
    return (Sql)
        Proxy.newProxyInstance(
            Sql.class.getClassLoader(),
            new Class<?>[] {Sql.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("query")) {
                queries.add((String) arguments[0]);
                values.add((Object[]) arguments[2]);
                Fields.Reader<?> reader = (Fields.Reader<?>) arguments[1];
                arguments[1] =
                    (Fields.Reader<Object>)
                        row -> {
                          rows++;
                          return reader.read(row);
                        };
              }
              try {
                return method.invoke(sql, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aPageOfOpenRequestsIsReadByIndex() {
    Position before = Position.after(ConversationWritesContract.NOON.plusSeconds(9));
    for (String principal : Arrays.asList(null, "zoe", "yan")) {
      for (Position from : Arrays.asList(null, before)) {
        assertThat(
                read(() -> store.directory().waiting(new Selection(principal, from, PAGE)).size()))
            .isEqualTo(PAGE);
      }
    }
  }

  @Test
  void aPageOfConversationsIsReadByIndex() {
    Position before = store.directory().conversation("c200").position();
    for (String principal : Arrays.asList(null, "zoe", "yan")) {
      for (Position from : Arrays.asList(null, before)) {
        assertThat(
                read(() ->
                    store.directory().conversations(new Selection(principal, from, PAGE)).size()))
            .isEqualTo(PAGE);
      }
    }
  }

  @Test
  void aPageOfWaitingConversationsIsReadByIndex() {
    Position before = store.directory().conversation("c200").position();
    for (Position from : Arrays.asList(null, before)) {
      Selection waiting = new Selection(null, Activity.WAITING, from, PAGE);
      assertThat(read(() -> store.directory().conversations(waiting).size())).isEqualTo(2 * PAGE);
    }
  }

  private interface Reading {
    int page();
  }

  /// The number of rows that a page reads, in the order of an index.
  private int read(Reading reading) {
    queries.clear();
    values.clear();
    rows = 0;
    assertThat(reading.page()).isEqualTo(PAGE);
    int read = rows;
    List<String> plan = new ArrayList<>();
    for (int i = 0; i < queries.size(); i++) {
      plan.addAll(
          database.query(
              "EXPLAIN QUERY PLAN " + queries.get(i), row -> row.text(4), values.get(i)));
    }
    assertThat(plan).noneMatch(step -> step.startsWith("SCAN") || step.contains("TEMP B-TREE"));
    return read;
  }
}
