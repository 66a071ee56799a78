package dev.switchboard.kotlin;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.function.Supplier;
import kotlin.KotlinVersion;
import kotlin.reflect.KCallable;
import kotlin.reflect.KClass;
import kotlin.reflect.KFunction;
import org.jspecify.annotations.Nullable;

/// Kotlin's reflection. Its interfaces are in `kotlin-stdlib`; what reads classes is in
/// `kotlin-reflect`, which an application need not have, and is therefore found by name.
final class Reflection {
  /// What is to be done where it is missing.
  static final String MISSING =
      "which is read by kotlin-reflect: add org.jetbrains.kotlin:kotlin-reflect, in the version of"
          + " your Kotlin compiler"
          + (Reflection.class.getModule().isNamed() ? ", and `requires kotlin.reflect;`" : "");

  private static final @Nullable Reflection FOUND = find();

  private final Method primaryConstructor;
  private final Method function;
  private final Method accessible;

  private Reflection() throws ReflectiveOperationException {
    primaryConstructor =
        Class.forName("kotlin.reflect.full.KClasses")
            .getMethod("getPrimaryConstructor", KClass.class);
    function =
        Class.forName("kotlin.reflect.jvm.ReflectJvmMapping")
            .getMethod("getKotlinFunction", Method.class);
    accessible =
        Class.forName("kotlin.reflect.jvm.KCallablesJvm")
            .getMethod("setAccessible", KCallable.class, boolean.class);
  }

  private static @Nullable Reflection find() {
    try {
      return new Reflection();
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /// Null where `kotlin-reflect` is missing.
  static @Nullable Reflection found() {
    return FOUND;
  }

  /// The module that makes objects.
  Module module() {
    return function.getDeclaringClass().getModule();
  }

  /// The primary constructor; null if it has none.
  @Nullable KFunction<?> primaryConstructor(KClass<?> type) {
    return (KFunction<?>) read(primaryConstructor, type);
  }

  /// The function that is compiled to this method; null if there is none.
  @Nullable KFunction<?> function(Method method) {
    return (KFunction<?>) read(function, method);
  }

  void makeAccessible(KFunction<?> callable) {
    read(accessible, callable, true);
  }

  private static @Nullable Object read(Method reader, Object... arguments) {
    try {
      return reader.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InaccessibleObjectException closed) {
        throw closed;
      }
      throw unreadable(arguments[0], Objects.requireNonNullElse(e.getCause(), e));
    } catch (IllegalAccessException e) {
      throw unreadable(arguments[0], e);
    }
  }

  /// What that reads of the class or function.
  ///
  /// @throws IllegalArgumentException when this version of `kotlin-reflect` cannot read it
  static <T> T reading(Object what, Supplier<T> reader) {
    try {
      return reader.get();
    } catch (IllegalArgumentException | InaccessibleObjectException e) {
      throw e;
    } catch (RuntimeException | LinkageError e) {
      throw unreadable(what, e);
    } catch (Error e) {
      if (e.getClass().getName().startsWith("kotlin.")) {
        throw unreadable(what, e);
      }
      throw e;
    }
  }

  private static IllegalArgumentException unreadable(Object what, Throwable cause) {
    return new IllegalArgumentException(
        ("is the Kotlin %s, which kotlin-reflect cannot read (%s) beside Kotlin %s: use both in the"
                + " version of your compiler")
            .formatted(what, cause.getClass().getSimpleName(), KotlinVersion.CURRENT),
        cause);
  }
}
