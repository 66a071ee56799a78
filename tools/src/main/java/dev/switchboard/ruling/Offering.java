package dev.switchboard.ruling;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The tools that a model is offered under the rules.
final class Offering {
  private Offering() {}

  /// Those that may run now.
  static Offer of(
      RuleSet rules, List<ToolDefinition> tools, RuleState state, Tallies agent, Instant now) {
    List<ToolDefinition> offered = new ArrayList<>();
    for (ToolDefinition tool : tools) {
      ToolChecks checks = rules.checks(tool.name());
      if (mayRun(tool, checks, state, agent, now)) {
        ToolDefinition narrowed = narrowed(tool, checks, checks.prefilled(state, agent));
        if (narrowed != null) {
          offered.add(narrowed);
        }
      }
    }
    boolean gated =
        !rules.next(state).isEmpty()
            || !rules.starts().isEmpty()
                && rules.starts().stream().anyMatch(start -> !start.isMet(state, agent));
    return new Offer(
        offered,
        offered.isEmpty()
            ? ModelRequest.ToolChoice.NONE
            : gated ? ModelRequest.ToolChoice.REQUIRED : ModelRequest.ToolChoice.AUTO);
  }

  private static boolean mayRun(
      ToolDefinition tool, ToolChecks checks, RuleState state, Tallies agent, Instant now) {
    // Without arguments no check of them can refuse the call.
    return checks.isEmpty()
        || checks.evaluate(state, agent, ToolCall.of("", tool.name(), ""), now)
            instanceof Decision.Allowed;
  }

  /// The tools that may ever be offered, with their remaining operations.
  static List<ToolDefinition> ever(RuleSet rules, List<ToolDefinition> tools) {
    return tools.stream()
        .filter(tool -> !rules.checks(tool.name()).forbidden())
        .flatMap(tool -> Stream.ofNullable(narrowed(tool, rules.checks(tool.name()), null)))
        .toList();
  }

  /// @param set the members that rules set in its calls now, which the model does not state
  private static @Nullable ToolDefinition narrowed(
      ToolDefinition tool, ToolChecks checks, @Nullable ObjectNode set) {
    ToolDefinition narrowed = narrowed(tool, checks);
    return narrowed == null || set == null ? narrowed : without(narrowed, set);
  }

  private static ToolDefinition without(ToolDefinition tool, ObjectNode set) {
    ObjectNode parameters = (ObjectNode) tool.parameters().tree().deepCopy();
    if (parameters.get("properties") instanceof ObjectNode properties) {
      set.propertyNames().forEach(properties::remove);
    }
    if (parameters.get("required") instanceof ArrayNode required) {
      required.removeIf(name -> set.has(name.asString("")));
    }
    List<Json> examples =
        tool.examples().stream()
            .map(example -> Json.of(((ObjectNode) example.tree().deepCopy()).remove(names(set))))
            .toList();
    return tool.withParameters(Json.of(UsedDefinitions.of(parameters)), examples);
  }

  private static List<String> names(ObjectNode set) {
    return List.copyOf(set.propertyNames());
  }

  private static @Nullable ToolDefinition narrowed(ToolDefinition tool, ToolChecks checks) {
    Operations operations = checks.operations();
    if (operations == null) {
      return tool;
    }
    Json parameters = OperationSchema.narrowed(tool.parameters(), operations);
    if (parameters == null) {
      return null;
    }
    List<Json> examples =
        tool.examples().stream().filter(each -> operations.refused(each) == null).toList();
    return tool.withParameters(parameters, examples);
  }
}
