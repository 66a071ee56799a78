package dev.switchboard.handler;

import dev.switchboard.json.Json;
import dev.switchboard.schema.OutputSchema;
import dev.switchboard.schema.ParameterSchema;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A builder of a tool whose arguments are a record.
///
/// @param <T> the record
/// @param <R> what its handlers return: anything, until [#returns] or [#returnsLater] says which
///   type
public final class TypedToolBuilder<T, R> extends ToolBuilder<TypedToolBuilder<T, R>> {
  private final Class<T> type;
  private final Function<Boolean, ParameterSchema> parameters;
  private @Nullable Json output;

  TypedToolBuilder(String name, Class<T> type) {
    this(name, type, strict -> ParameterSchema.of(name, type, strict));
  }

  /// @param parameters the parameters, by whether the tool is strict
  TypedToolBuilder(String name, Class<T> type, Function<Boolean, ParameterSchema> parameters) {
    super(name);
    this.type = type;
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

  /// Sets the type of its answers: of the output schema, and of what its handler returns.
  public <A> TypedToolBuilder<T, A> returns(Class<A> answers) {
    return answering(answers);
  }

  /// Sets the type of its answers, which its handler returns in a stage that completes later.
  public <A> TypedToolBuilder<T, CompletionStage<? extends A>> returnsLater(Class<A> answers) {
    return answering(answers);
  }

  @SuppressWarnings("unchecked") // R stands for what the handler, which is still to come, returns
  private <A> TypedToolBuilder<T, A> answering(Class<?> answers) {
    output = OutputSchema.of(answers);
    return (TypedToolBuilder<T, A>) this;
  }

  /// Builds the tool, answered by that code.
  public Tool handler(Handler<? super T, ? extends R> handler) {
    return handler((arguments, context) -> handler.handle(arguments));
  }

  /// Builds the tool, answered by that code.
  public Tool handler(ContextHandler<? super T, ? extends R> handler) {
    return answeredBy((arguments, context) -> handler.handle(type.cast(bound(arguments)), context));
  }

  private static Object bound(Arguments arguments) {
    return Objects.requireNonNull(arguments.bound(), "a typed tool's arguments are bound");
  }

  @Override
  TypedToolBuilder<T, R> self() {
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
