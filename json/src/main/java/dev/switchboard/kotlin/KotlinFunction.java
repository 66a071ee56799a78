package dev.switchboard.kotlin;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import kotlin.Result;
import kotlin.ResultKt;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.KTypeParameter;
import org.jspecify.annotations.Nullable;

/// A method written in Kotlin. Its faults are clauses: "has a reified type parameter ..".
public final class KotlinFunction {
  private static final Map<String, String> INSTEAD =
      Map.of(
          "kotlin.sequences.Sequence", "`toList()`",
          "kotlinx.coroutines.flow.Flow", "`toList()`, in `runBlocking { .. }`",
          "kotlinx.coroutines.Deferred", "`asCompletableFuture()`");

  private final Method method;
  private final KFunction<?> read;
  private final Reflection reflection;

  private KotlinFunction(Method method, KFunction<?> read, Reflection reflection) {
    this.method = method;
    this.read = read;
    this.reflection = reflection;
  }

  /// The function; null if the method is that of a property, or made for Java.
  ///
  /// @throws IllegalArgumentException when it cannot be read
  static @Nullable KotlinFunction read(Method method) {
    Reflection found = Reflection.found();
    if (found == null) {
      throw new IllegalArgumentException("is a Kotlin function, " + Reflection.MISSING);
    }
    KFunction<?> function = Reflection.reading(method, () -> found.function(method));
    return function == null ? null : new KotlinFunction(method, function, found);
  }

  /// Whether its class has a function with the same name and more parameters.
  static boolean hasLonger(Method method) {
    return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
        .filter(other -> other.getName().equals(method.getName()))
        .filter(other -> other.getParameterCount() > method.getParameterCount())
        .anyMatch(other -> read(other) != null);
  }

  String name() {
    return read.getName();
  }

  /// The value of an object of a value class, among them `Result`.
  ///
  /// @throws Throwable the failure of a `Result`
  static @Nullable Object valueOf(Object holder) throws Throwable {
    Method unbox = holder.getClass().getMethod("unbox-impl");
    unbox.setAccessible(true);
    Object value = unbox.invoke(holder);
    if (holder instanceof Result<?>) {
      ResultKt.throwOnFailure(value);
    }
    return value;
  }

  /// Why it cannot be called with arguments, or null.
  public @Nullable String fault() {
    if (read.isSuspend() && Suspending.found() == null) {
      return Suspending.MISSING;
    }
    boolean plain =
        read.getParameters().stream()
            .map(KParameter::getKind)
            .allMatch(kind -> kind == KParameter.Kind.INSTANCE || kind == KParameter.Kind.VALUE);
    if (read.getTypeParameters().stream().anyMatch(KTypeParameter::isReified)) {
      return "has a reified type parameter, which a tool has no type for: state the type";
    }
    return plain
        ? faultOfResult()
        : "has a receiver or a context beside its object: make that a parameter";
  }

  private @Nullable String faultOfResult() {
    String remedy =
        read.getReturnType().getClassifier() instanceof KClass<?> result
            ? INSTEAD.get(JvmClassMappingKt.getJavaClass(result).getName())
            : null;
    return remedy == null
        ? null
        : "returns a %s, which is not written as JSON: return its %s"
            .formatted(read.getReturnType(), remedy);
  }

  /// Its parameters.
  ///
  /// @throws IllegalArgumentException when one of them cannot be read
  public List<KotlinMember> parameters() {
    return Reflection.reading(method, () -> new Callable(read).members(_name -> List.of()));
  }

  /// The types of its parameters in the class file, without the continuation of a suspend function.
  public Class<?>[] types() {
    Class<?>[] types = method.getParameterTypes();
    return read.isSuspend() ? Arrays.copyOf(types, types.length - 1) : types;
  }

  /// A function that can be called.
  @FunctionalInterface
  public interface Called {
    /// Its result, null if it has none.
    ///
    /// @param values of all parameters, [OmittedArgument#VALUE] for a default
    /// @throws Throwable what the function throws
    @Nullable Object call(Object target, @Nullable Object[] values) throws Throwable;
  }

  /// The function, ready to be called on objects of that class.
  ///
  /// @throws IllegalArgumentException when its package is not open to Kotlin's reflection, or its
  ///   defaults cannot be applied
  public Called called(Class<?> target) {
    if (!method.getDeclaringClass().isInterface()) {
      return called();
    }
    try {
      KotlinFunction own =
          Kotlin.of(target.getMethod(method.getName(), method.getParameterTypes()));
      if (own != null && !own.method.equals(method)) {
        return own.called();
      }
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("is not a method of " + target.getTypeName(), e);
    }
    boolean anyDefault = read.getParameters().stream().anyMatch(KParameter::isOptional);
    String defaults = method.getName() + "$default";
    if (anyDefault
        && Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
            .noneMatch(each -> each.getName().equals(defaults))) {
      throw new IllegalArgumentException(
          "has defaults in an interface that Kotlin's reflection cannot apply to an object of "
              + target.getTypeName()
              + ": compile with -jvm-default=enable");
    }
    return called();
  }

  private Called called() {
    Class<?> owner = method.getDeclaringClass();
    try {
      reflection.makeAccessible(read);
    } catch (InaccessibleObjectException e) {
      if (isExported(owner)) {
        return new Callable(read)::call;
      }
      throw new IllegalArgumentException(
          "is in a package that is not open to Kotlin's reflection: its module-info.java needs"
              + " `opens %s to dev.switchboard.json, kotlin.reflect;`, or `open module`"
                  .formatted(owner.getPackageName()),
          e);
    }
    return new Callable(read)::call;
  }

  private boolean isExported(Class<?> owner) {
    for (Class<?> each = owner; each != null; each = each.getEnclosingClass()) {
      if (!Modifier.isPublic(each.getModifiers())) {
        return false;
      }
    }
    return owner.getModule().isExported(owner.getPackageName(), reflection.module());
  }
}
