package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `switchboard worker`, as far as that needs no database and no engine.
class WorkerCommandTest {
  private static final String STORAGE = "[storage]\nurl = \"sqlite:agent.db\"\n";
  private static final String CLUSTER =
      "[storage]\nurl = \"postgresql://u@127.0.0.1:1/desk\"\n[cluster]\nworkers = true\n";

  @TempDir Path folder;

  private String agent(String more) throws IOException {
    return Files.writeString(
            folder.resolve("agent.toml"),
            "[agent]\nname = \"Desk\"\nmodel = \"ollama:none\"\n" + more)
        .toString();
  }

  @Test
  void aFileWithoutWorkersIsSentToServe() throws IOException {
    Cli done = Cli.run("worker", agent(STORAGE));

    assertThat(done.exit()).isEqualTo(2);
    assertThat(done.err())
        .contains("has no table [cluster] with workers = true; `switchboard serve` runs its turns");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--port=1", "--host=0.0.0.0", "--address=http://workers", "--again"})
  void whereTheEngineFindsAWorkerIsForAnEngine(String option) throws IOException {
    Cli done = Cli.run("worker", agent(STORAGE), option);

    assertThat(done.exit()).isEqualTo(2);
    assertThat(done.err()).contains("--port, --host, --address and --again are for --engine.");
  }

  @Tag("slow")
  @Test
  void aDatabaseThatDoesNotAnswerIsWaitedFor() throws IOException {
    String agent = agent(CLUSTER);
    Cli away = Cli.run("worker", agent, "--wait", "10ms");
    assertThat(away.exit()).isEqualTo(1);
    assertThat(away.err()).contains("The store 127.0.0.1:1/desk cannot be opened");
    assertThat(Cli.run("worker", agent, "--wait", "soon").err()).contains("--wait must be");
  }

  @Test
  void whatIsWrongWithTheEngineIsSaid() throws IOException {
    assertThat(Cli.run("worker", agent(""), "--engine", "restate://127.0.0.1:1").err())
        .contains("has no [storage], which workers of an engine need.");
    String agent = agent(STORAGE);
    assertThat(Cli.run("worker", agent, "--engine", "engine").err())
        .contains("must be like \"restate://host:8080\", not 'engine'");
    String nowhere = "restate://127.0.0.1:1?admin=1";
    Cli away = Cli.run("worker", agent, "--engine", nowhere, "--port", "0", "--wait", "0s");
    assertThat(away.exit()).isEqualTo(1);
    assertThat(away.err()).contains("The engine at http://127.0.0.1:1/ does not answer");
    assertThat(Cli.run("worker", agent, "--engine", nowhere, "--port", "65536").err())
        .contains("A port is a number from 0 to 65535.");
    assertThat(Cli.run("worker", agent, "--engine", nowhere, "--address", "ftp://workers").err())
        .contains("'ftp://workers' is not an address such as http://workers:9080");
  }

  @Test
  void workersAreMadeKnownToTheEngineAndEnd() throws Exception {
    List<String> registered = new CopyOnWriteArrayList<>();
    HttpServer engine = engine(registered);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    AtomicInteger exit = new AtomicInteger(-1);
    String agent = agent(STORAGE);
    String address = "restate://127.0.0.1?admin=" + engine.getAddress().getPort();
    String[] args = {
      "worker", agent, "--engine", address, "--port", "0", "--address", "http://w:1", "--again"
    };
    Thread command =
        Thread.ofPlatform()
            .start(() ->
                exit.set(Main.run(args, InputStream.nullInputStream(), print(out), print(err))));
    Awaitility.await().until(() -> out.size() > 0 || !command.isAlive());
    command.interrupt();
    command.join();
    engine.stop(0);

    assertThat(out.toString(StandardCharsets.UTF_8))
        .matches("Working for 'Desk', by the engine at http://127.0.0.1:8080, on port \\d+\n");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("`switchboard serve` forwards nothing to the engine.");
    assertThat(registered).containsExactly("{\"uri\":\"http://w:1\",\"force\":true}");
    assertThat(exit).hasValue(0);
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static HttpServer engine(List<String> registered) throws IOException {
    HttpServer engine =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    engine.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          if (exchange.getRequestURI().getPath().equals("/deployments")) {
            registered.add(body);
          }
          byte[] answer = "{\"version\":\"1.7.12\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    engine.start();
    return engine;
  }
}
