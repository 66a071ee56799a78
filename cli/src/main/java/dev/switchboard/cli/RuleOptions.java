package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleKind;
import dev.switchboard.rule.RuleType;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

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
      description = "The arguments whose values a lasting consent covers.")
  private List<String> bind = List.of();

  @Option(
      names = "--when",
      paramLabel = "JSON",
      description = "A JSON Schema: calls whose arguments match it need consent.")
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
    return kind.given(
        switch (kind.form()) {
          case NOTHING -> RuleType.NOTHING;
          case TOOLS -> Json.of(names(kind, "load_data,check"));
          case OPERATIONS -> Json.of(names(kind, "read,append"));
          case GROUPS -> groups(kind);
          case COUNT -> Json.of(count(kind));
          case LENGTH -> Json.of(Durations.text(duration(kind)));
          case START -> start();
          case CONSENT -> consent();
        });
  }

  private void refuseOthers(RuleKind kind) {
    Set<String> taken =
        switch (kind.form()) {
          case NOTHING -> Set.of();
          case TOOLS, OPERATIONS, GROUPS -> Set.of("-c");
          case COUNT, LENGTH -> Set.of("-p");
          case START -> Set.of("--args", "--no-auto");
          case CONSENT -> Set.of("-p", "--bind", "--when");
        };
    refuse(!conditions.isEmpty() && !taken.contains("-c"), kind, "-c");
    if (parameter != null && parameter.matches("[1-9]|10")) {
      String hint = "-p; for a priority, --priority " + parameter;
      refuse(!taken.contains("-p"), kind, hint);
    }
    refuse(parameter != null && !taken.contains("-p"), kind, "-p");
    refuse(!bind.isEmpty() && !taken.contains("--bind"), kind, "--bind");
    refuse(when != null && !taken.contains("--when"), kind, "--when");
    refuse(args != null && !taken.contains("--args"), kind, "--args");
    refuse(noAuto && !taken.contains("--no-auto"), kind, "--no-auto");
  }

  private static void refuse(boolean given, RuleKind kind, String option) {
    if (given) {
      throw Failure.usage(kind.kebab() + " takes no " + option + ".", null);
    }
  }

  private List<String> names(RuleKind kind, String example) {
    List<String> names = split(conditions);
    if (names.isEmpty()) {
      throw Failure.usage(kind.kebab() + " needs -c, as in -c " + example + ".", null);
    }
    return names;
  }

  private Json groups(RuleKind kind) {
    names(kind, "load_data,check");
    return Json.of(conditions.stream().map(group -> split(List.of(group))).toList());
  }

  private Json start() {
    ObjectNode table = Codec.object().put("auto", !noAuto);
    put(table, "args", object("--args", args));
    return Json.of(table);
  }

  private Json consent() {
    ObjectNode table = Codec.object().put("scope", parameter);
    put(table, "when", object("--when", when));
    split(bind).forEach(table.putArray("bind")::add);
    return Json.of(table);
  }

  private static void put(ObjectNode table, String name, @Nullable Json value) {
    if (value != null) {
      table.set(name, value.tree());
    }
  }

  private static List<String> split(List<String> lists) {
    return lists.stream()
        .flatMap(list -> Arrays.stream(list.split(",")))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  private String needed(RuleKind kind, String example) {
    if (parameter == null) {
      throw Failure.usage(kind.kebab() + " needs -p, as in -p " + example + ".", null);
    }
    return parameter;
  }

  private int count(RuleKind kind) {
    String text = needed(kind, "5");
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

  private Duration duration(RuleKind kind) {
    String text = needed(kind, "30s");
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
