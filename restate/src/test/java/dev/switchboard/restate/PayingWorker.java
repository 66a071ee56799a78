package dev.switchboard.restate;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.harness.Processes;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A worker in a process of its own, whose agent pays: who is paid keeps one file for each attempt,
/// and one for each idempotency key that it has seen.
final class PayingWorker implements AutoCloseable {
  static final String AGENT = "paying";
  static final String STORAGE = "sqlite:storage/paying.db";
  private static final String LOG = "workers.log";
  private static final int MOST_MILLIS = 300; // that a payment takes

  private final Process process;
  private final BufferedReader out;
  final int port;

  private PayingWorker(Process process, int port) {
    this.process = process;
    this.port = port;
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /// What a version of the agent says of payments.
  enum Rule {
    NONE,
    CONSENT,
    FORBIDDEN
  }

  /// One that listens at that port and is found at that address once it is [#awaitStarted].
  static PayingWorker start(Engine engine, int port, URI address, Path folder, Rule rule) {
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  PayingWorker.class.getName(),
                  engine.address(),
                  String.valueOf(port),
                  address.toString(),
                  folder.toString(),
                  rule.name())
              .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve(LOG).toFile()))
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new PayingWorker(process, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitStarted() {
    try {
      if (!"started".equals(out.readLine())) {
        throw new AssertionError("a worker does not start");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  /// Kills it, as `kill -9` does.
  void kill() {
    try {
      process.destroyForcibly().waitFor(5, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Stops it where it is.
  void stop() {
    Processes.stop(pid());
  }

  /// Has it go on where it was stopped.
  void go() {
    Processes.go(pid());
  }

  /// Tells it to end, as a deployment does, and waits until it has.
  void end() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.MINUTES)) {
        throw new AssertionError("a worker does not end");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
  }

  /// What payments were begun in that folder.
  static File @Nullable [] attempts(Path folder) {
    return folder.resolve("attempts").toFile().listFiles();
  }

  /// The end of what the workers of that folder have printed.
  static String log(Path folder) {
    try {
      String all = Files.readString(folder.resolve(LOG));
      return all.substring(Math.max(0, all.length() - 8000));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// How many payments were made in that folder.
  static int effects(Path folder) {
    File[] all = folder.resolve("effects").toFile().listFiles();
    return all == null ? 0 : all.length;
  }

  private static List<ToolRule> rules(Rule rule) {
    return switch (rule) {
      case NONE -> List.of();
      case CONSENT -> List.of(ToolRule.consent("send_payment"));
      case FORBIDDEN -> List.of(ToolRule.forbidden("send_payment"));
    };
  }

  private static Agent agent(Storage storage, Path folder, Rule rule) {
    return Agent.builder(AGENT)
        .rules(rules(rule))
        .model(
            ScriptedModel.answering(request ->
                request.messages().getLast() instanceof Message.User
                    ? ModelReply.calls(RequestedCall.of("id", "send_payment", "{}"))
                    : ModelReply.text("Paid.")))
        .tools(Tool.dynamic("send_payment").handler((arguments, context) -> pay(context, folder)))
        .store(storage.conversations(AGENT))
        .build();
  }

  private static String pay(ToolContext context, Path folder) throws Exception {
    String attempt = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    Files.createFile(folder.resolve("attempts").resolve(attempt));
    int millis = Math.floorMod(context.idempotencyKey().hashCode(), MOST_MILLIS);
    boolean unused = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    try {
      Files.createFile(folder.resolve("effects").resolve(context.idempotencyKey()));
    } catch (FileAlreadyExistsException e) {
      return "paid before";
    }
    unused = new CountDownLatch(1).await(MOST_MILLIS - millis, TimeUnit.MILLISECONDS);
    return "paid";
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[3]);
    Agent agent = agent(Storage.open(STORAGE, folder), folder, Rule.valueOf(args[4]));
    RestateWorker worker =
        RestateWorker.builder(agent)
            .port(Integer.parseInt(args[1]))
            .address(URI.create(args[2]))
            .start(RestateEngine.at(args[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    System.out.println("started");
    System.out.flush();
    new CountDownLatch(1).await();
  }
}
