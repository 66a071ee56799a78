package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.StopReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The decisions of the rules about the beginning and the end of the loop: pure functions.
public final class LoopControl {
  private static final int REMINDERS = 2;
  private static final int REFUSALS_UNTIL_REMINDED = 2;
  private static final int REFUSALS_UNTIL_FORCED = 3;

  private LoopControl() {}

  /// How the loop continues after a round. The first case that applies: it was stopped; a terminal
  /// result, a tool that ends the loop, or a delayed exit requests the end; there are results to
  /// return to the model; there was only text, which requests the end.
  ///
  /// While one of some tools has to be next, text brings reminders, then the end. While a tool is
  /// required before the end, the first request brings a reminder, the second a stronger one, the
  /// third the runtime's own calls; a round of results continues. A delayed exit takes effect
  /// unchanged.
  ///
  /// @param takesNoArguments whether the tool of that name can be called with `{}`
  public static LoopStep decide(
      RuleSet rules, RuleState state, RoundEnd end, Predicate<String> takesNoArguments) {
    List<String> unmet = rules.unmet(state);
    if (end.stop() != null) {
      return new LoopStep(new LoopDecision.Exit(end.stop(), unmet), state);
    }
    RoundEnd.Exit exit = RoundEnd.Exit.first(state.held(), end.exit());
    boolean goesOn = exit == null || !unmet.isEmpty() && end.exit() == null;
    if (end.results() && goesOn) {
      List<String> heldFor = state.held() == null ? List.of() : unmet;
      return new LoopStep(new LoopDecision.Continue(heldFor), state);
    }
    RoundEnd.Exit wish = exit == null ? new RoundEnd.Exit(StopReason.END_TURN, null) : exit;
    List<String> next = exit == null ? rules.next(state) : List.of();
    if (unmet.isEmpty() && (next.isEmpty() || state.reminders() == REMINDERS)) {
      return new LoopStep(ended(wish, unmet), state);
    }
    RuleState holding = exit == null ? state : state.holding(exit);
    if (state.reminders() < REMINDERS) {
      return new LoopStep(reminder(state.reminders() + 1, unmet, next), holding.reminded());
    }
    List<String> forced = finishing(rules, state, takesNoArguments);
    LoopDecision last =
        forced.isEmpty()
            ? ended(wish, unmet)
            : new LoopDecision.Force(forced, wish.reason(), wish.message(), wish.said());
    return new LoopStep(last, holding);
  }

  private static LoopDecision ended(RoundEnd.Exit exit, List<String> unmet) {
    return new LoopDecision.Exit(exit.reason(), unmet, exit.message(), exit.said());
  }

  /// The tools that are still required before the end and need no arguments, by priority, but each
  /// after those that its rules require first.
  ///
  /// @param takesNoArguments whether the tool of that name can be called with `{}`
  public static List<String> finishing(
      RuleSet rules, RuleState state, Predicate<String> takesNoArguments) {
    return inOrder(rules, rules.unmet(state).stream().filter(takesNoArguments).toList());
  }

  /// @param next the tools of which one has to be called next
  private static LoopDecision reminder(int strength, List<String> unmet, List<String> next) {
    List<String> all = Stream.concat(unmet.stream(), next.stream()).distinct().toList();
    String names = next.isEmpty() ? String.join(", ", unmet) : nextFirst(next);
    String text =
        strength == 1
            ? "Before the end, call " + names + "."
            : "Last reminder: call " + names + " now, before anything else.";
    return new LoopDecision.Remind(strength, all, text);
  }

  /// While one of these has to be next, no other tool may be called.
  private static String nextFirst(List<String> next) {
    return next.size() == 1 ? next.getFirst() : "one of " + String.join(", ", next);
  }

  /// The start tools that the runtime calls before the first round, by priority, but each after
  /// those that it waits for: those with `auto` that have not succeeded and whose arguments are
  /// known.
  ///
  /// @param takesNoArguments whether the tool of that name can be called with `{}`
  public static List<StartCall> startCalls(
      RuleSet rules, RuleState state, Tallies agent, Predicate<String> takesNoArguments) {
    return calls(rules, unmet(rules, state, agent, StartTool::auto), takesNoArguments);
  }

  /// The reminder of start tools for the next request to the model, once two calls of the turn were
  /// refused for them; null for none.
  public static @Nullable String startReminder(RuleSet rules, RuleState state, Tallies agent) {
    if (state.startRefusals() < REFUSALS_UNTIL_REMINDED) {
      return null;
    }
    List<StartTool> unmet = unmet(rules, state, agent, start -> true);
    String names = String.join(", ", unmet.stream().map(StartTool::name).distinct().toList());
    return unmet.isEmpty()
        ? null
        : "Call " + names + " first: every other tool is refused until then.";
  }

  /// What follows a call that was refused because start tools had not run: the first time in a turn
  /// nothing, the second a reminder, the third the runtime's calls.
  ///
  /// @param state before the refusal
  /// @param takesNoArguments whether the tool of that name can be called with `{}`
  public static StartStep startRefused(
      RuleSet rules, RuleState state, Tallies agent, Predicate<String> takesNoArguments) {
    RuleState next = state.startRefused();
    List<StartTool> unmet = unmet(rules, state, agent, start -> true);
    List<StartCall> forced =
        next.startRefusals() == REFUSALS_UNTIL_FORCED
            ? calls(rules, unmet, takesNoArguments)
            : List.of();
    return new StartStep(next, startReminder(rules, next, agent), forced);
  }

  private static List<StartTool> unmet(
      RuleSet rules, RuleState state, Tallies agent, Predicate<StartTool> which) {
    return rules.starts().stream()
        .filter(start -> which.test(start) && !start.isMet(state, agent))
        .toList();
  }

  private static List<StartCall> calls(
      RuleSet rules, List<StartTool> starts, Predicate<String> takesNoArguments) {
    Map<String, StartCall> calls = new LinkedHashMap<>();
    for (StartTool start : starts) {
      Json args = start.args();
      if (args != null || takesNoArguments.test(start.name())) {
        StartCall call = new StartCall(start.name(), args == null ? Json.EMPTY_OBJECT : args);
        calls.putIfAbsent(start.name(), call);
      }
    }
    return inOrder(rules, List.copyOf(calls.keySet())).stream()
        .flatMap(name -> Stream.ofNullable(calls.get(name)))
        .toList();
  }

  /// The names in order, but each after those that its rules require first.
  private static List<String> inOrder(RuleSet rules, List<String> names) {
    List<String> left = new ArrayList<>(names);
    List<String> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      String next =
          left.stream()
              .filter(name -> left.stream().noneMatch(other -> rules.isFirst(other, name)))
              .findFirst()
              .orElse(left.getFirst());
      left.remove(next);
      ordered.add(next);
    }
    return ordered;
  }
}
