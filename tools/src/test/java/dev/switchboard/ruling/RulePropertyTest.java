package dev.switchboard.ruling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Random rules and calls, with calls that overlap, turns, conversations, a clock that goes on and
/// stores between: the rules decide as [NaiveRules] does.
class RulePropertyTest {
  private static final int SEQUENCES = PropertySize.of("switchboard.sequences", 2_000);
  private static final int STEPS = 40;
  private static final List<String> TOOLS = List.of("a", "b", "c", "d", "e");
  private static final List<String> RESULTS = List.of("yes", "true", "7", "no words");
  private static final List<ToolDefinition> DEFINITIONS =
      TOOLS.stream()
          .map(name ->
              new ToolDefinition(
                  name,
                  "",
                  Json.text("{\"type\":\"object\"}"),
                  false,
                  ToolMode.EXTERNAL,
                  null,
                  null,
                  List.of(),
                  null))
          .toList();
  private static final List<String> OPERATIONS = List.of("read", "write", "delete");

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
    /// A call that runs, with its place in the list of all.
    private record Running(String tool, int use, boolean old) {}

    private final Random random;
    private final RuleSet rules;
    private final NaiveRules naive;
    private List<Running> running = new ArrayList<>();
    private RuleState state = RuleState.NEW;
    private Tallies agent = Tallies.NONE;
    private Instant now = Instant.parse("2026-01-01T00:00:00.000000001Z");
    private Instant conversationBegan = now;
    private Instant turnBegan = now;

    Sequence(Random random) {
      this.random = random;
      List<ToolRule> stated = Stream.generate(this::rule).limit(random.nextInt(8)).toList();
      rules = RuleSet.of(stated, List.of(), Map.of(), TOOLS);
      naive = new NaiveRules(stated);
      state = state.begun(now);
    }

    private ToolRule rule() {
      RuleType type = type();
      boolean start = type instanceof RuleType.StartConstraint;
      String tool = !start && random.nextInt(4) == 0 ? ToolRule.ANY : any(TOOLS);
      boolean required =
          type instanceof RuleType.RequiredBeforeExit
              || type instanceof RuleType.RequiredBeforeExitIf;
      boolean steps = type.usualScope() == ToolRule.Scope.TURN;
      ToolRule.Scope scope = ToolRule.Scope.values()[steps ? 0 : random.nextInt(required ? 2 : 3)];
      return ToolRule.of(tool, type).scope(scope).priority(1 + random.nextInt(10));
    }

    private RuleType type() {
      RuleKind kind = RuleKind.values()[random.nextInt(RuleKind.values().length)];
      if (kind == RuleKind.FORBIDDEN && random.nextInt(3) > 0) {
        return new RuleType.ExitLoop();
      }
      int least = kind == RuleKind.PERIODIC ? 1 : 0;
      return kind.given(
          switch (kind.form()) {
            case NOTHING, CONSENT -> RuleType.NOTHING;
            case TOOLS -> Json.of(some(TOOLS, 2));
            case OPERATIONS -> Json.of(some(OPERATIONS, 2));
            case GROUPS -> Json.of(groups());
            case COUNT -> Json.of(random.nextInt(4));
            case LENGTH -> Json.of(500 * (random.nextInt(4) + least) + "ms");
            case START -> Json.text("{\"auto\":" + random.nextBoolean() + "}");
            case CHILDREN -> Json.of(some(TOOLS, 3));
            case MAPPING -> mapping();
          });
    }

    private Json mapping() {
      Map<String, Object> value = new HashMap<>();
      value.put("mapping", Map.of(any(RESULTS), any(TOOLS)));
      if (random.nextBoolean()) {
        value.put("default", any(TOOLS));
      }
      value.put("require_match", random.nextBoolean());
      return Json.of(value);
    }

    private List<List<String>> groups() {
      List<List<String>> groups = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        groups.add(some(TOOLS, 3));
      }
      return groups;
    }

    private String any(List<String> names) {
      return names.get(random.nextInt(names.size()));
    }

    private List<String> some(List<String> names, int most) {
      return Stream.generate(() -> any(names)).limit(random.nextInt(most + 1)).toList();
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        switch (random.nextInt(18)) {
          case 0 -> next(false);
          case 1 -> next(true);
          case 2, 3 -> now = now.plusNanos(random.nextInt(700) * 1_000_001L);
          case 4 -> store();
          case 5, 6, 7 -> end();
          case 16, 17 -> endStep();
          default -> call();
        }
        assertThat(new HashSet<>(rules.unmet(state))).isEqualTo(naive.unmet(TOOLS));
        assertThat(naive.exceedsALimit(TOOLS)).isFalse();
        assertThat(new HashSet<>(rules.due(state, agent, now)))
            .isEqualTo(naive.due(TOOLS, now, conversationBegan, turnBegan));
        offers();
      }
    }

    /// What is offered is what may run.
    private void offers() {
      List<String> offered =
          rules.offer(DEFINITIONS, state, agent, now).tools().stream()
              .map(ToolDefinition::name)
              .toList();

      assertThat(offered)
          .isEqualTo(
              TOOLS.stream()
                  .filter(tool -> naive.violations(ToolCall.of(tool, "{}"), now).isEmpty())
                  .toList());
      Set<String> next = naive.next();
      assertThat(new HashSet<>(rules.next(state))).isEqualTo(next == null ? Set.of() : next);
    }

    private void endStep() {
      state = state.stepEnded();
      naive.endStep();
    }

    /// A turn begins when all rests, or a call of the last one is left to end by itself.
    private void next(boolean conversation) {
      while (running.size() > (conversation ? 0 : 1)) {
        end();
      }
      naive.endStep();
      turnBegan = now;
      conversationBegan = conversation ? now : conversationBegan;
      state = (conversation ? RuleState.NEW : state.nextTurn()).begun(now);
      if (conversation) {
        naive.nextConversation();
      } else {
        naive.nextTurn();
      }
      running =
          new ArrayList<>(
              running.stream().map(one -> new Running(one.tool, one.use, true)).toList());
    }

    private void store() {
      state = Records.read(Records.write(state).tree(), RuleState.class);
      agent = Records.read(Records.write(agent).tree(), Tallies.class);
    }

    private void end() {
      if (running.isEmpty()) {
        return;
      }
      Running one = running.remove(random.nextInt(running.size()));
      boolean success = random.nextInt(3) > 0;
      String text = any(RESULTS);
      if (success && !one.old) {
        naive.succeed(one.use, text);
      } else {
        naive.end(one.use, success);
      }
      ToolChecks checks = rules.checks(one.tool);
      state = checks.counted() ? state.ended(one.tool, success) : state;
      ToolResult result = success ? ToolResult.ok(text) : ToolResult.error(text);
      state = one.old ? state : checks.ended(state, one.tool, result);
      agent = checks.countedByAgent() ? agent.ended(one.tool, success) : agent;
    }

    private void call() {
      String tool = any(TOOLS);
      if (running.stream().anyMatch(one -> one.old && one.tool.equals(tool))) {
        return;
      }
      ToolCall call = ToolCall.of(tool, "{\"operation\":\"" + any(OPERATIONS) + "\"}");
      ToolChecks checks = rules.checks(tool);
      Tallies seen = checks.readsAgent() ? agent : Tallies.NONE;
      List<Violation> expected = naive.violations(call, now);

      switch (checks.evaluate(state, seen, call, now)) {
        case Decision.Allowed allowed -> {
          assertThat(expected).isEmpty();
          start(tool, checks);
        }
        case Decision.Denied denied -> {
          assertThat(denied.violation()).isEqualTo(expected.getFirst());
          assertThat(all(denied)).isEqualTo(new HashSet<>(expected));
          assertThat(checks.isEmpty()).isFalse();
        }
      }
    }

    private static Set<Violation> all(Decision.Denied denied) {
      Set<Violation> all = new HashSet<>(List.of(denied.violation()));
      denied.others().forEach(other -> all.add(other.violation()));
      return all;
    }

    private void start(String tool, ToolChecks checks) {
      running.add(new Running(tool, naive.start(tool, now), false));
      state = checks.counted() ? state.started(tool, now) : state;
      agent = checks.countedByAgent() ? agent.started(tool, now) : agent;
    }
  }
}
