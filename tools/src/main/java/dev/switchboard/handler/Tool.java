package dev.switchboard.handler;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.schema.OutputSchema;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolSchemaException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A tool: its definition, the compiled check of its arguments, and its handler.
///
/// Immutable and thread-safe. Build it once: it is checked and compiled then.
public final class Tool {
  private final ToolDefinition definition;
  private final ParameterSchema parameters;
  private final ToolHandler handler;
  private final Running running;
  private final ToolDefaults defaults;
  private final @Nullable Duration statedDeadline;
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
    this.running = running;
    this.defaults = defaults;
    options = running.options(defaults);
    statedDeadline = running.own().or(defaults).deadline();
    this.parameters = parameters.repairing(options.repair());
    this.handler =
        handler instanceof WebhookHandler webhook
            ? webhook.triedOnce(options.retry().maxRetries() == 0 || !options.mayActTwice())
            : handler;
    this.rules = List.copyOf(rules);
    this.askReason = askReason;
  }

  /// Builds a tool whose parameters are that record's components.
  ///
  /// @throws ToolSchemaException by the builder's last method, when a component's type has no JSON
  ///   Schema
  public static <T> TypedBuilder<T, Object> typed(String name, Class<T> parameters) {
    return new TypedBuilder<>(name, parameters);
  }

  /// Builds a tool whose parameters are given as a JSON Schema.
  ///
  /// @throws ToolSchemaException by the builder's last method, when that is not the schema of an
  ///   object; it lists every fault
  public static DynamicBuilder dynamic(String name, String parameters) {
    return dynamic(name, Json.text(parameters));
  }

  /// Builds a tool whose parameters are given as a JSON Schema.
  ///
  /// @throws ToolSchemaException by the builder's last method, when that is not the schema of an
  ///   object; it lists every fault
  public static DynamicBuilder dynamic(String name, Json parameters) {
    return new DynamicBuilder(name, parameters);
  }

  /// Builds a tool without parameters.
  public static DynamicBuilder dynamic(String name) {
    return dynamic(name, "{\"type\":\"object\",\"properties\":{}}");
  }

  /// The tool's name.
  public String name() {
    return definition.name();
  }

  /// Its definition, with the parameters' own names.
  public ToolDefinition definition() {
    return definition;
  }

  /// Whether a model is given the definition itself.
  public boolean isOfferedAsIs() {
    return parameters.isOfferedAsIs();
  }

  /// Its definition as a model is given it, with names of parameters that model APIs accept.
  ///
  /// @param narrowed its definition, or one that rules have narrowed
  public ToolDefinition offered(ToolDefinition narrowed) {
    return parameters.offered(narrowed);
  }

  /// A call of it with the own names of its parameters, if its arguments are accepted.
  public ToolCall named(ToolCall call) {
    return isOfferedAsIs()
        ? call
        : new ToolCall(call.id(), call.name(), parameters.named(call.arguments()));
  }

  /// Its definition as clients with checks of their own read it.
  ///
  /// @param narrowed its definition, or one that rules have narrowed
  public ToolDefinition stated(ToolDefinition narrowed) {
    return parameters.stated(narrowed);
  }

  /// The options by which its calls are run.
  public ToolOptions options() {
    return options;
  }

  /// The deadline that the tool or its agent states, null for the library's default.
  public @Nullable Duration statedDeadline() {
    return statedDeadline;
  }

  /// This tool, completed by these defaults.
  ///
  /// @throws IllegalArgumentException when a default is out of bounds
  public Tool withDefaults(ToolDefaults defaults) {
    return new Tool(definition, parameters, handler, running, defaults, rules, askReason);
  }

  /// This tool, completed by the defaults of another.
  public Tool withDefaultsOf(Tool other) {
    return withDefaults(other.defaults);
  }

  /// The tool's own rules; a rule of the agent of the same kind replaces one.
  public List<RuleType> rules() {
    return rules;
  }

  /// Why the tool itself asks a person for consent to a call with these arguments; null if it does
  /// not.
  public @Nullable String askReason(Json arguments, Services services) {
    try {
      return askReason == null ? null : askReason.of(arguments, services);
    } catch (RuntimeException thrown) {
      return "It could not be decided whether tool '%s' has to ask (%s)."
          .formatted(definition.name(), thrown.getClass().getSimpleName());
    }
  }

  /// Whether the tool itself may ask for consent to some calls.
  public boolean mayAsk() {
    return askReason != null;
  }

  /// Whether the tool states that its calls are cancelled, also when the user interrupts an agent
  /// that speaks; a mode's default concerns only cancelled conversations.
  public boolean cancelsOnInterrupt() {
    return running.onInterrupt() == ToolOptions.InterruptPolicy.CANCEL;
  }

  /// The question for a caller's consent to a call, with placeholders for arguments; null for a
  /// general one.
  public @Nullable String confirm() {
    return running.confirm();
  }

  /// The handler that answers.
  public ToolHandler handler() {
    return handler;
  }

  /// The valid arguments, bound if the tool is typed, or their faults.
  public Checked check(Json arguments) {
    Checked checked = parameters.checkCall(arguments);
    return checked instanceof Checked.Accepted accepted ? handled(accepted, arguments) : checked;
  }

  private Checked handled(Checked.Accepted accepted, Json arguments) {
    try {
      handler.check(new ToolHandler.Arguments(accepted.arguments(), accepted.bound()));
      return accepted;
    } catch (ToolException e) {
      return new Checked.Refused(parameters.atGivenNames(List.of(e.fault()), arguments));
    }
  }

  /// The tool's name.
  @Override
  public String toString() {
    return name();
  }

  /// Decides whether a person has to agree to a call, in addition to mode and rules.
  @FunctionalInterface
  public interface AskReason {
    /// The reason, a sentence; null if no one is asked. If it throws, a person is asked.
    ///
    /// @param services of the agent
    @Nullable String of(Json arguments, Services services);
  }

  /// Options for a tool that something else defines, such as a server.
  @FunctionalInterface
  public interface Policy {
    /// Applies the options.
    ///
    /// @param handler of the calls
    /// @param usual the tool's mode if the options have none
    DynamicBuilder applied(DynamicBuilder tool, ToolHandler handler, ToolMode usual);
  }

  /// A builder of a tool whose parameters are given as a JSON Schema.
  public static final class DynamicBuilder extends ToolBuilder<DynamicBuilder> {
    private final Json parameters;
    private @Nullable Json output;
    private @Nullable Consumer<String> unchecked;

    DynamicBuilder(String name, Json parameters) {
      super(name);
      this.parameters = parameters;
    }

    /// A handler of JSON arguments.
    @FunctionalInterface
    public interface Handler {
      /// The answer, as [ToolHandler#handle] describes it.
      @Nullable Object handle(Json arguments) throws Exception;
    }

    /// A handler of JSON arguments that uses the context of the call.
    @FunctionalInterface
    public interface ContextHandler {
      /// The answer, as [ToolHandler#handle] describes it.
      @Nullable Object handle(Json arguments, ToolContext context) throws Exception;
    }

    /// Sets the JSON Schema of its answers, which are not checked.
    public DynamicBuilder returns(Json schema) {
      output = schema;
      return this;
    }

    /// States that others made the schema, such as a server that answers the tool: keywords that
    /// cannot be checked stay in what the model reads, and are left to what answers.
    ///
    /// @param sink receives a sentence for each of them when the tool is built
    public DynamicBuilder foreign(Consumer<String> sink) {
      unchecked = sink;
      return self();
    }

    /// Builds the tool, answered by that code.
    public Tool handler(DynamicBuilder.Handler handler) {
      refuse(missing(handler));
      return answeredBy((arguments, context) -> handler.handle(arguments.json()));
    }

    /// Builds the tool, answered by that code.
    public Tool handler(DynamicBuilder.ContextHandler handler) {
      refuse(missing(handler));
      return answeredBy((arguments, context) -> handler.handle(arguments.json(), context));
    }

    @Override
    DynamicBuilder self() {
      return this;
    }

    @Override
    ParameterSchema parameters(boolean strict) {
      if (unchecked != null && !strict) {
        ParameterSchema foreign = ParameterSchema.foreign(name, parameters);
        foreign.warnings().forEach(unchecked);
        return foreign;
      }
      ParameterSchema schema = ParameterSchema.parse(name, parameters, strict);
      for (String warning : schema.warnings()) {
        // Not a field: setting up logs takes longer than most checks of files.
        System.getLogger(DynamicBuilder.class.getName()).log(Level.INFO, warning);
      }
      return schema;
    }

    @Override
    @Nullable Json output() {
      return output;
    }
  }

  /// A builder of a tool whose arguments are a record.
  ///
  /// @param <T> the record
  /// @param <R> the type that its handlers return, set by [#returns] or [#returnsLater]
  public static final class TypedBuilder<T, R> extends ToolBuilder<TypedBuilder<T, R>> {
    private final Function<Boolean, ParameterSchema> parameters;
    private @Nullable Json output;

    TypedBuilder(String name, Class<T> type) {
      this(name, strict -> ParameterSchema.of(name, type, strict));
    }

    /// @param parameters the parameters, by whether the tool is strict
    TypedBuilder(String name, Function<Boolean, ParameterSchema> parameters) {
      super(name);
      this.parameters = parameters;
    }

    /// A handler of typed arguments.
    ///
    /// @param <T> the arguments
    /// @param <R> the answer
    @FunctionalInterface
    public interface Handler<T, R> {
      /// The answer, as [ToolHandler#handle] describes it.
      @Nullable R handle(T arguments) throws Exception;
    }

    /// A handler of typed arguments that uses the context of the call.
    ///
    /// @param <T> the arguments
    /// @param <R> the answer
    @FunctionalInterface
    public interface ContextHandler<T, R> {
      /// The answer, as [ToolHandler#handle] describes it.
      @Nullable R handle(T arguments, ToolContext context) throws Exception;
    }

    /// Sets the type of its answers, for the output schema and the handler.
    public <A> TypedBuilder<T, A> returns(Class<A> answers) {
      return answering(answers);
    }

    /// Sets the type of its answers, which its handler returns in a stage.
    public <A> TypedBuilder<T, CompletionStage<? extends A>> returnsLater(Class<A> answers) {
      return answering(answers);
    }

    @SuppressWarnings("unchecked") // R stands for what the handler, which is still to come, returns
    private <A> TypedBuilder<T, A> answering(Class<?> answers) {
      output = OutputSchema.of(answers);
      return (TypedBuilder<T, A>) this;
    }

    /// Builds the tool, answered by that code.
    public Tool handler(TypedBuilder.Handler<? super T, ? extends R> handler) {
      refuse(missing(handler));
      return handler((arguments, context) -> handler.handle(arguments));
    }

    /// Builds the tool, answered by that code.
    public Tool handler(TypedBuilder.ContextHandler<? super T, ? extends R> handler) {
      refuse(missing(handler));
      ToolHandler.Typed<T> typed = handler::handle;
      return answeredBy(typed);
    }

    @Override
    TypedBuilder<T, R> self() {
      return this;
    }

    @Override
    ParameterSchema parameters(boolean strict) {
      return parameters.apply(strict);
    }

    @Override
    @Nullable Json output() {
      return output;
    }
  }
}
