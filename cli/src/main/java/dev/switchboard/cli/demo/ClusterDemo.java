package dev.switchboard.cli.demo;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationQueue.Listening;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.Input;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.Event;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// A turn that survives its machine: two workers share a PostgreSQL database of the demonstration,
/// and the one that takes a deposit is killed during the payment.
public final class ClusterDemo {
  private static final String CONVERSATION = "demo";
  private static final List<String> WORKERS = List.of("1", "2");
  private static final long PATIENCE = Duration.ofMinutes(1).toNanos();

  private final Consumer<String> out;
  private final AtomicInteger asked = new AtomicInteger();
  private final Map<String, WorkerProcess> workers = new HashMap<>();
  private final long begun = System.nanoTime();
  private volatile long killed;
  private volatile long takenUp;
  private long ended;

  /// @param out receives the output, one line at a time
  public ClusterDemo(Consumer<String> out) {
    this.out = out;
  }

  /// Runs the demonstration.
  ///
  /// @throws IOException when a server or a worker cannot be started
  /// @throws IllegalStateException when it does not go as expected
  public void play() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("switchboard-cluster");
    Path file = folder.resolve("cluster.toml");
    Path variables = folder.resolve(".env");
    try (Payments payments = new Payments(this::asked);
        EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
      print("PostgreSQL listens on port " + postgres.getPort() + ", with an empty database.");
      Files.writeString(variables, "WORKER=none");
      Files.writeString(
          file,
          Resources.text("cluster.toml")
              .replace("127.0.0.1:9001", "127.0.0.1:" + payments.port())
              .replace("127.0.0.1:9002", "127.0.0.1:" + postgres.getPort()));
      try {
        play(file);
      } finally {
        workers.values().forEach(WorkerProcess::close);
      }
      check(payments);
    } finally {
      Files.deleteIfExists(variables);
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  private void play(Path path) throws IOException, InterruptedException {
    AgentFile file = AgentFile.read(path);
    try (Storage storage = Objects.requireNonNull(Switchboard.storage(path, file));
        ConversationStore store = storage.conversations(file.agent().name());
        Agent agent =
            Switchboard.agent(file).store(store).time(Switchboard.time(file, storage)).build()) {
      startWorkers(path);
      String sentence = "Please take the deposit of 40 euros. The name is Ada.";
      print("user     " + sentence);
      boolean unused = agent.queue().submit(CONVERSATION, Input.Said.of(sentence));
      follow(store);
    }
  }

  private void startWorkers(Path file) throws IOException {
    for (String name : WORKERS) {
      workers.put(name, new WorkerProcess(file, name));
    }
    for (String name : WORKERS) {
      WorkerProcess worker = Objects.requireNonNull(workers.get(name));
      worker.awaitReady();
      print(
          "worker %s  is process %d: switchboard worker cluster.toml"
              .formatted(name, worker.pid()));
    }
  }

  private void asked(String worker, String key, String receipt, boolean again) {
    print(
        "payment  worker %s sends key %s: %s"
            .formatted(
                worker, key, again ? "charged before, receipt " + receipt : "charged " + receipt));
    if (asked.incrementAndGet() == 1) {
      Objects.requireNonNull(workers.get(worker)).kill();
      killed = System.nanoTime();
      print("kill -9  worker %s dies before it hears of the receipt".formatted(worker));
    } else {
      takenUp = System.nanoTime();
    }
  }

  /// Prints the events, of any machine, until the turn ends.
  @SuppressWarnings("try") // an announcement wakes it
  private void follow(ConversationStore store) throws InterruptedException {
    Semaphore news = new Semaphore(1);
    long end = System.nanoTime() + PATIENCE;
    long last = 0;
    try (Listening listening =
        Objects.requireNonNull(store.queue()).listen(announcement -> news.release())) {
      while (System.nanoTime() < end) {
        for (Event.Logged event : store.events(CONVERSATION, last, 100)) {
          last = event.number();
          if (isEnd(event.event().tree())) {
            return;
          }
        }
        boolean unused = news.tryAcquire(1, TimeUnit.SECONDS);
        news.drainPermits();
      }
    }
    throw new IllegalStateException("The turn has not ended within a minute.");
  }

  private boolean isEnd(JsonNode event) {
    JsonNode payload = event.path("payload");
    switch (event.path("type").asString("")) {
      case "tool_call" ->
          print("call     " + payload.path("name").asString("") + " " + payload.path("arguments"));
      case "tool_result" -> print("result   " + payload.path("data"));
      case "content" -> print("agent    " + event.path("content").asString(""));
      case "error" -> print("error    " + event.path("content").asString(""));
      case "done" -> {
        ended = System.nanoTime();
        return true;
      }
      default -> {}
    }
    return false;
  }

  private void check(Payments payments) {
    if (payments.charged() != 1 || asked.get() != 2) {
      throw new IllegalStateException(
          "The payment was asked for %d times and charged %d times, not twice and once."
              .formatted(asked.get(), payments.charged()));
    }
    out.accept("");
    out.accept(
        "%s from the kill until the other worker went on, %s until the turn's end."
            .formatted(seconds(takenUp - killed), seconds(ended - killed)));
    out.accept("The payment was asked for twice under one key, and charged once.");
  }

  private synchronized void print(String line) {
    out.accept("%7s  %s".formatted(seconds(System.nanoTime() - begun), line));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f s", nanos / (double) TimeUnit.SECONDS.toNanos(1));
  }
}
