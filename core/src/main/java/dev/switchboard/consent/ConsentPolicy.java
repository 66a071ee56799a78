package dev.switchboard.consent;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.rule.RuleType.RequiresConsent;
import dev.switchboard.schema.Checked;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// When a tool's calls need a person's consent: for its mode, or for a rule (SPEC 5). Made once for
/// each tool. Immutable.
public final class ConsentPolicy {
  private final ToolDefinition tool;
  private final List<Condition> conditions;

  private ConsentPolicy(ToolDefinition tool, List<Condition> conditions) {
    this.tool = tool;
    this.conditions = conditions;
  }

  /// The policy of that tool under these rules.
  ///
  /// @throws dev.switchboard.schema.ToolSchemaException when a rule's `when` is no JSON Schema
  public static ConsentPolicy of(ToolDefinition tool, List<RequiresConsent> rules) {
    return new ConsentPolicy(
        tool, rules.stream().map(rule -> Condition.of(tool.name(), rule)).toList());
  }

  /// Whether no call of the tool ever needs asking.
  public boolean asksNever() {
    return conditions.isEmpty() && !tool.mode().requiresConsent();
  }

  /// Why somebody has to agree to a call with these arguments, which were found good; nothing where
  /// nobody has to.
  public List<Demand> demands(Json arguments) {
    if (asksNever()) {
      return List.of();
    }
    boolean local = tool.mode().requiresConsent();
    List<Demand> demands = new ArrayList<>();
    for (Condition condition : conditions) {
      if (condition.isMet(arguments)) {
        demands.add(condition.demand(tool.name(), arguments, local));
      }
    }
    if (demands.isEmpty() && local) {
      String reason = "Tool '%s' acts on this machine (mode local).".formatted(tool.name());
      demands.add(new Demand(reason, null, object(arguments)));
    }
    return List.copyOf(demands);
  }

  private static Json object(Json arguments) {
    return arguments.text().isBlank() ? Json.EMPTY_OBJECT : arguments;
  }

  private record Condition(RequiresConsent rule, @Nullable ParameterSchema when) {
    static Condition of(String tool, RequiresConsent rule) {
      Json when = rule.condition();
      return new Condition(rule, when == null ? null : ParameterSchema.parse(tool, when, false));
    }

    boolean isMet(Json arguments) {
      return when == null || when.check(object(arguments)) instanceof Checked.Accepted;
    }

    Demand demand(String tool, Json arguments, boolean local) {
      String why = when == null ? "" : ", when its arguments are such";
      String reason = "A rule asks for consent to tool '%s'%s.".formatted(tool, why);
      return new Demand(reason, rule.scope(), bound(object(arguments), local));
    }

    private Json bound(Json arguments, boolean local) {
      if (rule.bind().isEmpty()) {
        return local ? arguments : Json.EMPTY_OBJECT;
      }
      ObjectNode values = Codec.object();
      for (String name : rule.bind()) {
        JsonNode value = member(arguments, name);
        if (value != null) {
          values.set(name, value);
        } else {
          // Unlike no binding at all.
          values.putNull(name);
        }
      }
      return Json.of(values);
    }

    /// @param name of an argument, or a JSON pointer to one
    private static @Nullable JsonNode member(Json arguments, String name) {
      try {
        JsonNode value =
            name.startsWith("/") ? arguments.tree().at(name) : arguments.tree().path(name);
        return value.isMissingNode() ? null : value;
      } catch (JsonException e) {
        return null;
      }
    }
  }
}
