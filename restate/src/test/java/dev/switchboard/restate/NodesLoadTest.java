package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Input;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three nodes of the engine, which keep everything on two of them, behind one address: one is
/// killed under load. No client hears of it, and it is measured for how long its conversations
/// wait.
@Tag("load")
@SuppressWarnings("try") // workers are there to be closed
class NodesLoadTest {
  private static final double SCALE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final int CLIENTS = 16;
  private static final Duration HALF = Duration.ofMillis((long) (20_000 * SCALE) + 3_000);

  @TempDir Path folder;

  private record Done(long began, long ended) {
    long millis() {
      return TimeUnit.NANOSECONDS.toMillis(ended - began);
    }
  }

  private final AtomicInteger names = new AtomicInteger();
  private final Queue<Done> done = new ConcurrentLinkedQueue<>();
  private volatile boolean ending;

  private static Agent agent(ConversationStore store) {
    return Agent.builder("load")
        .model(
            ScriptedModel.answering(request ->
                request.messages().getLast() instanceof Message.User
                    ? ModelReply.calls(RequestedCall.of("id", "look_up", "{}"))
                    : ModelReply.text("It is on its way.")))
        .tools(Tool.dynamic("look_up").handler((arguments, context) -> "on its way"))
        .store(store)
        .build();
  }

  @Test
  void oneOfThreeIsKilledUnderLoad() throws Exception {
    List<Engine> nodes = Engine.cluster(folder, 3);
    try (Balancer ingress = Balancer.start();
        Balancer admin = Balancer.start();
        Storage storage = Storage.open("sqlite:load.db", folder);
        ConversationStore store = storage.conversations("load")) {
      nodes.forEach(node -> {
        ingress.add(node.ingressPort());
        admin.add(node.adminPort());
      });
      String address = "restate://127.0.0.1:%d?admin=%d".formatted(ingress.port(), admin.port());
      try (RestateEngine at = RestateEngine.at(address);
          Agent agent = agent(store);
          RestateWorker worker = RestateWorker.builder(agent).port(0).start(at)) {
        nodes.forEach(node -> awaitKnown(node, store));
        run(nodes.get(1), new RestateQueue(at, "load"), store);
      }
    } finally {
      nodes.forEach(Engine::close);
    }
  }

  /// Each node hears of workers a moment later.
  private static void awaitKnown(Engine node, ConversationStore store) {
    String id = "at-" + node.ingressPort();
    try (RestateEngine at = RestateEngine.at(node.address())) {
      RestateQueue queue = new RestateQueue(at, "load");
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .untilAsserted(() -> {
            boolean unused = queue.submit(id, new Input.Said("said", "Where is it?"));
          });
    }
    Awaitility.await().until(() -> store.state(id).load().value().loop().last() != null);
  }

  private void run(Engine victim, RestateQueue queue, ConversationStore store) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> talk(queue, store)));
      }
      pass(HALF);
      long killed = System.nanoTime();
      victim.kill();
      pass(HALF);
      ending = true;
      for (Future<?> client : clients) {
        client.get();
      }
      tell(killed, store);
    }
  }

  private static void pass(Duration time) throws InterruptedException {
    boolean unused = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void talk(RestateQueue queue, ConversationStore store) {
    while (!ending) {
      String id = "c" + names.incrementAndGet();
      long began = System.nanoTime();
      assertThat(queue.submit(id, new Input.Said("said", "Where is it?"))).isTrue();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> store.state(id).load().value().loop().last() != null);
      done.add(new Done(began, System.nanoTime()));
    }
  }

  private void tell(long killed, ConversationStore store) {
    assertThat(done).hasSize(names.get());
    for (int i = 1; i <= names.get(); i++) {
      assertThat(store.settledCalls("c" + i, 1)).hasSize(1);
    }
    long[] ends =
        done.stream().mapToLong(Done::ended).filter(end -> end > killed).sorted().toArray();
    long silence = ends[0] - killed;
    for (int i = 1; i < ends.length; i++) {
      silence = Math.max(silence, ends[i] - ends[i - 1]);
    }
    System.out.printf(
        "three nodes, %d clients: %d turns, none refused; before the kill the slowest took %d ms;"
            + " after it no turn ended for %d ms, and the slowest took %d ms%n",
        CLIENTS,
        done.size(),
        done.stream().filter(one -> one.ended < killed).mapToLong(Done::millis).max().orElse(0),
        TimeUnit.NANOSECONDS.toMillis(silence),
        done.stream().filter(one -> one.ended > killed).mapToLong(Done::millis).max().orElse(0));
  }
}
