package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.PropertySize;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// Events of a call in any order: whatever comes when, each completed call has one output, no two
/// responses are on the way, nothing is cut beyond what was sent and heard, and the end comes once.
///
/// `-Dphone.fuzz.runs=20000` makes more runs, `-Dphone.fuzz.seed=..` the same again.
final class CallFuzzTest {
  private static final int STEPS = 60;

  @Test
  void whateverComesWhen() {
    int runs = PropertySize.of("phone.fuzz.runs", 200);
    long seed = Long.getLong("phone.fuzz.seed", ThreadLocalRandom.current().nextInt());
    for (int i = 0; i < runs; i++) {
      long one = seed + i;
      try {
        new Run(new Random(one)).play();
      } catch (Throwable thrown) {
        throw new AssertionError("-Dphone.fuzz.runs=1 -Dphone.fuzz.seed=" + one, thrown);
      }
    }
  }

  private static final class Run {
    private final Random random;
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final AtomicInteger limited = new AtomicInteger();
    private final PlayedCall call;
    private final Set<String> completed = new HashSet<>(); // ids of calls of this engine session
    private final Map<String, Integer> sent = new HashMap<>(); // ms by item
    private final Map<String, Integer> heard = new HashMap<>(); // ms by item
    private final Deque<Object> buffer = new ArrayDeque<>(); // of the line: items' ms, and marks
    private final Set<String> outputs = new HashSet<>();
    private int seen; // of the wire
    private boolean created; // the current response has begun
    private boolean pending; // a create is on its way
    private boolean cancelled;
    private boolean silenced; // its audio was cleared
    private String response = "";
    private String playing = ""; // the item whose audio is being given
    private int items;
    private int ids;
    private Duration lastSign = Duration.ZERO;
    private final List<String> trace = new ArrayList<>();
    private int rest;

    Run(Random random) {
      this.random = random;
      Agent agent =
          Agent.builder("Shop")
              .prompt("You sell.")
              .firstMessage(random.nextBoolean() ? "Hi!" : "Good day, this is the shop.")
              .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
              .store(new InProcessConversations())
              .tools(tool("lookup", ToolMode.READ), tool("book", ToolMode.SAFE_WRITE))
              .tools(tool("once", ToolMode.READ), tool("open_door", ToolMode.LOCAL))
              .rules(ToolRule.of("once", new RuleType.MaxCalls(1)))
              .build();
      ConsentMode[] modes = ConsentMode.values();
      CallSettings by = PlayedCall.SETTINGS;
      call = new PlayedCall(agent, by.with(modes[random.nextInt(modes.length)]));
      call.refusal = random.nextInt(4) == 0 ? "The carrier refuses." : null;
    }

    private Tool tool(String name, ToolMode mode) {
      return Tool.dynamic(name)
          .mode(mode)
          .handler((arguments, context) -> {
            if (name.equals("once")) {
              limited.incrementAndGet();
            }
            CountDownLatch gate = new CountDownLatch(1);
            gates.put(context.toolCallId(), gate);
            if (context.toolCallId().hashCode() % 2 == 0) {
              context.progress("Working on " + name);
            }
            gate.await();
            return "done";
          });
    }

    @Override
    public String toString() {
      return completed + " " + outputs + " " + call.wire + " " + call.notes;
    }

    void play() {
      call.talking();
      check();
      for (int i = 0; i < STEPS && call.ended.isEmpty(); i++) {
        step();
        check();
      }
      finish();
    }

    private void step() {
      int kind = random.nextInt(14);
      trace.add(kind + "@" + call.time.elapsed().toMillis() + "/" + seen);
      switch (kind) {
        case 0 -> call.engine(new EngineEvent.SpeechStarted());
        case 1 -> {
          items++;
          call.engine(new EngineEvent.SpeechStopped());
          call.engine(new EngineEvent.Committed("said" + items, null));
          if (random.nextBoolean()) {
            call.engine(new EngineEvent.Transcribed("said" + items, "words"));
          }
        }
        case 2, 3, 4, 5, 6 -> engine();
        case 7, 8 -> echo();
        case 9 -> release();
        case 10 ->
            call.carrier(new CarrierEvent.Pressed("0123456789*#".charAt(random.nextInt(12))));
        case 11 -> call.advance(Duration.ofMillis(random.nextInt(3_000)));
        case 12 -> rare();
        case 13 -> call.carrier(new CarrierEvent.Played("g0.1"));
        default -> throw new AssertionError();
      }
    }

    private void rare() {
      switch (random.nextInt(8)) {
        case 0 -> {
          pending &= created;
          call.engine(new EngineEvent.Refused(null, EngineEvent.Refused.RESPONSE_ACTIVE, "active"));
        }
        case 1 -> {
          settle();
          check();
          call.engine(new EngineEvent.Lost(false, "closed", "gone"));
          // A tool may have ended just before.
          check();
          forgetEngine();
          call.advance(Duration.ofSeconds(3));
          check();
          call.engine(new EngineEvent.Ready());
        }
        case 2 -> call.carrier(new CarrierEvent.Status("in-progress"));
        case 3 -> call.advance(Duration.ofSeconds(12));
        case 4 -> call.carrier(new CarrierEvent.Disconnected());
        case 5 -> call.done("unknown");
        case 6 -> lostAtItsEnd();
        default -> {}
      }
    }

    /// The engine is lost before the end of a response is written.
    private void lostAtItsEnd() {
      if (!created || cancelled) {
        return;
      }
      settle();
      check();
      pending = false;
      created = false;
      call.tell(
          new EngineEvent.Done(response, EngineEvent.Status.COMPLETED, null, ModelReply.Usage.NONE),
          new EngineEvent.Lost(false, "closed", "gone"));
      call.drain();
      check();
      forgetEngine();
      call.advance(Duration.ofSeconds(3));
      check();
      call.engine(new EngineEvent.Ready());
    }

    private void forgetEngine() {
      completed.clear();
      pending = false;
      created = false;
      cancelled = false;
    }

    /// The engine goes on with what it was asked for.
    private void engine() {
      lastSign = call.time.elapsed();
      if (pending && !created) {
        created = true;
        silenced = false;
        response = call.created();
        playing = "item-" + response;
      } else if (created && cancelled) {
        end(EngineEvent.Status.CANCELLED);
      } else if (created) {
        switch (random.nextInt(5)) {
          case 0, 1 -> speak(50 + random.nextInt(900));
          case 2 -> function();
          case 3 -> call.engine(new EngineEvent.Words(response, playing, "some words "));
          case 4 -> end(EngineEvent.Status.COMPLETED);
          default -> throw new AssertionError();
        }
      }
    }

    private void speak(int milliseconds) {
      int before = played();
      call.audio(response, milliseconds);
      if (silenced) {
        assertThat(played()).as("audio of a cleared generation").isEqualTo(before);
      }
    }

    private int played() {
      return (int) call.wire.stream().filter(one -> one.startsWith("play")).count();
    }

    private void function() {
      boolean aside = call.responses.getLast().aside();
      if (aside) {
        return;
      }
      ids++;
      String id = "call_" + ids;
      String tool =
          List.of("lookup", "book", "once", "open_door", "unknown", "end_call", "transfer_call")
              .get(random.nextInt(random.nextInt(3) == 0 ? 7 : 5));
      String arguments =
          switch (random.nextInt(4)) {
            case 0 -> "{\"number\":\"+15559876543\"}";
            case 1 -> "{";
            default -> "{}";
          };
      call.calls(response, id, tool, arguments);
      if (random.nextBoolean()) {
        call.calls(response, id, tool, arguments);
      }
      completed.add(id);
    }

    private void end(EngineEvent.Status status) {
      String ended = response;
      pending = false;
      created = false;
      cancelled = false;
      call.done(ended, status);
      settle();
    }

    /// Lets the tools that can begin do so.
    private void settle() {
      call.until(() -> true);
    }

    /// The carrier plays on to the next mark.
    private void echo() {
      boolean lost = random.nextInt(10) == 0;
      for (Object next = buffer.pollFirst(); next != null; next = buffer.pollFirst()) {
        if (next instanceof String mark) {
          if (!lost) {
            call.carrier(new CarrierEvent.Played(mark));
          }
          return;
        }
        Played audio = (Played) next;
        heard.merge(audio.item, audio.milliseconds, Integer::sum);
      }
    }

    private record Played(String item, int milliseconds) {}

    private void release() {
      List<String> waiting = new ArrayList<>(gates.keySet());
      if (!waiting.isEmpty()) {
        CountDownLatch gate = gates.remove(waiting.get(random.nextInt(waiting.size())));
        gate.countDown();
        settle();
      }
    }

    /// After ten seconds without a sign of the engine the way is free again.
    private boolean isStuck() {
      return call.time.elapsed().minus(lastSign).compareTo(Duration.ofSeconds(10)) >= 0;
    }

    private void check() {
      List<String> wire = call.wire;
      for (; seen < wire.size(); seen++) {
        String one = wire.get(seen);
        String[] words = one.split(" ", 3);
        switch (words[0]) {
          case "create" -> {
            assertThat(pending && !isStuck())
                .as("two creates in flight: %s, %s, %s", wire, trace, lastSign)
                .isFalse();
            lastSign = call.time.elapsed();
            pending = true;
            created = false;
            cancelled = false;
          }
          case "cancel" -> {
            cancelled = true;
            lastSign = call.time.elapsed();
          }
          case "play" -> {
            int milliseconds = Integer.parseInt(words[1]);
            sent.merge(playing, milliseconds, Integer::sum);
            buffer.addLast(new Played(playing, milliseconds));
          }
          case "mark" -> buffer.addLast(words[1]);
          case "clear" -> {
            silenced = true;
            buffer.clear();
          }
          case "truncate" -> {
            int at = Integer.parseInt(words[2]);
            assertThat(at).isLessThanOrEqualTo(sent.getOrDefault(words[1], 0));
            assertThat(at).isLessThanOrEqualTo(heard.getOrDefault(words[1], 0));
          }
          case "output" -> {
            assertThat(completed).contains(words[1]);
            assertThat(outputs.add(words[1])).as("one output for %s", words[1]).isTrue();
          }
          case "rest" -> {
            rest++;
            assertThat(call.refusal != null || rest <= 1).as("one end: %s", wire).isTrue();
          }
          default -> {}
        }
      }
    }

    private void finish() {
      // All that is on its way comes to its end; then each completed call has its output.
      Awaitility.await(toString()).pollInSameThread().until(this::isSettled);
      assertThat(call.notes).noneMatch(note -> note.contains("\"store\""));
      gates.values().forEach(CountDownLatch::countDown);
      if (call.ended.isEmpty()) {
        call.carrier(new CarrierEvent.Disconnected());
        call.carrier(new CarrierEvent.Status("completed"));
      }
      call.until(() -> {
        gates.values().forEach(CountDownLatch::countDown);
        return !call.ended.isEmpty();
      });
      assertThat(call.ended).hasSize(1);
      assertThat(call.time.alarms()).as("alarms of an ended call").isZero();
      assertThat(limited.get()).isLessThanOrEqualTo(1);
    }

    /// Whether all is done that was on its way; goes on with it where it is not.
    private boolean isSettled() {
      if (outputs.containsAll(completed) || call.session.isOver()) {
        return true;
      }
      List.copyOf(gates.values()).forEach(CountDownLatch::countDown);
      if (pending) {
        engine();
        if (created) {
          end(EngineEvent.Status.COMPLETED);
        }
      }
      echo();
      call.engine(new EngineEvent.SpeechStopped());
      call.engine(new EngineEvent.Committed("last" + items, null));
      items++;
      call.advance(Duration.ofSeconds(2));
      settle();
      check();
      return false;
    }
  }
}
