package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules as one would say them: each decision goes through all rules, and each rule through all
/// that ever happened.
public final class NaiveRules {
  private final List<ToolRule> rules;
  private final List<Use> uses = new ArrayList<>();
  private int turn;
  private int conversation;
  private int step;

  /// A call that started.
  private static final class Use {
    private final String tool;
    private final Instant start;
    private final int turn;
    private final int conversation;
    private @Nullable Boolean success;
    private int step = -1; // in which it succeeded
    private String result = "";

    private Use(String tool, Instant start, int turn, int conversation) {
      this.tool = tool;
      this.start = start;
      this.turn = turn;
      this.conversation = conversation;
    }
  }

  public NaiveRules(List<ToolRule> rules) {
    this.rules =
        rules.stream()
            .sorted(Comparator.comparingInt((ToolRule rule) -> -rule.priority()))
            .toList();
  }

  public int start(String tool, Instant now) {
    uses.add(new Use(tool, now, turn, conversation));
    return uses.size() - 1;
  }

  public void end(int use, boolean success) {
    uses.get(use).success = success;
  }

  /// A call of this turn succeeds with that text.
  void succeed(int use, String result) {
    end(use, true);
    uses.get(use).step = step;
    uses.get(use).result = result;
  }

  void endStep() {
    step++;
  }

  /// The successes of the last step of the turn that had some.
  private List<Use> latest() {
    int last =
        uses.stream()
            .filter(use -> use.turn == turn && use.step < step)
            .mapToInt(use -> use.step)
            .max()
            .orElse(-1);
    return uses.stream().filter(use -> use.turn == turn && use.step == last && last >= 0).toList();
  }

  /// The tools that may be next, null for any.
  @Nullable Set<String> next() {
    Set<String> next = null;
    for (Use use : latest()) {
      for (ToolRule rule : rules) {
        boolean mine = rule.tool().equals(use.tool) || rule.tool().equals("*");
        Set<String> limit =
            mine && !isExempt(rule, use.tool, rule.type().tools())
                ? limit(rule.type(), use.result)
                : null;
        if (limit != null) {
          next = new HashSet<>(next == null ? limit : next);
          next.retainAll(limit);
        }
      }
    }
    return next;
  }

  private static @Nullable Set<String> limit(RuleType type, String result) {
    return switch (type) {
      case RuleType.Child(var children, var args) -> children;
      case RuleType.Parent(var children) -> children;
      case RuleType.Conditional(var mapping, var at, var otherwise, boolean required) -> {
        String tool = mapping.getOrDefault(result, otherwise);
        yield tool != null ? Set.of(tool) : required ? Set.of() : null;
      }
      default -> null;
    };
  }

  private boolean isNotNext(String tool) {
    Set<String> next = next();
    return next != null && !next.contains(tool);
  }

  private boolean isRightAfter(String parent, Set<String> children) {
    return latest().stream()
        .anyMatch(
            use -> parent.equals("*") ? !children.contains(use.tool) : use.tool.equals(parent));
  }

  /// The tools that are due.
  Set<String> due(List<String> tools, Instant now, Instant conversationBegan, Instant turnBegan) {
    Set<String> due = new HashSet<>();
    for (ToolRule rule : rules) {
      if (rule.type() instanceof RuleType.Periodic(var every)) {
        for (String tool : tools) {
          List<Use> own = uses(rule, tool);
          Instant began = rule.scope() == ToolRule.Scope.TURN ? turnBegan : conversationBegan;
          Instant since = own.isEmpty() ? began : own.getLast().start;
          if (rule.isFor(tool) && !now.isBefore(since.plus(every))) {
            due.add(tool);
          }
        }
      }
    }
    return due;
  }

  public void nextTurn() {
    turn++;
  }

  public void nextConversation() {
    turn++;
    conversation++;
  }

  public List<Violation> violations(ToolCall call, Instant now) {
    List<Violation> found = new ArrayList<>();
    for (ToolRule rule : rules) {
      Violation violation = violation(rule, call, now);
      if (violation != null && !found.contains(violation)) {
        found.add(violation);
      }
    }
    return found;
  }

  private @Nullable Violation violation(ToolRule rule, ToolCall call, Instant now) {
    String tool = call.name();
    boolean mine = rule.tool().equals("*") || rule.tool().equals(tool);
    return switch (rule.type()) {
      case RuleType.StartConstraint start ->
          !isStart(tool) && !succeeded(rule, rule.tool())
              ? Violation.START_CONSTRAINTS_NOT_MET
              : null;
      case RuleType.RequiresPreceding(var tools) ->
          mine && !isExempt(rule, tool, tools) && !allSucceeded(rule, tools)
              ? Violation.PREREQUISITES_NOT_MET
              : null;
      case RuleType.RequiresFollowing(var tools) ->
          mine
                  && !isExempt(rule, tool, tools)
                  && tools.stream().anyMatch(each -> succeeded(rule, each))
              ? Violation.ORDERING_VIOLATION
              : null;
      case RuleType.MaxCalls(int max) ->
          mine && uses(rule, tool).size() >= max ? Violation.MAX_CALLS_EXCEEDED : null;
      case RuleType.Cooldown(var length) ->
          mine && cools(rule, tool, length, now) ? Violation.COOLDOWN_ACTIVE : null;
      case RuleType.ExclusiveGroups(var groups) ->
          groups.stream().anyMatch(group -> isTaken(rule, group, tool))
              ? Violation.EXCLUSIVE_GROUP
              : null;
      case RuleType.Forbidden forbidden -> mine ? Violation.FORBIDDEN : null;
      case RuleType.AllowedOperations(var operations) ->
          mine && !mayBe(operation(call.arguments()), operations)
              ? Violation.OPERATION_NOT_ALLOWED
              : null;
      case RuleType.ExitLoop exit -> null;
      case RuleType.ContinueLoop more -> null;
      case RuleType.RequiredBeforeExit required -> null;
      case RuleType.RequiredBeforeExitIf required -> null;
      case RuleType.RequiresConsent consent -> null;
      case RuleType.Child child -> isNotNext(tool) ? Violation.NOT_ALLOWED_NEXT : null;
      case RuleType.Conditional conditional -> isNotNext(tool) ? Violation.NOT_ALLOWED_NEXT : null;
      case RuleType.Parent(var children) ->
          isNotNext(tool) || children.contains(tool) && !isRightAfter(rule.tool(), children)
              ? Violation.NOT_ALLOWED_NEXT
              : null;
      case RuleType.Periodic periodic -> null;
      case RuleType.Needed needed -> null;
    };
  }

  private static boolean mayBe(@Nullable String operation, List<String> operations) {
    return operation == null || operations.contains(operation);
  }

  private static @Nullable String operation(Json arguments) {
    return arguments.tree().path("operation").stringValue(null);
  }

  private boolean isStart(String tool) {
    return rules.stream()
        .anyMatch(
            rule -> rule.type() instanceof RuleType.StartConstraint && rule.tool().equals(tool));
  }

  private static boolean isExempt(ToolRule rule, String tool, List<String> tools) {
    return rule.tool().equals("*") && tools.contains(tool);
  }

  private List<Use> uses(ToolRule rule, String tool) {
    return uses.stream()
        .filter(use -> use.tool.equals(tool))
        .filter(use ->
            switch (rule.scope()) {
              case TURN -> use.turn == turn;
              case CONVERSATION -> use.conversation == conversation;
              case AGENT -> true;
            })
        .toList();
  }

  private boolean succeeded(ToolRule rule, String tool) {
    return uses(rule, tool).stream().anyMatch(use -> Boolean.TRUE.equals(use.success));
  }

  private boolean allSucceeded(ToolRule rule, List<String> tools) {
    return tools.stream().allMatch(tool -> succeeded(rule, tool));
  }

  private boolean cools(ToolRule rule, String tool, Duration length, Instant now) {
    List<Use> own = uses(rule, tool);
    return !own.isEmpty() && now.isBefore(own.getLast().start.plus(length));
  }

  private boolean isTaken(ToolRule rule, Set<String> group, String tool) {
    return group.contains(tool)
        && group.stream()
            .filter(other -> !other.equals(tool))
            .flatMap(other -> uses(rule, other).stream())
            .anyMatch(use -> !Boolean.FALSE.equals(use.success));
  }

  /// What has to succeed before the end and has not.
  Set<String> unmet(List<String> tools) {
    Set<String> unmet = new HashSet<>();
    for (ToolRule rule : rules) {
      boolean required =
          rule.type() instanceof RuleType.RequiredBeforeExit
              || rule.type() instanceof RuleType.RequiredBeforeExitIf(var conditions)
                  && allSucceeded(rule, conditions);
      tools.stream()
          .filter(tool -> required && rule.isFor(tool) && !succeeded(rule, tool))
          .forEach(unmet::add);
    }
    return unmet;
  }

  /// How often a tool was started where a rule limits it.
  boolean exceedsALimit(List<String> tools) {
    return rules.stream()
        .anyMatch(rule ->
            rule.type() instanceof RuleType.MaxCalls(int max)
                && tools.stream()
                    .anyMatch(tool -> rule.isFor(tool) && uses(rule, tool).size() > max));
  }
}
