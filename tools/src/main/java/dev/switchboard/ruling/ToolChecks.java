package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Decision.Denied;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The compiled rules for the calls of a tool. Immutable and thread-safe.
public final class ToolChecks {
  private static final Json NOTHING = Json.text("{\"type\":\"object\",\"not\":{}}");

  private final Check[] checks;
  private final Set<String> names;
  private final List<ToolRule> consent;
  private final @Nullable Operations operations;
  private final boolean exitsLoop;
  private final boolean forbidden;
  private final boolean readsAgent;
  private final Counted counted;
  private final Succession succession;
  private final ToolChecks ofRuntime;
  private final boolean atTurn; // whether each call is judged as the first of a turn

  /// Where the uses of the tool have to be counted.
  record Counted(boolean inConversation, boolean byAgent) {}

  /// @param checks by priority
  /// @param rules of the tool, by priority
  /// @param succession the rules about the step after it
  ToolChecks(List<Check> checks, List<ToolRule> rules, Counted counted, Succession succession) {
    this.checks = checks.toArray(Check[]::new);
    this.counted = counted;
    this.succession = succession;
    names =
        checks.stream()
            .flatMap(check -> check.names().stream())
            .collect(Collectors.toUnmodifiableSet());
    operations =
        checks.stream()
            .filter(Check.Operation.class::isInstance)
            .map(check -> ((Check.Operation) check).left())
            .findFirst()
            .orElse(null);
    readsAgent = checks.stream().anyMatch(check -> check.scope() == ToolRule.Scope.AGENT);
    forbidden = checks.stream().anyMatch(Check.Never.class::isInstance);
    consent =
        rules.stream().filter(rule -> rule.type() instanceof RuleType.RequiresConsent).toList();
    exitsLoop = exitsLoop(rules);
    List<Check> others = checks.stream().filter(check -> !(check instanceof Check.Next)).toList();
    ofRuntime =
        others.size() == checks.size() ? this : new ToolChecks(others, rules, counted, succession);
    atTurn = false;
  }

  private ToolChecks(ToolChecks other) {
    checks = other.checks;
    names = other.names;
    consent = other.consent;
    operations = other.operations;
    exitsLoop = other.exitsLoop;
    forbidden = other.forbidden;
    readsAgent = other.readsAgent;
    counted = other.counted;
    succession = other.succession;
    ofRuntime = other.ofRuntime;
    atTurn = true;
  }

  /// The checks of calls that no model makes: without the rules about which tool has to be next.
  public ToolChecks ofRuntime() {
    return ofRuntime;
  }

  /// The checks of calls that each are a turn: what other calls of a turn have done does not count.
  public ToolChecks ofTurns() {
    return new ToolChecks(this);
  }

  /// A rule by the tool's name that the loop continues is an exception to one for all.
  private static boolean exitsLoop(List<ToolRule> rules) {
    boolean all = false;
    boolean byName = false;
    boolean goesOn = false;
    for (ToolRule rule : rules) {
      boolean any = rule.tool().equals(ToolRule.ANY);
      boolean exit = rule.type() instanceof RuleType.ExitLoop;
      all |= exit && any;
      byName |= exit && !any;
      goesOn |= rule.type() instanceof RuleType.ContinueLoop && !any;
    }
    return byName || all && !goesOn;
  }

  /// Whether the call may run now. The cost grows with the rules of the tool alone.
  ///
  /// @param state of the conversation
  /// @param agent uses over all conversations; read only if [#readsAgent]
  public Decision evaluate(RuleState state, Tallies agent, ToolCall call, Instant now) {
    RuleState seen = atTurn ? state.nextTurn() : state;
    for (Check check : checks) {
      if (check.refuses(call, seen, agent, now)) {
        return denied(seen, agent, call, now);
      }
    }
    return Decision.ALLOWED;
  }

  private Decision denied(RuleState state, Tallies agent, ToolCall call, Instant now) {
    List<Denied> reasons =
        Arrays.stream(checks)
            .filter(check -> check.refuses(call, state, agent, now))
            .map(check -> named(check, state, agent, call, now))
            .map(check -> reason(check, state, agent, call, now))
            .distinct()
            .toList();
    Denied first = reasons.getFirst();
    return new Denied(
        first.violation(), first.sentence(), first.hint(), reasons.subList(1, reasons.size()));
  }

  /// Of several cooldowns the longest is reported.
  private Check named(Check check, RuleState state, Tallies agent, ToolCall call, Instant now) {
    if (!(check instanceof Check.Pause)) {
      return check;
    }
    return Arrays.stream(checks)
        .filter(Check.Pause.class::isInstance)
        .map(Check.Pause.class::cast)
        .filter(pause -> pause.refuses(call, state, agent, now))
        .max(Comparator.comparing(pause -> pause.left(call, state, agent, now)))
        .orElseThrow();
  }

  private static Denied reason(
      Check check, RuleState state, Tallies agent, ToolCall call, Instant now) {
    String sentence = check.sentence(call, state, agent, now);
    return new Denied(check.violation(), sentence, check.hint(state), List.of());
  }

  /// Whether every call may run.
  public boolean isEmpty() {
    return checks.length == 0;
  }

  /// Whether a decision needs the uses over all conversations.
  public boolean readsAgent() {
    return readsAgent;
  }

  /// Whether a rule counts the uses of the tool in a turn or a conversation.
  public boolean counted() {
    return counted.inConversation;
  }

  /// Whether a rule counts the uses of the tool over all conversations.
  public boolean countedByAgent() {
    return counted.byAgent;
  }

  /// Whether the outcome of a call of one of the other tools decides about this one, so that it has
  /// to wait. The cost grows with the rules of this tool alone.
  public boolean dependsOn(Set<String> others) {
    for (String name : names) {
      if (others.contains(name)) {
        return true;
      }
    }
    return false;
  }

  /// The rules that require a person's consent, by priority.
  public List<ToolRule> consent() {
    return consent;
  }

  /// Whether a success of the tool ends the loop.
  public boolean exitsLoop() {
    return exitsLoop;
  }

  /// Whether a conversation has to know which calls of the tool have started and not ended: their
  /// start is counted, or rules follow their end, which a crash must not repeat.
  public boolean matter() {
    return counted() || countedByAgent() || exitsLoop || succession.counts();
  }

  /// The state after the end of a call of the loop: a success limits the next step.
  public RuleState ended(RuleState state, String tool, ToolResult result) {
    return result.success() && succession.counts()
        ? state.succeeded(tool, succession.after(result))
        : state;
  }

  /// The members that rules set in a call now, null for none.
  @Nullable ObjectNode prefilled(RuleState state, Tallies agent) {
    return succession.prefills().isEmpty() ? null : succession.prefilled(state, agent);
  }

  /// Whether the tool never runs.
  public boolean forbidden() {
    return forbidden;
  }

  /// The parameters with only the allowed operations; unchanged if possible, a schema that nothing
  /// matches if none is left.
  public Json narrowed(Json parameters) {
    if (operations == null) {
      return parameters;
    }
    Json left = OperationSchema.narrowed(parameters, operations);
    return left == null ? NOTHING : left;
  }

  boolean comesAfter(String other) {
    return namedBy(Check.After.class, other);
  }

  boolean comesBefore(String other) {
    return namedBy(Check.Before.class, other);
  }

  private boolean namedBy(Class<? extends Check> kind, String other) {
    for (Check check : checks) {
      if (kind.isInstance(check) && check.names().contains(other)) {
        return true;
      }
    }
    return false;
  }

  @Nullable Operations operations() {
    return operations;
  }
}
