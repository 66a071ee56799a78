package dev.switchboard.bench;

import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the check of a call against its tool's rules costs, beside the least that a limit can cost:
/// a look-up of a counter and a comparison. Every rule is looked at, and lets the call pass.
final class Rules {
  private static final int CHECKS = 200_000;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ToolCall CALL = ToolCall.of("order", "{\"id\":\"A-1042\"}");

  private final Duel duel;
  private final Map<String, Integer> counters = new HashMap<>();

  private Rules(boolean quick) {
    duel = new Duel("%,.1f", 8, quick ? 9 : 31);
    counters.put("order", 2);
    counters.put("load", 1);
  }

  static List<Row> run(boolean quick) throws Exception {
    Rules rules = new Rules(quick);
    List<Row> rows = new ArrayList<>();
    for (int count : new int[] {0, 10, 100}) {
      rows.add(
          rules.besideCounter("a check, %d rules of the tool".formatted(count), set(count, 0)));
    }
    rows.add(rules.besideCounter("a check, 10 rules of the tool of 100", set(10, 90)));
    rows.add(rules.besideCounter("a check, 10 rules about what is next", steps()));
    for (int calls : new int[] {100, 1_000, 10_000, 100_000}) {
      rows.add(rules.history(calls));
    }
    rows.add(rules.counting());
    String bytes = "%,.1f".formatted(rules.bytes(set(10, 0)));
    rows.add(new Row("a check, 10 rules: bytes", bytes, "-", "-"));
    return rows;
  }

  /// @param own rules that the tool's calls have to pass
  /// @param others rules of other tools
  private static RuleSet set(int own, int others) {
    List<ToolRule> rules = new ArrayList<>();
    for (int i = 0; i < own; i++) {
      rules.add(
          switch (i % 5) {
            case 0 -> ToolRule.after("order", "load", "load_" + i);
            case 1 -> ToolRule.before("order", "end_" + i);
            case 2 -> ToolRule.oneOf("order", "other_" + i);
            case 3 -> ToolRule.maxCalls("order", 1_000_000 - i).scope(scope(i)).priority(1 + i % 9);
            default -> ToolRule.cooldown("order", Duration.ofMillis(100L + i)).scope(scope(i));
          });
    }
    for (int i = 0; i < others; i++) {
      rules.add(ToolRule.maxCalls("tool_" + i, 3));
    }
    return RuleSet.of(rules, List.of(), Map.of());
  }

  /// Rules about the next step, and a step before that allows the call.
  private static RuleSet steps() {
    List<ToolRule> rules = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rules.add(
          switch (i % 3) {
            case 0 -> ToolRule.next("load", "order", "other_" + i);
            case 1 -> ToolRule.nextBy("load_" + i, Map.of("yes", "order"));
            default -> ToolRule.onlyAfter("load_" + i, "other_" + i);
          });
    }
    return RuleSet.of(rules, List.of(), Map.of());
  }

  private static ToolRule.Scope scope(int i) {
    return ToolRule.Scope.values()[i / 5 % 3];
  }

  /// A conversation of so many calls of the tool, and of some of so many others.
  private static RuleState after(int calls, int tools) {
    RuleState state = RuleState.NEW;
    for (int i = 0; i < tools; i++) {
      state = used(used(state, "load"), "load_" + i);
    }
    for (int i = 0; i < calls; i++) {
      state = used(state, "order");
    }
    return state.succeeded("load", List.of(Set.of("order", "other"))).stepEnded();
  }

  private static RuleState used(RuleState state, String tool) {
    return state.started(tool, NOW).ended(tool, true);
  }

  private Row besideCounter(String what, RuleSet rules) throws Exception {
    RuleState state = after(10, 100);
    return duel.row(
        what + " / a counter looked up and compared: CPU ns",
        () -> check(rules, state).cpu(),
        () -> counter().cpu());
  }

  private Row history(int calls) throws Exception {
    RuleSet rules = set(10, 0);
    RuleState young = after(10, 100);
    RuleState old = after(calls, 100);
    return duel.row(
        "a check, 10 rules, after %,d calls / after 10: CPU ns".formatted(calls),
        () -> check(rules, old).cpu(),
        () -> check(rules, young).cpu());
  }

  private Row counting() throws Exception {
    RuleState young = after(10, 10);
    RuleState old = after(100_000, 10);
    return duel.row(
        "a start and an end counted, 12 tools, after 100,000 calls / after 10: CPU ns",
        () -> counted(old).cpu(),
        () -> counted(young).cpu());
  }

  private double bytes(RuleSet rules) {
    RuleState state = after(10, 100);
    check(rules, state);
    return check(rules, state).bytes();
  }

  private static Cost check(RuleSet rules, RuleState state) {
    Tallies agent = state.conversation();
    Instant later = NOW.plusSeconds(60);
    Meter before = Meter.now();
    for (int i = 0; i < CHECKS; i++) {
      if (rules.checks(CALL.name()).evaluate(state, agent, CALL, later) != Decision.ALLOWED) {
        throw new IllegalStateException("the call may run");
      }
    }
    return before.since(CHECKS);
  }

  private Cost counter() {
    int found = 0;
    Meter before = Meter.now();
    for (int i = 0; i < CHECKS; i++) {
      found += counters.get(CALL.name()) < 3 + (i & 1) ? 1 : 0;
    }
    Cost cost = before.since(CHECKS);
    if (found != CHECKS) {
      throw new IllegalStateException("the call may run");
    }
    return cost;
  }

  private static Cost counted(RuleState state) {
    int times = CHECKS / 10;
    int started = 0;
    Meter before = Meter.now();
    for (int i = 0; i < times; i++) {
      started += used(state, "order").turn().of("order").started() > 0 ? 1 : 0;
    }
    Cost cost = before.since(times);
    if (started != times) {
      throw new IllegalStateException("a start was lost");
    }
    return cost;
  }
}
