package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// A builder of a tool whose parameters are given as a JSON Schema.
public final class DynamicToolBuilder extends ToolBuilder<DynamicToolBuilder> {
  private static final System.Logger LOG = System.getLogger(DynamicToolBuilder.class.getName());

  private final Json parameters;
  private @Nullable Json output;

  DynamicToolBuilder(String name, Json parameters) {
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

  /// Sets the JSON Schema of its answers: information for readers of the definition, not checked.
  public DynamicToolBuilder returns(Json schema) {
    output = schema;
    return this;
  }

  /// Builds the tool, answered by that code.
  public Tool handler(Handler handler) {
    return answeredBy((arguments, context) -> handler.handle(arguments.json()));
  }

  /// Builds the tool, answered by that code.
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
