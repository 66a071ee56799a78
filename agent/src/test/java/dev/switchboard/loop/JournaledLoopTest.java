package dev.switchboard.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.state.LoopState;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A durable host keeps what each effect came to under its key, and answers from that when the loop
/// is begun anew: wherever its process dies, the steps are the same, and the world is touched once.
class JournaledLoopTest {
  private static final Object NOTHING = new Object();
  private static final List<ConsentRequest.Demand> ASKED =
      List.of(new ConsentRequest.Demand("A rule asks.", null, Json.EMPTY_OBJECT, ""));
  private static final Exhausted LIMIT =
      new Exhausted("day", Json.text("{\"cost\":1.0}"), Json.text("{\"cost\":1.1}"));
  private static final AgentLoop LOOP = new AgentLoop(4, true);

  /// A world in which anything may happen, in an order that its seed decides.
  private static final class World implements Effects {
    private final RandomGenerator random;
    private final Map<String, ConsentRequest> waiting = new LinkedHashMap<>();
    private final Map<String, ToolResult> results = new HashMap<>();
    private final Map<String, TranscriptEntry.ModelOutcome> asked = new HashMap<>();
    private int budgetRequests;
    private int touched;

    World(long seed) {
      random = new SplittableRandom(seed);
    }

    private boolean oneIn(int times) {
      return random.nextInt(times) == 0;
    }

    @Override
    public TranscriptEntry.Said begin(String key, Input.Said said) {
      touched++;
      String refusal = oneIn(6) ? "No." : null;
      return new TranscriptEntry.Said(
          said.id(), said.text(), said.run(), 1, List.of(), null, refusal, null);
    }

    @Override
    public void start(String key) {
      touched++;
    }

    @Override
    public Spend spend(String key, int turn, int round, int number) {
      touched++;
      if (asked.containsKey(LoopState.roundKey(turn, round, "model"))) {
        return Spend.ALLOWED;
      }
      String id = "spend_" + turn + "_" + round + "_" + number;
      ToolResult known = results.get(id);
      if (known != null) {
        return "done".equals(known.text()) ? Spend.RAISED : new Spend.Over(LIMIT);
      }
      if (!waiting.containsKey(id)) {
        switch (random.nextInt(8)) {
          case 0 -> {
            return new Spend.Over(LIMIT);
          }
          case 1, 2 -> {
            budgetRequests++;
            waiting.put(
                id,
                new ConsentRequest(
                    "c",
                    new ToolCall(id, "continue_spending", LIMIT.arguments()),
                    ToolMode.LOCAL,
                    ASKED,
                    Instant.EPOCH));
          }
          default -> {
            return Spend.ALLOWED;
          }
        }
      }
      return new Spend.Asks(Objects.requireNonNull(waiting.get(id)));
    }

    @Override
    public TranscriptEntry.@Nullable ModelOutcome asked(String key) {
      return asked.get(key);
    }

    @Override
    public TranscriptEntry.ModelOutcome ask(String key, int turn, int round) {
      TranscriptEntry.ModelOutcome outcome = asking(turn, round);
      asked.put(key, outcome);
      return outcome;
    }

    private TranscriptEntry.ModelOutcome asking(int turn, int round) {
      touched++;
      if (oneIn(8)) {
        return new TranscriptEntry.Failed(StopReason.MODEL_TIMEOUT, "Too late.", null);
      }
      List<String> ids =
          IntStream.range(0, random.nextInt(3))
              .mapToObj(number -> "call_" + turn + "_" + round + "_" + number)
              .toList();
      List<RequestedCall> calls =
          ids.stream().map(id -> RequestedCall.of(id, "work", "{}")).toList();
      return new TranscriptEntry.Replied(
          new ModelReply(
              "Word " + random.nextInt(9),
              calls,
              ModelReply.FinishReason.STOP,
              ModelReply.Usage.NONE),
          ids);
    }

    @Override
    public List<CallStep> runAll(String key, List<ToolCall> calls) {
      touched++;
      return calls.stream().map(this::run).toList();
    }

    private CallStep run(ToolCall call) {
      if (!results.containsKey(call.id()) && !waiting.containsKey(call.id())) {
        if (oneIn(2)) {
          waiting.put(
              call.id(), new ConsentRequest("c", call, ToolMode.EXTERNAL, ASKED, Instant.EPOCH));
        } else {
          results.put(call.id(), ToolResult.ok("done"));
        }
      }
      ConsentRequest open = waiting.get(call.id());
      return open == null
          ? new CallStep.Settled(Objects.requireNonNull(results.get(call.id())))
          : new CallStep.Pending(open);
    }

    @Override
    public void answer(String key, String request, Answer answer) {
      touched++;
      if (waiting.remove(request) != null) {
        results.put(request, ToolResult.ok(answer instanceof Answer.Approved ? "done" : "denied"));
      }
    }

    @Override
    public List<ConsentRequest> waiting(String key) {
      touched++;
      if (oneIn(6) && !waiting.isEmpty()) {
        // Its time is over.
        String first = waiting.keySet().iterator().next();
        waiting.remove(first);
        results.put(first, ToolResult.ok("expired"));
      }
      return List.copyOf(waiting.values());
    }

    @Override
    public void hangUp(String key) {
      touched++;
      waiting.keySet().forEach(id -> results.put(id, ToolResult.ok("hung up")));
      waiting.clear();
    }

    @Override
    public TranscriptEntry.Ended endRound(
        String key,
        TranscriptEntry.Replied replied,
        List<ToolResult> all,
        @Nullable StopReason stop) {
      touched++;
      List<String> none = List.of();
      return new TranscriptEntry.Ended(
          List.of(),
          switch (random.nextInt(7)) {
            case 0 -> new LoopDecision.Remind(1, none, "Save it.");
            case 5 -> new LoopDecision.Correct(1, List.of(), "Another form.");
            case 6 -> new LoopDecision.Reject(List.of(), oneIn(2) ? none : List.of("save_it"));
            case 1 -> new LoopDecision.Force(none, StopReason.TOOL_RULE);
            case 2 -> new LoopDecision.Exit(StopReason.END_TURN, none);
            default ->
                stop == null ? new LoopDecision.Continue(none) : new LoopDecision.Exit(stop, none);
          });
    }

    @Override
    public void finish(String key) {
      touched++;
    }

    @Override
    public TranscriptEntry.Closed close(String key, TranscriptEntry.Closed closed) {
      touched++;
      return closed;
    }

    @Override
    public boolean cancelled(String key) {
      touched++;
      return oneIn(15);
    }

    @Override
    public void show(String key, Event event) {}
  }

  private static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /// What survives a process: what each effect was asked for and came to. The process dies behind
  /// the n-th that is new.
  private static final class Journal implements Effects {
    private final World world;
    private final Map<String, Object> outcomes = new HashMap<>();
    private final Map<String, Object> questions = new HashMap<>();
    private int left;

    Journal(World world, int left) {
      this.world = world;
      this.left = left;
    }

    @SuppressWarnings("unchecked")
    private <T> T once(String key, Object question, Supplier<T> effect) {
      assertThat(questions.getOrDefault(key, question)).as(key).isEqualTo(question);
      if (!outcomes.containsKey(key)) {
        questions.put(key, question);
        outcomes.put(key, effect.get());
        left--;
        if (left == 0) {
          throw new Died();
        }
      }
      return (T) outcomes.get(key);
    }

    private void done(String key, Object question, Runnable effect) {
      Object unused =
          once(
              key,
              question,
              () -> {
                effect.run();
                return NOTHING;
              });
    }

    @Override
    public TranscriptEntry.Said begin(String key, Input.Said said) {
      return once(key, said, () -> world.begin(key, said));
    }

    @Override
    public void start(String key) {
      done(key, "start", () -> world.start(key));
    }

    @Override
    public Spend spend(String key, int turn, int round, int number) {
      return once(key, List.of(turn, round, number), () -> world.spend(key, turn, round, number));
    }

    @Override
    public TranscriptEntry.@Nullable ModelOutcome asked(String key) {
      return (TranscriptEntry.ModelOutcome) outcomes.get(key);
    }

    @Override
    public TranscriptEntry.ModelOutcome ask(String key, int turn, int round) {
      return once(key, List.of(turn, round), () -> world.ask(key, turn, round));
    }

    @Override
    public List<CallStep> runAll(String key, List<ToolCall> calls) {
      return once(key, calls, () -> world.runAll(key, calls));
    }

    @Override
    public void answer(String key, String request, Answer answer) {
      done(key, List.of(request, answer), () -> world.answer(key, request, answer));
    }

    @Override
    public List<ConsentRequest> waiting(String key) {
      return once(key, "waiting", () -> world.waiting(key));
    }

    @Override
    public void hangUp(String key) {
      done(key, "hang up", () -> world.hangUp(key));
    }

    @Override
    public TranscriptEntry.Ended endRound(
        String key,
        TranscriptEntry.Replied replied,
        List<ToolResult> results,
        @Nullable StopReason stop) {
      List<String> question = List.of(replied.ids().toString(), results.toString(), "" + stop);
      return once(key, question, () -> world.endRound(key, replied, results, stop));
    }

    @Override
    public void finish(String key) {
      done(key, "finish", () -> world.finish(key));
    }

    @Override
    public TranscriptEntry.Closed close(String key, TranscriptEntry.Closed closed) {
      return once(key, closed, () -> world.close(key, closed));
    }

    @Override
    public boolean cancelled(String key) {
      return once(key, "cancelled", () -> world.cancelled(key));
    }

    @Override
    public void show(String key, Event event) {}
  }

  /// The inputs of a conversation, which may be delivered twice.
  private static List<Input> inputs(long seed) {
    RandomGenerator random = new SplittableRandom(seed + 1_000);
    List<Input> inputs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String id = "i" + i;
      inputs.add(
          switch (random.nextInt(5)) {
            case 0 -> new Input.Resumed(id);
            case 1, 2 ->
                new Input.Answered(
                    id,
                    (random.nextBoolean() ? "call_" : "spend_")
                        + (1 + random.nextInt(3))
                        + "_1_"
                        + random.nextInt(2),
                    random.nextInt(4) == 0 ? Answer.deny("No.") : Answer.approveOnce());
            case 3 ->
                switch (i) {
                  case 5 -> new Input.Cancelled(id, "zoe");
                  case 7 -> new Input.HungUp(id);
                  default -> new Input.Said(id, "word " + i);
                };
            default -> new Input.Said(id, "word " + i);
          });
      if (random.nextInt(4) == 0) {
        inputs.add(inputs.getLast());
      }
    }
    return inputs;
  }

  /// The steps of a conversation whose process dies behind the n-th effect; 0 for never.
  private static List<Step> steps(long seed, World world, int death) {
    Journal journal = new Journal(world, death);
    List<Step> steps = new ArrayList<>();
    LoopState state = LoopState.NEW;
    for (Input input : inputs(seed)) {
      Step step;
      try {
        step = LOOP.advance(journal, state, input);
      } catch (Died e) {
        step = LOOP.advance(journal, state, input);
      }
      steps.add(step);
      state = step.state();
    }
    return steps;
  }

  @Test
  void comesToTheSameWhereverItsProcessDies() {
    int pending = 0;
    int budgets = 0;
    for (long seed = 0; seed < 150; seed++) {
      World whole = new World(seed);
      List<Step> expected = steps(seed, whole, 0);
      budgets += whole.budgetRequests;
      pending += expected.stream().anyMatch(step -> !step.waiting().isEmpty()) ? 1 : 0;
      for (int death = 1; death <= whole.touched; death += 3) {
        World world = new World(seed);
        assertThat(steps(seed, world, death)).as(seed + "/" + death).isEqualTo(expected);
        assertThat(world.touched).isEqualTo(whole.touched);
      }
    }
    assertThat(pending).isGreaterThan(50);
    assertThat(budgets).isGreaterThan(50);
  }
}
