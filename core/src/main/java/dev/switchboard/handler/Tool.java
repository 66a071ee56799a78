package dev.switchboard.handler;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolSchemaException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something a model can ask for: its definition, the compiled check of its arguments, and exactly
/// one thing that answers.
///
/// Immutable, safe for use by several threads, and to be made once, since everything is checked and
/// compiled here.
public final class Tool {
  private final ToolDefinition definition;
  private final ParameterSchema parameters;
  private final ToolHandler handler;
  private final Running running;
  private final ToolOptions options;
  private final List<RuleType> rules;
  private final @Nullable AskReason askReason;

  Tool(
      ToolDefinition definition,
      ParameterSchema parameters,
      ToolHandler handler,
      Running running,
      ToolDefaults defaults,
      List<RuleType> rules,
      @Nullable AskReason askReason) {
    this.definition = definition;
    this.parameters = parameters;
    this.running = running;
    options = running.options(defaults);
    this.handler =
        handler instanceof WebhookHandler webhook
            ? webhook.triedOnce(options.retry().maxRetries() == 0)
            : handler;
    this.rules = List.copyOf(rules);
    this.askReason = askReason;
  }

  /// A tool whose parameters object is that record.
  ///
  /// @throws ToolSchemaException at the last verb, when a component's type has no JSON Schema
  public static <T> TypedToolBuilder<T, Object> typed(String name, Class<T> parameters) {
    return new TypedToolBuilder<>(name, parameters);
  }

  /// A tool whose parameters are stated as a JSON Schema.
  ///
  /// @throws ToolSchemaException at the last verb, when that is no schema of an object; it lists
  ///   every fault
  public static DynamicToolBuilder dynamic(String name, String parameters) {
    return dynamic(name, Json.text(parameters));
  }

  /// A tool whose parameters are stated as a JSON Schema.
  ///
  /// @throws ToolSchemaException at the last verb, when that is no schema of an object; it lists
  ///   every fault
  public static DynamicToolBuilder dynamic(String name, Json parameters) {
    return new DynamicToolBuilder(name, parameters);
  }

  /// A tool without parameters.
  public static DynamicToolBuilder dynamic(String name) {
    return dynamic(name, "{\"type\":\"object\",\"properties\":{}}");
  }

  /// Its name.
  public String name() {
    return definition.name();
  }

  /// What a model is told of it.
  public ToolDefinition definition() {
    return definition;
  }

  /// How its calls are run.
  public ToolOptions options() {
    return options;
  }

  /// The same tool, run by these defaults where it states nothing itself.
  ///
  /// @throws IllegalArgumentException when a default is out of its bounds
  public Tool withDefaults(ToolDefaults defaults) {
    return new Tool(definition, parameters, handler, running, defaults, rules, askReason);
  }

  /// Its own rules, each of which holds unless the agent has a rule of the same kind for it.
  public List<RuleType> rules() {
    return rules;
  }

  /// Why the tool itself wants a person to agree to a call with these arguments, for the agent of
  /// these services; null where it does not. Where that cannot be told, a person is asked.
  public @Nullable String askReason(Json arguments, Services services) {
    try {
      return askReason == null ? null : askReason.of(arguments, services);
    } catch (RuntimeException thrown) {
      return "Whether tool '%s' has to ask could not be told (%s)."
          .formatted(definition.name(), thrown.getClass().getSimpleName());
    }
  }

  /// What answers.
  public ToolHandler handler() {
    return handler;
  }

  /// The arguments found good, and bound where the tool is typed, or their faults.
  public Checked check(Json arguments) {
    return parameters.check(arguments, options.repair());
  }

  /// The tool's name.
  @Override
  public String toString() {
    return name();
  }
}
