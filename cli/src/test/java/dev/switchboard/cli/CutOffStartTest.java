package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.CutWay;
import dev.switchboard.store.Storage;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A database that drops its connections at any moment of a start, and is there again, ends no
/// process.
@Tag("slow")
class CutOffStartTest {
  private static final int AT_ONCE = 6;
  private static final int MOST = 200;
  private static EmbeddedPostgres database;

  @TempDir private Path folder;

  @BeforeAll
  static void startDatabase() throws IOException {
    database =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", "200")
            .start();
  }

  @AfterAll
  static void endDatabase() throws IOException {
    database.close();
  }

  private String agent(String name, int port, String command) throws IOException {
    return Files.writeString(
            folder.resolve(name + ".toml"),
            """
            [agent]
            name = "Desk"
            model = "ollama:none"
            tools = ["send_message", "recall", "block"]
            [agent.memory.notes]
            content = "None."
            [storage]
            url = "postgresql://postgres:secret@127.0.0.1:%d/postgres?currentSchema=%s"
            """
                    .formatted(port, name)
                + (command.equals("sole") ? "" : "[cluster]\nworkers = true\n"))
        .toString();
  }

  private static void place(String name) {
    try (Connection connection = database.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute("CREATE SCHEMA " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    String url =
        "postgresql://postgres:secret@127.0.0.1:%d/postgres?currentSchema=%s"
            .formatted(database.getPort(), name);
    Storage.open(url, Path.of("")).close();
  }

  /// How a start ends whose connections are cut at that message: a sentence, empty if it is up.
  private String end(String command, int message, AtomicInteger first) {
    String name = command + message;
    place(name);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (CutWay way = new CutWay(database.getPort(), message)) {
      String agent = agent(name, way.port(), command);
      Path tokens = folder.resolve(name + ".tokens");
      String[] words =
          command.equals("worker")
              ? new String[] {"worker", agent}
              : new String[] {"serve", agent, "--port", "0", "--tokens", tokens.toString()};
      Thread process =
          Thread.ofPlatform()
              .start(() -> {
                int unused = Main.run(words, InputStream.nullInputStream(), print(out), print(err));
              });
      Awaitility.await().until(() -> out.size() > 0 || !process.isAlive());
      boolean isUp = out.size() > 0;
      if (!way.isCut()) {
        first.accumulateAndGet(message, Math::min);
      }
      process.interrupt();
      process.join();
      return isUp ? "" : message + ": " + err.toString(StandardCharsets.UTF_8);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"worker", "serve", "sole"})
  void noCutAtTheStartEndsTheProcess(String command) throws Exception {
    AtomicInteger uncut = new AtomicInteger(MOST);
    List<String> ends = new ArrayList<>();
    try (ExecutorService several = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int from = 1; from < uncut.get(); from += AT_ONCE) {
        List<Future<String>> all = new ArrayList<>();
        for (int i = from; i < from + AT_ONCE; i++) {
          int message = i;
          all.add(several.submit(() -> end(command, message, uncut)));
        }
        for (Future<String> one : all) {
          ends.add(one.get());
        }
      }
    }
    assertThat(ends).filteredOn(end -> !end.isEmpty()).isEmpty();
    assertThat(uncut).hasValueLessThan(MOST);
  }
}
