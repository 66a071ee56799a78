package dev.switchboard.restate;

import dev.switchboard.harness.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// The engine, or a node of it, a process of its own with its data in a folder: it may be killed,
/// and started again on the same data and ports.
final class Engine implements AutoCloseable {
  private static final Path PROGRAMS = Path.of("src/test/engine/node_modules/@restatedev");

  private final Path program;
  private final Path folder;
  private final Map<String, String> more; // settings
  private final int ingress = Ports.free();
  private final int admin = Ports.free();
  private final int node;
  private Process process;

  private Engine(Path program, Path folder, int node, Map<String, String> more) {
    this.program = program;
    this.folder = folder;
    this.node = node;
    this.more = more;
  }

  /// @throws AssertionError when it is not installed or does not start
  static Engine start(Path folder) {
    Engine engine =
        new Engine(program(), folder, Ports.free(), Map.of("RESTATE_NODE_NAME", "node-1"));
    engine.start();
    return engine;
  }

  /// The nodes of one engine, which keep everything on two of them.
  static List<Engine> cluster(Path folder, int nodes) throws IOException {
    List<Integer> ports = IntStream.range(0, nodes).mapToObj(i -> Ports.free()).toList();
    String addresses =
        ports.stream()
            .map(port -> "\"http://127.0.0.1:" + port + "\"")
            .collect(Collectors.joining(",", "[", "]"));
    List<Engine> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      Map<String, String> settings =
          Map.of(
              "RESTATE_CLUSTER_NAME",
              "cluster",
              "RESTATE_NODE_NAME",
              "node-" + (i + 1),
              "RESTATE_FORCE_NODE_ID",
              String.valueOf(i + 1),
              "RESTATE_METADATA_CLIENT__ADDRESSES",
              addresses,
              "RESTATE_DEFAULT_REPLICATION",
              "2",
              "RESTATE_AUTO_PROVISION",
              String.valueOf(i == 0));
      Path own = Files.createDirectories(folder.resolve("node-" + (i + 1)));
      all.add(new Engine(program(), own, ports.get(i), settings));
    }
    all.forEach(Engine::begin);
    all.forEach(Engine::awaitStarted);
    return all;
  }

  /// The one for this machine, without the script around it, which would outlive its end.
  private static Path program() {
    try (Stream<Path> files =
        Files.find(PROGRAMS, 3, (path, is) -> path.endsWith("bin/restate-server"))) {
      return files.findFirst().orElseThrow().toAbsolutePath();
    } catch (IOException | RuntimeException e) {
      throw new AssertionError(
          "the engine is missing: run `npm ci --prefix restate/src/test/engine` first", e);
    }
  }

  /// Starts it, on the data that it has, and waits until it answers.
  void start() {
    begin();
    awaitStarted();
  }

  private void begin() {
    ProcessBuilder builder =
        new ProcessBuilder(
                program.toString(), "--no-logo", "--listen-mode=tcp", "--base-dir=" + folder)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    builder.environment().putAll(settings());
    builder.environment().putAll(more);
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new AssertionError("the engine cannot be started", e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  private void awaitStarted() {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(100))
        .until(() -> answers(admin, "/health") && answers(ingress, "/restate/health"));
  }

  private Map<String, String> settings() {
    return Map.of(
        "RESTATE_BIND_ADDRESS", "127.0.0.1:" + node,
        "RESTATE_ADVERTISED_ADDRESS", "http://127.0.0.1:" + node,
        "RESTATE_ADMIN__BIND_ADDRESS", "127.0.0.1:" + admin,
        "RESTATE_INGRESS__BIND_ADDRESS", "127.0.0.1:" + ingress,
        "RESTATE_DISABLE_TELEMETRY", "true",
        "RESTATE_DEFAULT_NUM_PARTITIONS", "4",
        "RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE", "512MB",
        "RESTATE_LOG_FILTER", "warn",
        "RESTATE_LOG_DISABLE_ANSI_CODES", "true");
  }

  private boolean answers(int port, String path) {
    if (!process.isAlive()) {
      throw new AssertionError("the engine has ended: " + log());
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(2)).build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  String log() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("log"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  String address() {
    return "restate://127.0.0.1:" + ingress + "?admin=" + admin;
  }

  String ingress() {
    return "http://127.0.0.1:" + ingress;
  }

  int ingressPort() {
    return ingress;
  }

  int adminPort() {
    return admin;
  }

  /// Kills it, as `kill -9` does.
  void kill() {
    try {
      process.destroyForcibly().waitFor(5, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
