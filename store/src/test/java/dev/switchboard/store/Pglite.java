package dev.switchboard.store;

import dev.switchboard.harness.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A PostgreSQL with the extension `vector`, running as a process of its own.
final class Pglite implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("listening on .*\"port\":(\\d+)");
  private static final String SERVER =
      "node_modules/@electric-sql/pglite-socket/dist/scripts/server.js";

  private final Process process;
  private final String port;

  private Pglite(Process process, String port) {
    this.process = process;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
  }

  /// @param folder with its packages
  /// @throws AssertionError when it is not installed or does not start
  static Pglite start(Path folder) {
    if (!Files.exists(folder.resolve(SERVER))) {
      throw new AssertionError(
          SERVER + " is missing: run `npm ci --prefix agent/src/test/servers` first");
    }
    try {
      Process process =
          new ProcessBuilder(
                  "node",
                  SERVER,
                  "--db=memory://",
                  "--port=0",
                  "--max-connections=20",
                  "--extensions=@electric-sql/pglite-pgvector:vector")
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      return new Pglite(process, port(process));
    } catch (IOException e) {
      throw new AssertionError("node cannot be started: install Node 20 or later", e);
    }
  }

  private static String port(Process process) throws IOException {
    BufferedReader out = process.inputReader();
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        Output.drain(out);
        return listening.group(1);
      }
      said.append(line).append('\n');
    }
    throw new AssertionError("PGlite did not start: " + said);
  }

  /// Its connections share one session, which takes no name for a statement twice.
  String url() {
    return "postgresql://postgres:secret@127.0.0.1:"
        + port
        + "/postgres?sslmode=disable&prepareThreshold=0";
  }

  void execute(String... commands) {
    String url =
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres?sslmode=disable&prepareThreshold=0";
    try (Connection connection = DriverManager.getConnection(url, "postgres", "secret");
        Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
