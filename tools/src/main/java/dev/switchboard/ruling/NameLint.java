package dev.switchboard.ruling;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleFault.Kind;
import dev.switchboard.ruling.RuleFault.Part;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.JsonPointer;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolSchemaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Finds names and arguments in rules that the agent's tools do not have.
final class NameLint {
  private final List<ToolRule> rules;
  private final Map<String, ToolDefinition> tools = new LinkedHashMap<>();
  private final boolean all;
  private final Map<String, OperationArgument> operationArguments; // by tool
  private final RuleFaults faults;

  /// @param all whether these are all tools, so that an unknown name is a fault
  NameLint(
      List<ToolRule> rules,
      List<ToolDefinition> tools,
      boolean all,
      Map<String, OperationArgument> operationArguments,
      RuleFaults faults) {
    this.rules = rules;
    tools.forEach(tool -> this.tools.put(tool.name(), tool));
    this.all = all;
    this.operationArguments = operationArguments;
    this.faults = faults;
  }

  void check() {
    for (int i = 0; i < rules.size(); i++) {
      ToolRule rule = rules.get(i);
      String tool = rule.tool();
      boolean any = tool.equals(ToolRule.ANY);
      if (any ? all : isKnown(rule, tool, i, Part.TOOL_NAME)) {
        check(rule, i);
      } else if (ToolNames.RESERVED.contains(tool)) {
        others(rule, i);
      }
    }
  }

  private boolean isKnown(ToolRule rule, String tool, int index, Part part) {
    // Hosts add tools of reserved names to their conversations alone.
    if (tools.containsKey(tool) || !all || ToolNames.RESERVED.contains(tool)) {
      return tools.containsKey(tool);
    }
    String what =
        part == Part.TOOL_NAME
            ? RuleKind.of(rule.type()).pascal() + " is for "
            : RuleFaults.label(rule) + " names ";
    String hint = faults.suggestion(tool, tools.keySet());
    String message = what + Quoted.name(tool) + ", but no tool has that name" + hint;
    faults.add(index, part, Kind.UNKNOWN_TOOL, ended(message));
    return false;
  }

  private static String ended(String sentence) {
    return sentence.endsWith("?") ? sentence : sentence + ".";
  }

  /// Checks the other tools that the rule names.
  private void others(ToolRule rule, int index) {
    rule.type().tools().forEach(name -> isKnown(rule, name, index, Part.CONDITIONS));
  }

  private void check(ToolRule rule, int index) {
    others(rule, index);
    if (rule.type() instanceof RuleType.AllowedOperations(var operations)) {
      operations(rule, operations, index);
    } else if (rule.type() instanceof RuleType.StartConstraint start) {
      start(rule, start, index);
    } else if (rule.type() instanceof RuleType.RequiresConsent consent) {
      consent(rule, consent, index);
    } else if (rule.type() instanceof RuleType.Child(var children, var args)) {
      args.forEach((child, set) -> {
        ToolDefinition tool = tools.get(child);
        if (tool != null && children.contains(child)) {
          prefilled(rule, tool, set, index);
        }
      });
    }
  }

  /// The tools that the rule is for.
  private List<ToolDefinition> tools(ToolRule rule) {
    ToolDefinition named = tools.get(rule.tool());
    return rule.tool().equals(ToolRule.ANY)
        ? List.copyOf(tools.values())
        : named == null ? List.of() : List.of(named);
  }

  private void operations(ToolRule rule, List<String> operations, int index) {
    Set<String> known = new LinkedHashSet<>();
    boolean some = false;
    for (ToolDefinition tool : tools(rule)) {
      OperationArgument argument =
          operationArguments.getOrDefault(tool.name(), OperationArgument.USUAL);
      Set<String> named = OperationSchema.named(tool.parameters().tree(), argument.members());
      if (named != null && named.isEmpty()) {
        return;
      }
      some |= named != null;
      known.addAll(named == null ? Set.of() : named);
    }
    if (!some) {
      String message = RuleFaults.label(rule) + " changes nothing: there are no operations.";
      faults.add(index, Part.RULE_TYPE, Kind.TOOL_HAS_NO_OPERATIONS, message);
      return;
    }
    for (String operation : operations) {
      if (!known.contains(operation)) {
        String hint = faults.suggestion(operation, known);
        String sentence =
            "%s names the operation '%s', which is not one of %s%s"
                .formatted(RuleFaults.label(rule), operation, Quoted.list(known), hint);
        faults.add(index, Part.CONDITIONS, Kind.UNKNOWN_OPERATION, ended(sentence));
      }
    }
  }

  private void start(ToolRule rule, RuleType.StartConstraint start, int index) {
    ToolDefinition tool = tools.get(rule.tool());
    if (tool == null) {
      return;
    }
    ParameterSchema schema = schema(tool);
    Json args = start.args();
    boolean good = args == null || prefilled(rule, tool, args, index);
    Json given = args == null ? Json.EMPTY_OBJECT : args;
    if (good && start.auto() && schema.check(given) instanceof Checked.Refused) {
      String message =
          args == null
              ? " states no args, and the tool needs some: the model has to call it first itself."
              : " does not state all args that the tool needs: the model has to call it first"
                  + " itself.";
      faults.add(
          index, Part.RULE_TYPE, Kind.START_TOOL_NEEDS_ARGS, RuleFaults.label(rule) + message);
    }
  }

  /// Whether the tool accepts the arguments that a rule sets; others may be missing.
  private boolean prefilled(ToolRule rule, ToolDefinition tool, Json set, int index) {
    String sets = RuleFaults.label(rule) + " sets ";
    String quoted = Quoted.name(tool.name());
    JsonNode given = set.tree();
    if (!given.isObject()) {
      String sentence = sets + "args of %s that are not an object: %s.".formatted(quoted, set);
      faults.add(index, Part.RULE_TYPE, Kind.PREFILL_TYPE_MISMATCH, sentence);
      return false;
    }
    Set<String> known = ArgumentNames.of(tool.parameters().tree());
    boolean good = true;
    for (String name : given.propertyNames()) {
      if (!known.contains(name) && !takesOthers(tool.parameters().tree(), known)) {
        String sentence =
            "%sthe argument '%s' of %s, which the tool does not take%s"
                .formatted(sets, name, quoted, faults.suggestion(name, known));
        faults.add(index, Part.RULE_TYPE, Kind.PREFILL_UNKNOWN_ARGUMENT, ended(sentence));
        good = false;
      }
    }
    List<Fault> mismatches = good ? mismatches(tool, given, set) : List.of();
    if (!mismatches.isEmpty()) {
      String why = mismatches.stream().map(NameLint::sentence).collect(Collectors.joining("; "));
      String sentence = sets + "args that %s does not take: %s.".formatted(quoted, why);
      faults.add(index, Part.RULE_TYPE, Kind.PREFILL_TYPE_MISMATCH, sentence);
    }
    return good && mismatches.isEmpty();
  }

  /// The faults of the members that are set; the model can correct others.
  private static List<Fault> mismatches(ToolDefinition tool, JsonNode given, Json set) {
    return schema(tool).check(set) instanceof Checked.Refused refused
        ? refused.faults().stream()
            .filter(fault -> !fault.pointer().isEmpty() && given.has(member(fault.pointer())))
            .toList()
        : List.of();
  }

  /// The first part of a JSON pointer.
  private static String member(String pointer) {
    return JsonPointer.name(pointer.substring(1).split("/", 2)[0]);
  }

  /// Whether the parameters accept members that they do not name.
  private static boolean takesOthers(JsonNode parameters, Set<String> known) {
    JsonNode others = parameters.path("additionalProperties");
    return parameters.has("patternProperties")
        || others.isObject()
        || others.asBoolean(false)
        || known.isEmpty() && others.isMissingNode();
  }

  private static String sentence(Fault fault) {
    String place = fault.pointer().isEmpty() ? "the args" : fault.pointer();
    return place + ": expected " + fault.expected() + ", found " + fault.found();
  }

  /// The schema: others may have made it, and invalid parameters of our own are a fault of the
  /// tool.
  private static ParameterSchema schema(ToolDefinition tool) {
    try {
      return ParameterSchema.parse(tool.name(), tool.parameters(), tool.strict());
    } catch (ToolSchemaException e) {
      return ParameterSchema.foreign(tool.name(), tool.parameters());
    }
  }

  private void consent(ToolRule rule, RuleType.RequiresConsent consent, int index) {
    Set<String> known = new LinkedHashSet<>();
    for (ToolDefinition tool : tools(rule)) {
      JsonNode parameters = tool.parameters().tree();
      Set<String> names = ArgumentNames.of(parameters);
      if (names.isEmpty() && !parameters.path("additionalProperties").isBoolean()) {
        return;
      }
      known.addAll(names);
    }
    List<String> read = new ArrayList<>();
    consent.bind().forEach(name -> read.add(first(name)));
    if (consent.when() != null) {
      read.addAll(read(consent.when()));
    }
    for (String name : read) {
      if (!known.contains(name)) {
        String message =
            "%s reads the argument '%s', which the tool does not take%s"
                .formatted(RuleFaults.label(rule), name, faults.suggestion(name, known));
        faults.add(index, Part.RULE_TYPE, Kind.BAD_VALUE, ended(message));
      }
    }
  }

  /// The argument of a name or a JSON pointer.
  private static String first(String name) {
    return name.startsWith("/") ? name.substring(1).split("/", 2)[0] : name;
  }

  private static Set<String> read(Json when) {
    Set<String> names = new LinkedHashSet<>();
    try {
      JsonNode schema = when.tree();
      schema.path("properties").forEachEntry((name, value) -> names.add(name));
      schema.path("required").forEach(name -> names.add(name.asString("")));
    } catch (JsonException e) {
      // Another check reports that it is not JSON.
      return Set.of();
    }
    return names;
  }
}
