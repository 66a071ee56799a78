package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import org.jspecify.annotations.Nullable;

/// A tool in the making whose parameters are stated as a JSON Schema.
public final class DynamicToolBuilder extends ToolBuilder<DynamicToolBuilder> {
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
    return ParameterSchema.parse(name, parameters, strict);
  }

  @Override
  @Nullable Json output() {
    return output;
  }
}
