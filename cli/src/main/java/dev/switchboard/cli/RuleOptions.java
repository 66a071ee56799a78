package dev.switchboard.cli;

import dev.switchboard.config.Durations;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleKind;
import dev.switchboard.rule.RuleType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that say what a rule asks for.
final class RuleOptions {
  @Option(
      names = {"-c", "--condition"},
      paramLabel = "NAME,..",
      description =
          "The tools or operations that the rule names; may be repeated. For exclusive-groups each"
              + " is a group.")
  private List<String> conditions = List.of();

  @Option(
      names = {"-p", "--parameter"},
      paramLabel = "VALUE",
      description =
          "The limit of max-calls, the duration of cooldown (1500ms, 30s), the label of"
              + " requires-consent.")
  private @Nullable String parameter;

  @Option(
      names = "--bind",
      paramLabel = "NAME,..",
      description = "The arguments whose values a lasting consent holds for.")
  private List<String> bind = List.of();

  @Option(
      names = "--when",
      paramLabel = "JSON",
      description = "A JSON Schema: calls whose arguments meet it need consent.")
  private @Nullable String when;

  @Option(
      names = "--args",
      paramLabel = "JSON",
      description = "The arguments that start-constraint calls the tool with.")
  private @Nullable String args;

  @Option(
      names = "--no-auto",
      description = "Let the model call the tool of start-constraint, before any other.")
  private boolean noAuto;

  /// The type with what these options give it.
  ///
  /// @throws Failure when one is missing, wrong, or for another type
  RuleType type(RuleKind kind) {
    refuseOthers(kind);
    return switch (kind) {
      case START_CONSTRAINT -> new RuleType.StartConstraint(object("--args", args), !noAuto);
      case REQUIRES_PRECEDING -> new RuleType.RequiresPreceding(names(kind));
      case REQUIRES_FOLLOWING -> new RuleType.RequiresFollowing(names(kind));
      case MAX_CALLS -> new RuleType.MaxCalls(count());
      case COOLDOWN -> new RuleType.Cooldown(duration());
      case EXCLUSIVE_GROUPS -> new RuleType.ExclusiveGroups(groups(kind));
      case EXIT_LOOP -> new RuleType.ExitLoop();
      case CONTINUE_LOOP -> new RuleType.ContinueLoop();
      case REQUIRED_BEFORE_EXIT -> new RuleType.RequiredBeforeExit();
      case REQUIRED_BEFORE_EXIT_IF -> new RuleType.RequiredBeforeExitIf(names(kind));
      case REQUIRES_CONSENT ->
          new RuleType.RequiresConsent(parameter, object("--when", when), split(bind));
      case FORBIDDEN -> new RuleType.Forbidden();
      case ALLOWED_OPERATIONS -> new RuleType.AllowedOperations(names(kind));
    };
  }

  private void refuseOthers(RuleKind kind) {
    refuse(!conditions.isEmpty() && !takesConditions(kind), kind, "-c");
    boolean parameterised =
        kind == RuleKind.MAX_CALLS
            || kind == RuleKind.COOLDOWN
            || kind == RuleKind.REQUIRES_CONSENT;
    if (parameter != null && !parameterised) {
      String hint =
          parameter.matches("[1-9]|10") ? "; for a priority, --priority " + parameter : "";
      throw Failure.usage(kind.kebab() + " takes no -p" + hint + ".", null);
    }
    boolean consent = kind == RuleKind.REQUIRES_CONSENT;
    refuse(!bind.isEmpty() && !consent, kind, "--bind");
    refuse(when != null && !consent, kind, "--when");
    boolean start = kind == RuleKind.START_CONSTRAINT;
    refuse(args != null && !start, kind, "--args");
    refuse(noAuto && !start, kind, "--no-auto");
  }

  private static boolean takesConditions(RuleKind kind) {
    return switch (kind) {
      case REQUIRES_PRECEDING,
          REQUIRES_FOLLOWING,
          EXCLUSIVE_GROUPS,
          REQUIRED_BEFORE_EXIT_IF,
          ALLOWED_OPERATIONS ->
          true;
      case START_CONSTRAINT,
          MAX_CALLS,
          COOLDOWN,
          EXIT_LOOP,
          CONTINUE_LOOP,
          REQUIRED_BEFORE_EXIT,
          REQUIRES_CONSENT,
          FORBIDDEN ->
          false;
    };
  }

  private static void refuse(boolean given, RuleKind kind, String option) {
    if (given) {
      throw Failure.usage(kind.kebab() + " takes no " + option + ".", null);
    }
  }

  private List<String> names(RuleKind kind) {
    List<String> names = split(conditions);
    if (names.isEmpty()) {
      String what = kind == RuleKind.ALLOWED_OPERATIONS ? "read,append" : "load_data,check";
      throw Failure.usage(kind.kebab() + " needs -c, as in -c " + what + ".", null);
    }
    return names;
  }

  private List<Set<String>> groups(RuleKind kind) {
    names(kind);
    List<Set<String>> groups = new ArrayList<>();
    for (String group : conditions) {
      groups.add(new LinkedHashSet<>(split(List.of(group))));
    }
    return groups;
  }

  private static List<String> split(List<String> lists) {
    return lists.stream()
        .flatMap(list -> Arrays.stream(list.split(",")))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  private String needed(String kind, String example) {
    if (parameter == null) {
      throw Failure.usage(kind + " needs -p, as in -p " + example + ".", null);
    }
    return parameter;
  }

  private int count() {
    String text = needed("max-calls", "5");
    try {
      int count = Integer.parseInt(text);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      throw Failure.usage("-p must be a whole number of calls, not '" + text + "'.", e);
    }
    throw Failure.usage("-p must not be negative, and is " + text + ".", null);
  }

  private Duration duration() {
    String text = needed("cooldown", "30s");
    Duration length = Durations.parse(text);
    if (length == null) {
      throw Failure.usage("-p must be " + Durations.FORMS + ", not '" + text + "'.", null);
    }
    return length;
  }

  private static @Nullable Json object(String option, @Nullable String text) {
    if (text == null) {
      return null;
    }
    Json json = Json.text(text);
    try {
      if (json.tree().isObject()) {
        return json;
      }
    } catch (JsonException e) {
      throw Failure.usage(option + " must be a JSON object: " + e.getMessage() + ".", e);
    }
    throw Failure.usage(option + " must be a JSON object.", null);
  }
}
