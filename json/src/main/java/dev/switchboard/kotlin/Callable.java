package dev.switchboard.kotlin;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import org.jspecify.annotations.Nullable;

/// A constructor or function, called with those of its parameters that have a value.
final class Callable {
  private static final MethodHandle CALL = call();

  private final KFunction<?> function;
  private final @Nullable KParameter instance;
  private final List<KParameter> parameters;

  Callable(KFunction<?> function) {
    this.function = function;
    List<KParameter> all = function.getParameters();
    instance =
        all.stream()
            .filter(parameter -> parameter.getKind() == KParameter.Kind.INSTANCE)
            .findFirst()
            .orElse(null);
    parameters =
        all.stream().filter(parameter -> parameter.getKind() == KParameter.Kind.VALUE).toList();
  }

  private static MethodHandle call() {
    MethodType type = MethodType.methodType(Object.class, Object.class, Object[].class);
    try {
      return MethodHandles.lookup().findVirtual(Callable.class, "call", type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this class has that method", e);
    }
  }

  /// The constructor, which takes an array of the values.
  MethodHandle maker() {
    return MethodHandles.insertArguments(CALL.bindTo(this), 0, (Object) null);
  }

  /// Its result; that of a suspend function once it has one.
  @Nullable Object call(@Nullable Object target, @Nullable Object[] values) throws Throwable {
    Map<KParameter, @Nullable Object> stated = new HashMap<>();
    if (instance != null) {
      stated.put(instance, target);
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] != OmittedArgument.VALUE) {
        stated.put(parameters.get(i), values[i]);
      }
    }
    Suspending suspending = function.isSuspend() ? Suspending.found() : null;
    try {
      return suspending == null ? function.callBy(stated) : suspending.call(function, stated);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /// What the function itself threw, which reflection wraps.
  static Throwable thrown(Throwable e) {
    Throwable cause = e.getCause();
    return e instanceof InvocationTargetException && cause != null ? thrown(cause) : e;
  }

  /// The parameters, with the annotations that others than they have, by their names.
  List<KotlinMember> members(Function<String, List<Annotation>> further) {
    return parameters.stream().map(parameter -> member(parameter, further)).toList();
  }

  private static KotlinMember member(
      KParameter parameter, Function<String, List<Annotation>> further) {
    String name = String.valueOf(parameter.getName());
    List<Annotation> annotations = new ArrayList<>(parameter.getAnnotations());
    annotations.addAll(further.apply(name));
    return new KotlinMember(
        name,
        KotlinType.of(parameter.getType()),
        parameter.isOptional() || parameter.isVararg(),
        annotations);
  }
}
