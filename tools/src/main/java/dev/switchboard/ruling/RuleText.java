package dev.switchboard.ruling;

import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.text.Durations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Rules in plain English, for the model and for people.
public final class RuleText {
  private RuleText() {}

  /// The lines of a prompt that state the rules: a heading, and a line for each rule, by priority;
  /// empty if there are none.
  public static String prompt(RuleSet rules) {
    return rules.rules().isEmpty()
        ? ""
        : rules.rules().stream()
            .map(rule -> "\n- " + sentence(rule))
            .collect(Collectors.joining("", "# Tool rules", ""));
  }

  /// The rule as one sentence.
  public static String sentence(ToolRule rule) {
    boolean all = rule.tool().equals(ToolRule.ANY);
    String tool = all ? "any tool" : rule.tool();
    return switch (rule.type()) {
      case RuleType.StartConstraint start ->
          "Call %s first; no other tool runs before it has succeeded%s."
              .formatted(tool, earlier(rule));
      case RuleType.RequiresPreceding(var tools) -> preceding(rule, other(rule), tools);
      case RuleType.RequiresFollowing(var tools) -> following(rule, other(rule), tools);
      case RuleType.MaxCalls(int max) -> limit(rule, all ? "each tool" : tool, max);
      case RuleType.Cooldown(var length) ->
          "Leave at least %s between %s%s."
              .formatted(
                  Quoted.millis(length),
                  all ? "calls of the same tool" : tool + " and its next call",
                  together(rule));
      case RuleType.ExclusiveGroups(var groups) -> groups(rule, groups);
      case RuleType.ExitLoop exit -> "The conversation ends after " + tool + " has succeeded.";
      case RuleType.ContinueLoop more -> "The conversation goes on after " + tool + ".";
      case RuleType.RequiredBeforeExit required ->
          "Call %s before ending the %s.".formatted(all ? "every tool" : tool, ending(rule));
      case RuleType.RequiredBeforeExitIf(var tools) ->
          "Call %s before ending the %s%s."
              .formatted(all ? "every tool" : tool, ending(rule), once(tools));
      case RuleType.RequiresConsent consent ->
          "A person has to agree to %s of %s%s."
              .formatted(
                  consent.when() == null ? "each call" : "some calls",
                  tool,
                  consent.when() == null ? "" : ", depending on the arguments");
      case RuleType.Forbidden forbidden -> "Never call " + tool + ": it is forbidden.";
      case RuleType.AllowedOperations(var operations) ->
          operations.isEmpty()
              ? "Use no operation of " + tool + "."
              : "Use only %s of %s.".formatted(operations(operations), tool);
      case RuleType.Child(var children, var args) -> next(other(rule), children);
      case RuleType.Parent(var children) ->
          children.isEmpty()
              ? "Call %s whenever it helps.".formatted(other(rule))
              : "Call %s only right after %s has succeeded, and then nothing else."
                  .formatted(names(children), other(rule));
      case RuleType.Conditional conditional -> byResult(other(rule), conditional);
      case RuleType.Periodic(var every) ->
          "Call %s every %s%s."
              .formatted(all ? "each tool" : tool, Durations.text(every), together(rule));
      case RuleType.Needed needed -> "%s is always available.".formatted(all ? "Each tool" : tool);
    };
  }

  /// Why the rule's tool has to be able to run, as a part of a sentence; null if it need not.
  static @Nullable String demand(RuleType type) {
    return switch (RuleKind.of(type)) {
      case START_CONSTRAINT -> "has to come first";
      case REQUIRED_BEFORE_EXIT, REQUIRED_BEFORE_EXIT_IF -> "is required before the end";
      case PERIODIC -> "is due again and again";
      case NEEDED -> "is needed";
      case REQUIRES_PRECEDING,
          REQUIRES_FOLLOWING,
          MAX_CALLS,
          COOLDOWN,
          EXCLUSIVE_GROUPS,
          EXIT_LOOP,
          CONTINUE_LOOP,
          REQUIRES_CONSENT,
          FORBIDDEN,
          ALLOWED_OPERATIONS,
          CHILD,
          PARENT,
          CONDITIONAL ->
          null;
    };
  }

  /// A rule for all that names tools is for the others.
  private static String other(ToolRule rule) {
    return rule.tool().equals(ToolRule.ANY) ? "any other tool" : rule.tool();
  }

  private static String preceding(ToolRule rule, String tool, List<String> tools) {
    return tools.isEmpty()
        ? "Call %s whenever it helps.".formatted(tool)
        : "Call %s only after %s%s.".formatted(tool, succeeded(tools), earlier(rule));
  }

  private static String following(ToolRule rule, String tool, List<String> tools) {
    if (tools.isEmpty()) {
      return "Call %s whenever it helps.".formatted(tool);
    }
    String one = tools.size() == 1 ? tools.getFirst() : "one of them";
    return "Call %s only before %s; it is refused once %s has succeeded%s."
        .formatted(tool, names(tools), one, earlier(rule));
  }

  private static String limit(ToolRule rule, String tool, int max) {
    return max == 0
        ? "Never call %s: its limit is 0 calls.".formatted(tool)
        : "Call %s at most %d %s %s."
            .formatted(tool, max, max == 1 ? "time" : "times", span(rule.scope()));
  }

  private static String groups(ToolRule rule, List<Set<String>> groups) {
    String choices =
        groups.stream()
            .filter(group -> !group.isEmpty())
            .map(group -> "only one of " + names(group))
            .collect(Collectors.joining(" and "));
    return choices.isEmpty()
        ? "Use any of the tools."
        : "Use %s %s.".formatted(choices, span(rule.scope()));
  }

  private static String next(String tool, Collection<String> children) {
    return children.isEmpty()
        ? "Call no tool after %s has succeeded.".formatted(tool)
        : "After %s has succeeded, call %s next, and nothing else."
            .formatted(tool, children.size() == 1 ? names(children) : "one of " + names(children));
  }

  private static String byResult(String tool, RuleType.Conditional rule) {
    List<String> ways = new ArrayList<>();
    rule.mapping().forEach((value, next) -> ways.add(next + " after '" + value + "'"));
    if (rule.otherwise() != null) {
      ways.add(rule.otherwise() + " after any other");
    } else if (rule.requireMatch()) {
      ways.add("nothing after any other");
    }
    return "The result of %s says what to call next: %s.".formatted(tool, String.join(", ", ways));
  }

  private static String operations(List<String> operations) {
    return (operations.size() == 1 ? "the operation " : "the operations ") + names(operations);
  }

  private static String once(List<String> tools) {
    return tools.isEmpty() ? "" : ", once " + succeeded(tools);
  }

  private static String succeeded(List<String> tools) {
    return names(tools) + (tools.size() == 1 ? " has succeeded" : " have succeeded");
  }

  private static String names(Collection<String> names) {
    return String.join(", ", names);
  }

  /// Where something has happened before, in words; empty for the default scope.
  private static String earlier(ToolRule rule) {
    return isUsual(rule)
        ? ""
        : switch (rule.scope()) {
          case TURN -> " in this turn";
          case CONVERSATION -> " in this conversation";
          case AGENT -> " in any conversation";
        };
  }

  /// Which calls are counted together, in words; empty for the default scope.
  private static String together(ToolRule rule) {
    return isUsual(rule)
        ? ""
        : switch (rule.scope()) {
          case TURN -> " within the same turn";
          case CONVERSATION -> " within the same conversation";
          case AGENT -> ", counted over all conversations";
        };
  }

  private static boolean isUsual(ToolRule rule) {
    return rule.scope() == ToolRule.defaultScope(rule.type());
  }

  private static String span(ToolRule.Scope scope) {
    return switch (scope) {
      case TURN -> "in a turn";
      case CONVERSATION -> "in a conversation";
      case AGENT -> "over all conversations";
    };
  }

  private static String ending(ToolRule rule) {
    return rule.scope() == ToolRule.Scope.TURN ? "turn" : "conversation";
  }
}
