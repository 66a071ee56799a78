package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// A tool in the making whose parameters are stated as a JSON Schema.
public final class DynamicToolBuilder extends ToolBuilder<DynamicToolBuilder> {
  private static final System.Logger LOG = System.getLogger(DynamicToolBuilder.class.getName());

  private final Json parameters;
  private @Nullable Json output;

  DynamicToolBuilder(String name, Json parameters) {
    super(name);
    this.parameters = parameters;
  }

  /// What a handler of JSON does.
  @FunctionalInterface
  public interface Handler {
    /// The answer, as [ToolHandler#handle] describes it.
    @Nullable Object handle(Json arguments) throws Exception;
  }

  /// What a handler of JSON does that wants to know who asks, or to say how far it is.
  @FunctionalInterface
  public interface ContextHandler {
    /// The answer, as [ToolHandler#handle] describes it.
    @Nullable Object handle(Json arguments, ToolContext context) throws Exception;
  }

  /// The JSON Schema of its answers: a promise to those who read the definition, that no one
  /// checks.
  public DynamicToolBuilder returns(Json schema) {
    output = schema;
    return this;
  }

  /// The tool, answered by that code.
  public Tool handler(Handler handler) {
    return answeredBy((arguments, context) -> handler.handle(arguments.json()));
  }

  /// The tool, answered by that code.
  public Tool handler(ContextHandler handler) {
    return answeredBy((arguments, context) -> handler.handle(arguments.json(), context));
  }

  @Override
  DynamicToolBuilder self() {
    return this;
  }

  @Override
  ParameterSchema parameters(boolean strict) {
    ParameterSchema schema = ParameterSchema.parse(name, parameters, strict);
    schema.warnings().forEach(warning -> LOG.log(Level.INFO, warning));
    return schema;
  }

  @Override
  @Nullable Json output() {
    return output;
  }
}
