package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.Conversation;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.harness.Killed;
import dev.switchboard.harness.Load;
import dev.switchboard.load.ModelServer;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Processes that are killed in the midst of their turns, and that talk in one conversation at
/// once: no sentence that was acknowledged is lost, and no step has two keys.
@Tag("load")
class KilledConversationLoadTest {
  private static final int PROCESSES = 3;

  @TempDir private Path folder;

  /// The idempotency keys of each step, by conversation, turn and step.
  private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();

  private final AtomicInteger requests = new AtomicInteger();
  private volatile int steps = 6; // of a turn
  private final StubWebhook deeds = StubWebhook.start().answer(this::deed);
  private final StubWebhook model = ModelServer.start(this::next);

  @AfterEach
  void close() {
    deeds.close();
    model.close();
  }

  private StubAnswer deed(StubRequest request) {
    JsonNode body = request.json().tree();
    JsonNode step = body.path("arguments");
    String place =
        "%s %s %s"
            .formatted(
                body.path("call_id").asString(),
                step.path("turn").asString(),
                step.path("step").asInt());
    requests.incrementAndGet();
    keys.computeIfAbsent(place, _place -> ConcurrentHashMap.newKeySet())
        .add(String.valueOf(request.header("Idempotency-Key")));
    return StubAnswer.of(200, "{\"ok\":true}");
  }

  /// Some steps after each sentence, one after the other.
  private StubAnswer next(List<JsonNode> messages) {
    int step = 0;
    for (JsonNode message : messages.reversed()) {
      if (message.path("role").asString().equals("user")) {
        String turn = message.path("content").asString();
        return step == steps
            ? ModelServer.says("Done.")
            : ModelServer.calls("set_step", Map.of("turn", turn, "step", step));
      }
      step += message.path("role").asString().equals("tool") ? 1 : 0;
    }
    return StubAnswer.status(400);
  }

  private KilledTalker talker(String conversation, int life, int first) {
    return new KilledTalker(
        folder.resolve("talk.db"), conversation, model.url("/v1"), deeds.url(), life, first);
  }

  @Test
  void aKilledConversationLosesNothingAndDoesNothingTwice() throws Exception {
    int kills = Load.of(88 / PROCESSES + 1);
    long begin = System.nanoTime();
    List<List<String>> said =
        Load.sideBySide(
            PROCESSES,
            process -> {
              try {
                return killed("c" + process, kills);
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    int turns = 0;
    for (int process = 0; process < PROCESSES; process++) {
      turns += goesOn("c" + process, kills, said.get(process));
    }
    Load.tell(
        "%d kills in %.0f s, %d acknowledged turns, %d turns, %d steps with one key each, %d"
            + " requests",
        PROCESSES * kills,
        Load.since(begin),
        said.stream().mapToInt(List::size).sum(),
        turns,
        keys.size(),
        requests.get());
    assertThat(keys).hasSize(turns * steps);
  }

  /// The sentences that were acknowledged.
  private List<String> killed(String conversation, int kills)
      throws IOException, InterruptedException {
    Random moments = Killed.moments(conversation);
    List<String> said = new ArrayList<>();
    for (int life = 0; life < kills; life++) {
      String place = talker(conversation, life, said.size()).place();
      for (int number : Killed.acknowledged(moments, KilledTalker.class, place)) {
        said.add(life + "-" + number);
      }
    }
    return said;
  }

  /// How many turns there are, the one that broke off and a last one too.
  private int goesOn(String conversation, int life, List<String> said) {
    KilledTalker talker = talker(conversation, life, 0);
    try (ConversationStore store = Storage.sqlite(talker.file(), "talker");
        Agent agent = talker.agent(store)) {
      Conversation talk = agent.conversation(conversation);
      talk.resume();
      assertThat(talk.say("last").toString()).contains("Done.");
      assertSteps(conversation, said);
      return talk.state().turn();
    }
  }

  private void assertSteps(String conversation, List<String> said) {
    assertThat(keys).allSatisfy((place, own) -> assertThat(own).as(place).hasSize(1));
    for (String turn : said) {
      for (int step = 0; step < steps; step++) {
        assertThat(keys).containsKey("%s %s %d".formatted(conversation, turn, step));
      }
    }
  }

  @Test
  void processesThatShareAConversationTakeTurns() throws Exception {
    steps = 1;
    int enough = Load.of(650);
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    List<Process> processes = new ArrayList<>();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      String place = talker("shared", 0, i * 1_000_000).place();
      Process process = Killed.start(KilledTalker.class, place);
      processes.add(process);
      readers.add(
          Thread.ofPlatform().start(() -> process.inputReader().lines().forEach(lines::add)));
    }
    try {
      Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> numbers(lines).size() >= enough);
    } finally {
      // Not by the process itself, which would close its output unread.
      processes.forEach(process -> process.toHandle().destroyForcibly());
    }
    for (Thread reader : readers) {
      reader.join();
    }
    List<String> said = numbers(lines);
    int conflicts = lines.size() - said.size();
    int turns = goesOn("shared", 1, said);
    Load.tell(
        "%d processes in a conversation: %d turns acknowledged, %d conflicts, %d turns, %d steps"
            + " with one key each, %d requests",
        PROCESSES, said.size(), conflicts, turns, keys.size(), requests.get());
    assertThat(turns).isBetween(said.size() + 1, said.size() + 1 + PROCESSES);
    assertThat(keys).hasSize(turns * steps);
  }

  private static List<String> numbers(Queue<String> lines) {
    return lines.stream().filter(line -> line.matches("[0-9]+")).map(line -> "0-" + line).toList();
  }
}
