package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.NaiveRules;
import dev.switchboard.ruling.Violation;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random rules and calls through the door, one after the other, with turns, conversations and
/// restarts between: it decides as [NaiveRules] does.
class DoorRulesPropertyTest {
  private static final int SEQUENCES = PropertySize.of(300);
  private static final int STEPS = 40;

  @Test
  void agreesWithANaiveModel() {
    long first = new Random().nextLong();
    for (long seed = first; seed < first + SEQUENCES; seed++) {
      try {
        new Sequence(new Random(seed)).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static final class Sequence {
    private final Random random;
    private final RandomRules lots;
    private final List<ToolRule> rules;
    private final NaiveRules naive;
    private final ManualTime time = new ManualTime();
    private final KeptConversations store = new KeptConversations();
    private final List<Event> events = new ArrayList<>();
    private ToolExecutor executor;
    private ToolSession session;
    private int conversation;
    private int calls;
    private boolean exited;

    Sequence(Random random) {
      this.random = random;
      lots = new RandomRules(random);
      rules = lots.rules(7);
      naive = new NaiveRules(rules);
      executor = newExecutor();
      session = newSession();
    }

    private ToolExecutor newExecutor() {
      return RandomRules.executor(rules, store, time, this::work);
    }

    private ToolSession newSession() {
      return ToolSession.builder("c" + conversation).store(store).events(events::add).build();
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        switch (random.nextInt(12)) {
          case 0 -> nextTurn();
          case 1 -> nextConversation();
          case 2 -> time.advance(Duration.ofNanos(random.nextInt(900) * 1_000_001L));
          case 3 -> {
            executor = newExecutor();
            session = newSession();
          }
          default -> call();
        }
      }
      assertThat(events.stream().filter(Event.ToolCalled.class::isInstance)).hasSize(calls);
      assertThat(events.stream().filter(Event.ToolSettled.class::isInstance)).hasSize(calls);
    }

    private void nextTurn() {
      session.nextTurn();
      naive.nextTurn();
      exited = false;
    }

    private void nextConversation() {
      conversation++;
      session = newSession();
      naive.nextConversation();
      exited = false;
    }

    private void call() {
      ToolCall call = lots.call();
      List<Violation> expected = naive.violations(call, time.now());
      boolean skipped = exited;
      calls++;
      ToolResult result = executor.execute(call, session);
      if (skipped) {
        assertThat(result.code()).isEqualTo(ResultCode.SKIPPED_AFTER_EXIT);
      } else {
        check(call.arguments(), result, expected);
        exited |= result.success() && exits(call.name());
      }
      assertThat(session.exited()).isEqualTo(exited);
    }

    private static void check(Json arguments, ToolResult result, List<Violation> expected) {
      if (expected.isEmpty()) {
        assertThat(result.violation()).isNull();
        assertThat(result.success()).isEqualTo(!arguments.tree().path("fails").asBoolean());
      } else {
        assertThat(result.violation()).isEqualTo(expected.getFirst().name());
      }
    }

    private boolean exits(String tool) {
      return rules.stream()
          .anyMatch(rule -> rule.type() instanceof RuleType.ExitLoop && rule.isFor(tool));
    }

    /// What a tool does: it ran, hence its start counts; its own calls count as well.
    private void work(String tool, Json arguments, ToolContext context) {
      int use = naive.start(tool, time.now());
      String inner = arguments.tree().path("inner").asString("");
      if (!inner.isEmpty()) {
        Json given = RandomRules.innerArguments(arguments);
        List<Violation> expected = naive.violations(ToolCall.of(inner, given), time.now());
        calls++;
        check(given, context.tools().call(inner, given), expected);
      }
      naive.end(use, !arguments.tree().path("fails").asBoolean());
    }
  }
}
