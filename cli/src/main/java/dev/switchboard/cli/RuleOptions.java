package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleType;
import dev.switchboard.ruling.RuleKind;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The options for a rule's parameters.
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
          "The limit of max-calls, the duration of cooldown or periodic (1500ms, 30s), the label of"
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
      description =
          "The arguments that start-constraint calls the tool with, or by tool those that child"
              + " sets.")
  private @Nullable String args;

  @Option(
      names = "--no-auto",
      description = "Let the model call the tool of start-constraint, before any other.")
  private boolean noAuto;

  @Option(
      names = "--map",
      paramLabel = "RESULT=TOOL",
      description = "The tool that conditional allows next after a result; may be repeated.")
  private List<String> mapping = List.of();

  @Option(
      names = "--at",
      paramLabel = "POINTER",
      description = "The part of the result that --map speaks of, a JSON pointer.")
  private @Nullable String at;

  @Option(
      names = "--default",
      paramLabel = "TOOL",
      description = "The tool after any other result.")
  private @Nullable String otherwise;

  @Option(
      names = "--require-match",
      description = "Allow no tool after any other result; otherwise all.")
  private boolean requireMatch;

  /// The type with these parameters.
  ///
  /// @throws Failure when one is missing, invalid, or for another type
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
          case CHILDREN -> children(kind);
          case MAPPING -> mapping(kind);
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
          case CHILDREN -> kind == RuleKind.CHILD ? Set.of("-c", "--args") : Set.of("-c");
          case MAPPING -> Set.of("--map", "--at", "--default", "--require-match");
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
    refuse(!mapping.isEmpty() && !taken.contains("--map"), kind, "--map");
    refuse(at != null && !taken.contains("--at"), kind, "--at");
    refuse(otherwise != null && !taken.contains("--default"), kind, "--default");
    refuse(requireMatch && !taken.contains("--require-match"), kind, "--require-match");
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

  private Json children(RuleKind kind) {
    ObjectNode table = Codec.object();
    names(kind, "load_data,check").forEach(table.putArray("children")::add);
    Json byTool = object("--args", args);
    if (byTool != null && !byTool.tree().valueStream().allMatch(JsonNode::isObject)) {
      throw Failure.usage("--args must be a JSON object of arguments by tool.", null);
    }
    put(table, "args", byTool);
    return Json.of(table);
  }

  private Json mapping(RuleKind kind) {
    if (mapping.isEmpty()) {
      throw Failure.usage(kind.kebab() + " needs --map, as in --map yes=book.", null);
    }
    ObjectNode table = Codec.object();
    ObjectNode tools = table.putObject("mapping");
    for (String pair : mapping) {
      int sign = pair.lastIndexOf('=');
      if (sign < 0 || sign == pair.length() - 1) {
        throw Failure.usage(
            "--map must be RESULT=TOOL, as in --map yes=book, not '%s'.".formatted(pair), null);
      }
      tools.put(pair.substring(0, sign), pair.substring(sign + 1));
    }
    table.put("at", at).put("default", otherwise).put("require_match", requireMatch);
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
    if (length.isZero() && kind == RuleKind.PERIODIC) {
      throw Failure.usage("-p must be more than 0, and is " + text + ".", null);
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
