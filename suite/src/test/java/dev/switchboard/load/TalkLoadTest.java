package dev.switchboard.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Load;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.ToolCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Long conversations, and those that many take part in at once.
@Tag("load")
class TalkLoadTest {
  private static final int PART = 1_000;

  private final Set<String> deeds = ConcurrentHashMap.newKeySet();
  private final AtomicInteger runs = new AtomicInteger();

  @TempDir private Path folder;

  /// Says back what it heard, after a call of `get_it`, or of `local_run` where it hears "Run".
  private record Echo() implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      List<Message> messages = request.messages();
      if (messages.getLast() instanceof Message.User(String text, var files)) {
        String tool = text.startsWith("Run") ? "local_run" : "get_it";
        return ModelReply.calls(RequestedCall.of("", tool, "{}"));
      }
      return messages.reversed().stream()
          .filter(Message.User.class::isInstance)
          .map(user -> ModelReply.text("Heard " + ((Message.User) user).text()))
          .findFirst()
          .orElseThrow();
    }
  }

  private AgentBuilder agent() {
    return Agent.builder("load").model(new Echo()).tools(tool("get_it"), tool("local_run"));
  }

  private Tool tool(String name) {
    return Tool.dynamic(name)
        .handler((arguments, context) -> {
          deeds.add(context.conversationId() + " " + context.idempotencyKey());
          return "run " + runs.incrementAndGet();
        });
  }

  @Test
  void aConversationIsAsQuickAtItsEndAsAtItsBeginning() throws Exception {
    int turns = Load.of(20_000);
    long[] nanos = new long[turns];
    Path file = folder.resolve("long.db");
    long begin = System.nanoTime();
    long early;
    long late;
    try (ConversationStore store = Storage.sqlite(file, "load")) {
      Conversation talk = agent().store(store).build().conversation("c");
      for (int i = 0; i < Math.min(PART, turns); i++) {
        nanos[i] = turn(talk, i);
      }
      early = Load.heap();
      for (int i = PART; i < turns; i++) {
        nanos[i] = turn(talk, i);
      }
      late = Load.heap();
    }
    Load.tell(
        "%d turns in %.1f s, p50/p99 first %s ms, last %s ms, heap %.1f -> %.1f MB, file %.1f MB",
        turns,
        Load.since(begin),
        percentiles(nanos, 0),
        percentiles(nanos, Math.max(0, turns - PART)),
        Load.mb(early),
        Load.mb(late),
        Load.mb(Files.size(file)));
    assertThat(late - early).as("growth of the heap").isLessThan(8_000_000);
    assertThat(median(nanos, Math.max(0, turns - PART))).isLessThan(5 * median(nanos, 0));
    opensAgain(file, turns);
  }

  private static long turn(Conversation talk, int number) {
    long begin = System.nanoTime();
    assertThat(talk.say("Go " + number)).isEqualTo(new Turn.Reply("Heard Go " + number));
    return System.nanoTime() - begin;
  }

  private void opensAgain(Path file, int turns) {
    long begin = System.nanoTime();
    try (ConversationStore store = Storage.sqlite(file, "load")) {
      Conversation talk = agent().store(store).build().conversation("c");
      assertThat(talk.state().turn()).isEqualTo(turns);
      assertThat(turn(talk, turns)).isPositive();
    }
    Load.tell("opened again and a turn: %.0f ms", Load.since(begin) * 1_000);
  }

  private static long[] part(long[] nanos, int from) {
    long[] part = Arrays.copyOfRange(nanos, from, Math.min(nanos.length, from + PART));
    Arrays.sort(part);
    return part;
  }

  private static long median(long[] nanos, int from) {
    long[] part = part(nanos, from);
    return part[part.length / 2];
  }

  private static String percentiles(long[] nanos, int from) {
    long[] part = part(nanos, from);
    return "%.2f/%.2f"
        .formatted(Load.ms(part[part.length / 2]), Load.ms(part[part.length * 99 / 100]));
  }

  @Test
  void manyThreadsTalkInOneConversationEachWithItsOwnReply() throws Exception {
    try (ConversationStore store = Storage.sqlite(folder.resolve("many.db"), "load")) {
      for (ConversationStore kept : List.of(new InProcessConversations(), store)) {
        Conversation talk = agent().store(kept).build().conversation("c");
        int sentences = Load.of(25);
        List<Integer> said =
            Load.sideBySide(
                32,
                thread -> {
                  for (int i = 0; i < sentences; i++) {
                    assertThat(turn(talk, thread * 1_000 + i)).isPositive();
                  }
                  return sentences;
                });
        assertThat(said).hasSize(32);
        assertThat(talk.state().turn()).isEqualTo(32 * sentences);
        Load.tell("32 threads, %d turns, every reply its own", talk.state().turn());
      }
    }
  }

  @Test
  void ofManyAnswersAtOnceOneRunsTheCall() throws Exception {
    int rounds = Load.of(60);
    for (int round = 0; round < rounds; round++) {
      runs.set(0);
      String id = "c" + round;
      Path file = folder.resolve("answers.db");
      try (ConversationStore here = Storage.sqlite(file, "load");
          ConversationStore there = Storage.sqlite(file, "load")) {
        ToolExecutor executor = ToolExecutor.of(tool("local_run"));
        ToolSession asked = ToolSession.builder(id).store(here).build();
        assertThat(executor.submitAll(List.of(ToolCall.of("r", "local_run", "{}")), asked))
            .first()
            .isInstanceOf(CallStep.Pending.class);
        long answered =
            Load.sideBySide(
                    4,
                    thread -> {
                      ConversationStore store = thread % 2 == 0 ? here : there;
                      ToolSession session = ToolSession.builder(id).store(store).build();
                      return ToolExecutor.of(tool("local_run"))
                          .answer("r", Answer.approveOnce(), session)
                          .isPresent();
                    })
                .stream()
                .filter(present -> present)
                .count();
        assertThat(answered).as("round %d", round).isEqualTo(1);
        assertThat(runs).as("round %d", round).hasValue(1);
      }
    }
    Load.tell("4 answers at once in 2 stores: ran once in %d of %d rounds", rounds, rounds);
  }

  @Test
  void ofManyAnswersToAConversationOneRunsTheCall() throws Exception {
    int rounds = Load.of(40);
    for (int round = 0; round < rounds; round++) {
      runs.set(0);
      Conversation talk = agent().build().conversation("c" + round);
      ConsentRequest request = ((Turn.Pending) talk.say("Run it")).requests().getFirst();
      List<String> unusedCame =
          Load.sideBySide(
              3,
              thread -> {
                try {
                  return talk.answer(request, Answer.approveOnce()).toString();
                } catch (IllegalStateException | IllegalArgumentException late) {
                  return late.toString();
                }
              });
      assertThat(runs).as("round %d", round).hasValue(1);
    }
    Load.tell("3 answers at once to a conversation: ran once in %d of %d", rounds, rounds);
  }

  @Test
  void requestsOfOneProcessAreAnsweredInOthersOnceEach() throws Exception {
    int requests = Load.of(150);
    Path file = folder.resolve("asked.db");
    try (ConversationStore asking = Storage.sqlite(file, "load");
        ConversationStore left = Storage.sqlite(file, "load");
        ConversationStore right = Storage.sqlite(file, "load")) {
      ToolSession asked = ToolSession.builder("c").store(asking).build();
      List<ToolCall> calls =
          IntStream.range(0, requests)
              .mapToObj(i -> ToolCall.of("r" + i, "local_run", "{\"n\":" + i + "}"))
              .toList();
      assertThat(ToolExecutor.of(tool("local_run")).submitAll(calls, asked)).hasSize(requests);
      List<Integer> answered =
          Load.sideBySide(
              2,
              thread -> {
                ToolSession session =
                    ToolSession.builder("c").store(thread == 0 ? left : right).build();
                ToolExecutor executor = ToolExecutor.of(tool("local_run"));
                return (int)
                    calls.stream()
                        .filter(call ->
                            executor.answer(call.id(), Answer.approveOnce(), session).isPresent())
                        .count();
              });
      assertThat(answered.get(0) + answered.get(1)).isEqualTo(requests);
      asked.refresh();
      assertThat(asked.waiting()).isEmpty();
    }
    Load.tell(
        "%d requests answered elsewhere: %d runs, %d deeds", requests, runs.get(), deeds.size());
    assertThat(runs).hasValue(requests);
    assertThat(deeds).hasSize(requests);
  }
}
