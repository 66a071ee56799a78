package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `exec` and `chat` are killed in the midst of their work, again and again: what was acknowledged
/// stays, and nothing is done under two keys.
@Tag("load")
class KilledCommandsLoadTest {
  private static final double SIZE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final long SEED = Long.getLong("switchboard.seed", 20261122);
  private static final Duration HOLD = Duration.ofSeconds(31);
  private static final int STEPS = 4;

  @TempDir private Path folder;

  private final Random random = new Random(SEED);

  /// The idempotency keys of each deed.
  private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();

  private final AtomicInteger requests = new AtomicInteger();
  private final List<String> latest = new CopyOnWriteArrayList<>(); // deeds of the latest process
  private volatile Runnable onRequest = () -> {};
  private StubWebhook deeds;
  private StubWebhook model;
  private String agent;

  @BeforeEach
  void start() {
    deeds = StubWebhook.start().answer(this::deed);
    model = StubWebhook.start().answer(this::reply);
    agent =
        AgentToml.write(
            folder,
            """
            [agent]
            name = "Killed"
            model = { provider = "openai", name = "stub", base_url = "%1$s" }

            [[tools]]
            name = "set_step"
            webhook_url = "%2$s"
            parameters = { type = "object", properties = { deed = { type = "string" } } }

            [network]
            allow = ["%3$s"]

            [storage]
            url = "sqlite:agent.db"
            """
                .formatted(model.url("/v1"), deeds.url(), deeds.hostAndPort()));
  }

  @AfterEach
  void close() {
    deeds.close();
    model.close();
  }

  private static int of(int whole) {
    return Math.max(2, (int) Math.ceil(whole * SIZE));
  }

  @SuppressWarnings("AnnotateFormatMethod") // of a library that the tests do not have
  private static void tell(String figures, Object... values) {
    System.out.printf("load %s, seed %d: %s%n", SIZE, SEED, figures.formatted(values));
  }

  private StubAnswer deed(StubRequest request) {
    JsonNode body = request.json().tree();
    String deed =
        body.path("call_id").asString() + " " + body.path("arguments").path("deed").asString();
    requests.incrementAndGet();
    latest.add(deed);
    keys.computeIfAbsent(deed, _deed -> ConcurrentHashMap.newKeySet())
        .add(String.valueOf(request.header("Idempotency-Key")));
    onRequest.run();
    return StubAnswer.of(200, "{\"did\":\"" + deed + "\"}").delay(Duration.ofMillis(3));
  }

  /// Some steps after each sentence, then a word.
  private StubAnswer reply(StubRequest request) {
    onRequest.run();
    int step = 0;
    String turn = "";
    List<JsonNode> messages = request.json().tree().path("messages").valueStream().toList();
    for (JsonNode message : messages.reversed()) {
      if (message.path("role").asString().equals("user")) {
        turn = message.path("content").asString();
        break;
      }
      step += message.path("role").asString().equals("tool") ? 1 : 0;
    }
    return step == STEPS ? streamed("{\"content\":\"Done.\"}", "stop") : call(turn + " " + step);
  }

  private static StubAnswer call(String deed) {
    String arguments = Json.of(Json.of(Map.of("deed", deed)).text()).text();
    return streamed(
        "{\"tool_calls\":[{\"index\":0,\"id\":\"p\",\"type\":\"function\",\"function\":{\"name\":\"set_step\",\"arguments\":%s}}]}"
            .formatted(arguments),
        "tool_calls");
  }

  private static StubAnswer streamed(String delta, String finish) {
    String chunk =
        "{\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":\"%s\"}]}"
            .formatted(delta, finish);
    return StubAnswer.of(200, "data: " + chunk + "\n\ndata: [DONE]\n\n")
        .contentType("text/event-stream");
  }

  private Process start(String... arguments) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        new ArrayList<>(
            List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void killSoon(Process process, int millis) {
    CompletableFuture.delayedExecutor(random.nextInt(millis * 1_000), TimeUnit.MICROSECONDS)
        .execute(process.toHandle()::destroyForcibly);
  }

  @Test
  void execLosesNoResultAndDoesNothingTwice() throws Exception {
    int kills = of(120);
    Map<Integer, String> acknowledged = new TreeMap<>();
    int next = 0;
    for (int kill = 0; kill < kills; kill++) {
      next += 10;
      exec(acknowledged, next, true);
    }
    List<String> known =
        acknowledged.keySet().stream().map(id -> "c%1$d %1$d".formatted(id)).toList();
    latest.clear();
    exec(acknowledged, next, false);

    assertThat(acknowledged).hasSize(next);
    // Nothing that was acknowledged is done again; what was kept and never said need not be.
    assertThat(latest).doesNotContainAnyElementsOf(known).doesNotHaveDuplicates();
    assertThat(keys).hasSize(next).allSatisfy((deed, own) -> assertThat(own).as(deed).hasSize(1));
    tell(
        "exec: %d kills, %d results acknowledged, %d keys, %d requests",
        kills, acknowledged.size(), keys.size(), requests.get());
  }

  /// A process that gets what was not acknowledged, and some that was; compares and adds results.
  @SuppressWarnings("try") // the end of its input is what it waits for
  private void exec(Map<Integer, String> acknowledged, int next, boolean killed)
      throws IOException, InterruptedException {
    Process process = start("exec", "--conversation", "k", agent);
    try (OutputStream in = process.getOutputStream();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      in.write(calls(acknowledged, next).getBytes(StandardCharsets.UTF_8));
      in.flush();
      if (!killed) {
        in.close();
      }
      boolean dying = !killed;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        acknowledge(acknowledged, line);
        if (!dying && line.contains("\"tool_result\"")) {
          dying = true;
          killSoon(process, 100);
        }
      }
    } catch (IOException e) {
      assertThat(killed).as(e.toString()).isTrue();
    }
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue() == 0).as("exit %d", process.exitValue()).isEqualTo(!killed);
  }

  private String calls(Map<Integer, String> acknowledged, int next) {
    StringBuilder lines = new StringBuilder();
    for (int id = 0; id < next; id++) {
      if (!acknowledged.containsKey(id) || random.nextInt(20) == 0) {
        lines.append(
            "{\"id\":\"c%d\",\"name\":\"set_step\",\"arguments\":{\"deed\":\"%d\"}}\n"
                .formatted(id, id));
      }
    }
    return lines.toString();
  }

  private static void acknowledge(Map<Integer, String> acknowledged, String line) {
    // The last line may be cut off.
    if (!line.contains("\"tool_result\"") || !line.endsWith("}")) {
      return;
    }
    JsonNode payload = Json.text(line).tree().path("payload");
    int id = Integer.parseInt(payload.path("callId").asString().substring(1));
    String earlier = acknowledged.putIfAbsent(id, payload.toString());
    assertThat(earlier).as("c%d", id).isIn(null, payload.toString());
    assertThat(payload.path("success").asBoolean()).as(line).isTrue();
  }

  @Test
  void chatResumesItsTurnsAndDoesNothingTwice() throws Exception {
    int conversations = of(36);
    for (int pass = 0; pass < 2; pass++) {
      long end = System.nanoTime() + HOLD.toNanos();
      for (int i = 0; i < conversations; i++) {
        killedChat("k" + i, "Go " + pass);
      }
      // A dead process holds its conversation for a while.
      boolean unusedNever =
          new CountDownLatch(1).await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
    int cut = keys.size();
    for (int i = 0; i < conversations; i++) {
      Process chat = start("chat", agent, "--conversation", "k" + i, "-m", "last");
      assertThat(new String(chat.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("Done.");
      assertThat(chat.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(chat.exitValue()).isZero();
    }
    assertThat(keys).allSatisfy((deed, own) -> assertThat(own).as(deed).hasSize(1));
    // Whatever turn was begun was done to its end.
    assertThat(keys.size() % STEPS).isZero();
    tell(
        "chat: %d kills, %d conversations, all opened again, %d steps before and %d after, %d"
            + " requests",
        2 * conversations, conversations, cut, keys.size(), requests.get());
  }

  /// Killed a moment after it has asked for so much.
  private void killedChat(String conversation, String words) throws Exception {
    AtomicInteger left = new AtomicInteger(1 + random.nextInt(2 * STEPS));
    Process chat = start("chat", agent, "--conversation", conversation, "-m", words);
    onRequest =
        () -> {
          if (left.decrementAndGet() == 0) {
            killSoon(chat, 10);
          }
        };
    byte[] unusedSaid = chat.getInputStream().readAllBytes();
    assertThat(chat.waitFor(5, TimeUnit.MINUTES)).isTrue();
    onRequest = () -> {};
  }
}
