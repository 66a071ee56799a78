package dev.switchboard.handler;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolSchemaException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something a model can call: its definition, the compiled check of its arguments, and its
/// handler.
///
/// Immutable, and safe for use by several threads. Make it once, since everything is checked and
/// compiled when it is built.
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

  /// Builds a tool whose parameters are that record's components.
  ///
  /// @throws ToolSchemaException by the builder's last method, when a component's type has no JSON
  ///   Schema
  public static <T> TypedToolBuilder<T, Object> typed(String name, Class<T> parameters) {
    return new TypedToolBuilder<>(name, parameters);
  }

  /// Builds a tool whose parameters are given as a JSON Schema.
  ///
  /// @throws ToolSchemaException by the builder's last method, when that is not the schema of an
  ///   object; it lists every fault
  public static DynamicToolBuilder dynamic(String name, String parameters) {
    return dynamic(name, Json.text(parameters));
  }

  /// Builds a tool whose parameters are given as a JSON Schema.
  ///
  /// @throws ToolSchemaException by the builder's last method, when that is not the schema of an
  ///   object; it lists every fault
  public static DynamicToolBuilder dynamic(String name, Json parameters) {
    return new DynamicToolBuilder(name, parameters);
  }

  /// Builds a tool without parameters.
  public static DynamicToolBuilder dynamic(String name) {
    return dynamic(name, "{\"type\":\"object\",\"properties\":{}}");
  }

  /// The tool's name.
  public String name() {
    return definition.name();
  }

  /// The definition that a model is given.
  public ToolDefinition definition() {
    return definition;
  }

  /// The options by which its calls are run.
  public ToolOptions options() {
    return options;
  }

  /// This tool with these defaults for whatever it does not state itself.
  ///
  /// @throws IllegalArgumentException when a default is out of bounds
  public Tool withDefaults(ToolDefaults defaults) {
    return new Tool(definition, parameters, handler, running, defaults, rules, askReason);
  }

  /// The tool's own rules; each holds unless the agent has a rule of the same kind for the tool.
  public List<RuleType> rules() {
    return rules;
  }

  /// The reason why the tool itself asks for a person's consent to a call with these arguments;
  /// null where it does not. Where that cannot be decided, a person is asked.
  public @Nullable String askReason(Json arguments, Services services) {
    try {
      return askReason == null ? null : askReason.of(arguments, services);
    } catch (RuntimeException thrown) {
      return "It could not be decided whether tool '%s' has to ask (%s)."
          .formatted(definition.name(), thrown.getClass().getSimpleName());
    }
  }

  /// The handler that answers.
  public ToolHandler handler() {
    return handler;
  }

  /// The arguments if they are valid, bound where the tool is typed, or their faults.
  public Checked check(Json arguments) {
    return parameters.check(arguments, options.repair());
  }

  /// The tool's name.
  @Override
  public String toString() {
    return name();
  }
}
