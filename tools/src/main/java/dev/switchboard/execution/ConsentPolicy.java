package dev.switchboard.execution;

import dev.switchboard.check.Checked;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType.RequiresConsent;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// When a tool's calls need a person's consent: for its mode, or for a rule. One for each tool.
/// Immutable.
final class ConsentPolicy {
  private static final String LOCAL = "mode local";

  private final ToolDefinition tool;
  private final List<Condition> conditions;
  private final @Nullable StatedDefaults defaults; // null if no condition can see one

  private ConsentPolicy(ToolDefinition tool, List<Condition> conditions) {
    this.tool = tool;
    this.conditions = conditions;
    defaults = conditions.isEmpty() ? null : StatedDefaults.of(tool.parameters());
  }

  /// The policy of that tool under the rules that ask for consent.
  ///
  /// @throws dev.switchboard.tool.ToolSchemaException when a rule's `when` is not a valid JSON
  ///   Schema
  static ConsentPolicy of(ToolDefinition tool, List<ToolRule> rules) {
    List<Condition> conditions = new ArrayList<>();
    for (ToolRule rule : rules) {
      if (rule.type() instanceof RequiresConsent consent) {
        conditions.add(Condition.of(tool.name(), rule, consent));
      }
    }
    return new ConsentPolicy(tool, List.copyOf(conditions));
  }

  /// Whether no call of the tool ever needs consent.
  boolean asksNever() {
    return conditions.isEmpty() && !tool.mode().requiresConsent();
  }

  /// The reasons why a call with these valid arguments needs consent; empty if it does not.
  List<ConsentRequest.Demand> demands(Json arguments) {
    if (asksNever()) {
      return List.of();
    }
    boolean local = tool.mode().requiresConsent();
    Json given = object(arguments);
    Json whole = defaults == null ? given : defaults.filledIn(given);
    List<ConsentRequest.Demand> demands = new ArrayList<>();
    for (Condition condition : conditions) {
      if (condition.asks(whole)) {
        demands.add(condition.demand(tool.name(), given, local));
      }
    }
    if (demands.isEmpty() && local) {
      String reason =
          "%s needs your approval: it acts on this machine (mode local).".formatted(tool.name());
      demands.add(new ConsentRequest.Demand(reason, null, given, LOCAL));
    }
    return List.copyOf(demands);
  }

  private static Json object(Json arguments) {
    return arguments.text().isBlank() ? Json.EMPTY_OBJECT : arguments;
  }

  private record Condition(RequiresConsent rule, @Nullable ParameterSchema when, String digest) {
    static Condition of(String tool, ToolRule rule, RequiresConsent consent) {
      Json when = consent.condition();
      return new Condition(
          consent,
          when == null ? null : ParameterSchema.parse(tool, when, false),
          digest(rule, consent));
    }

    /// A digest of the rule, without its priority and metadata.
    private static String digest(ToolRule rule, RequiresConsent consent) {
      ObjectNode value = Codec.object().put("tool", rule.tool()).put("within", rule.scope().word());
      value.put("scope", consent.scope());
      value.set("when", consent.when() == null ? null : consent.when().tree());
      consent.bind().forEach(value.putArray("bind")::add);
      return Json.of(value).digest();
    }

    /// Whether consent is needed: always, unless the arguments definitely do not meet the
    /// condition.
    boolean asks(Json arguments) {
      return when == null
          || !(when.check(arguments) instanceof Checked.Refused refused)
          || refused.undecided();
    }

    ConsentRequest.Demand demand(String tool, Json arguments, boolean local) {
      String why = when == null ? "" : " for such arguments";
      String reason = "%s needs your approval%s (rule).".formatted(tool, why);
      return new ConsentRequest.Demand(reason, rule.scope(), bound(arguments, local), digest);
    }

    /// @return without missing arguments, since a missing one differs from any value, including
    ///   null
    private Json bound(Json arguments, boolean local) {
      if (rule.bind().isEmpty()) {
        return local ? arguments : Json.EMPTY_OBJECT;
      }
      ObjectNode values = Codec.object();
      for (String name : rule.bind()) {
        JsonNode value = member(arguments, name);
        if (!value.isMissingNode()) {
          values.set(name, value);
        }
      }
      return Json.of(values);
    }

    /// @param name of an argument, or a JSON pointer to one
    private static JsonNode member(Json arguments, String name) {
      return name.startsWith("/") ? arguments.tree().at(name) : arguments.tree().path(name);
    }
  }
}
