package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.schema.OutputSchema;
import dev.switchboard.schema.ParameterSchema;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A tool in the making whose arguments are a record.
///
/// @param <T> the record
public final class TypedToolBuilder<T> extends ToolBuilder<TypedToolBuilder<T>> {
  private final Class<T> type;
  private @Nullable Json output;

  TypedToolBuilder(String name, Class<T> type) {
    super(name);
    this.type = type;
  }

  /// What a typed handler does.
  ///
  /// @param <T> the arguments
  @FunctionalInterface
  public interface Handler<T> {
    /// The answer, as [ToolHandler#handle] describes it.
    @Nullable Object handle(T arguments) throws Exception;
  }

  /// What a typed handler does that wants to know who asks, or to say how far it is.
  ///
  /// @param <T> the arguments
  @FunctionalInterface
  public interface ContextHandler<T> {
    /// The answer, as [ToolHandler#handle] describes it.
    @Nullable Object handle(T arguments, ToolContext context) throws Exception;
  }

  /// The type of its answers, for the output schema.
  public TypedToolBuilder<T> returns(Class<?> answers) {
    output = OutputSchema.of(answers);
    return this;
  }

  /// The tool, answered by that code.
  public Tool handler(Handler<? super T> handler) {
    return handler((arguments, context) -> handler.handle(arguments));
  }

  /// The tool, answered by that code.
  public Tool handler(ContextHandler<? super T> handler) {
    return answeredBy((arguments, context) -> handler.handle(type.cast(bound(arguments)), context));
  }

  private static Object bound(Arguments arguments) {
    return Objects.requireNonNull(arguments.bound(), "a typed tool's arguments are bound");
  }

  @Override
  TypedToolBuilder<T> self() {
    return this;
  }

  @Override
  ParameterSchema parameters(boolean strict) {
    return ParameterSchema.of(name, type, strict);
  }

  @Override
  @Nullable Json output() {
    return output;
  }
}
