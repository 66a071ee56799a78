package dev.switchboard.bench;

import dev.switchboard.agent.Agent;
import dev.switchboard.time.Time;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.ai.chat.client.ChatClient;

/// Five thousand conversations at once, each on a virtual thread, whose model takes a second to
/// reply, beside those of peers, and beside as many plain virtual threads that wait for a second.
final class Conversations {
  private static final int COUNT = 5_000;
  private static final Duration THOUGHT = Duration.ofSeconds(1);

  private final Map<String, Function<Script, Consumer<String>>> contenders = new LinkedHashMap<>();
  private final Map<String, List<Double>> millis = new LinkedHashMap<>();
  private final Map<String, List<Double>> bytes = new LinkedHashMap<>();

  private Conversations() {
    contenders.put("ours", Conversations::ours);
    contenders.put("plain virtual threads", script -> id -> script.thinking().run());
    contenders.put("LangChain4j", Conversations::langChain4j);
    contenders.put("Spring AI", Conversations::spring);
  }

  static List<Row> run(boolean quick) throws InterruptedException {
    Conversations conversations = new Conversations();
    int rounds = quick ? 2 : 5;
    for (int i = -1; i < rounds; i++) {
      conversations.round(i >= 0);
    }
    List<Row> rows = new ArrayList<>();
    String what = "5,000 conversations whose model takes 1 s / ";
    for (String peer : conversations.peers()) {
      rows.add(row(what + peer + ": ms", conversations.millis, peer));
    }
    for (String peer : conversations.peers()) {
      rows.add(row("the same / " + peer + ": bytes of heap for each", conversations.bytes, peer));
    }
    return rows;
  }

  private List<String> peers() {
    return contenders.keySet().stream().skip(1).toList();
  }

  private static Row row(String what, Map<String, List<Double>> figures, String peer) {
    double left = median(figures, "ours");
    double right = median(figures, peer);
    return Row.of(what, "%,.0f", left, right, left / right);
  }

  private static double median(Map<String, List<Double>> figures, String contender) {
    return Cost.median(
        figures.getOrDefault(contender, List.of()).stream().mapToDouble(one -> one).toArray());
  }

  private void round(boolean counts) throws InterruptedException {
    for (var contender : contenders.entrySet()) {
      double time = time(contender.getValue());
      double heap = heap(contender.getValue());
      if (counts) {
        millis.computeIfAbsent(contender.getKey(), any -> new ArrayList<>()).add(time);
        bytes.computeIfAbsent(contender.getKey(), any -> new ArrayList<>()).add(heap);
      }
    }
  }

  /// Milliseconds until all were answered.
  private static double time(Function<Script, Consumer<String>> contender)
      throws InterruptedException {
    Consumer<String> conversation =
        contender.apply(new Script(() -> Time.SYSTEM.pause(new Time.Signal(), THOUGHT)));
    System.gc();
    long start = System.nanoTime();
    start(conversation).await();
    return (System.nanoTime() - start) / 1e6;
  }

  /// Bytes that each keeps while all wait; the model replies only when they were counted.
  private static double heap(Function<Script, Consumer<String>> contender)
      throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(COUNT);
    CountDownLatch counted = new CountDownLatch(1);
    Consumer<String> conversation =
        contender.apply(
            new Script(() -> {
              asked.countDown();
              await(counted);
            }));
    long before = used();
    CountDownLatch answered = start(conversation);
    asked.await();
    long after = used();
    counted.countDown();
    answered.await();
    return (double) (after - before) / COUNT;
  }

  private static CountDownLatch start(Consumer<String> conversation) {
    CountDownLatch open = new CountDownLatch(COUNT);
    for (int i = 0; i < COUNT; i++) {
      String id = "c" + i;
      Thread.ofVirtual()
          .start(() -> {
            conversation.accept(id);
            open.countDown();
          });
    }
    return open;
  }

  private static long used() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Consumer<String> ours(Script script) {
    Agent agent = Assistants.isolated(script);
    return id -> agent.conversation(id).say("hello");
  }

  private static Consumer<String> langChain4j(Script script) {
    Assistants.Remembering assistant = Assistants.langChain4j(script);
    return id -> assistant.chat(id, "hello");
  }

  private static Consumer<String> spring(Script script) {
    ChatClient client = Assistants.spring(script, Assistants.springMemory());
    return id -> Assistants.chat(client, id, "hello");
  }
}
