package dev.switchboard.kotlin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlin.jvm.functions.Function2;
import kotlin.reflect.KCallable;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import org.jspecify.annotations.Nullable;

/// Waits for suspend functions by `runBlocking` of kotlinx.coroutines, which is found by name. An
/// interrupt of the thread that waits cancels the coroutine.
final class Suspending {
  /// What is to be done where it is missing.
  static final String MISSING =
      "is a suspend function, which is called by kotlinx.coroutines: add"
          + " org.jetbrains.kotlinx:kotlinx-coroutines-core";

  private static final @Nullable Suspending FOUND = find();

  private final Method start;
  private final Method wait;

  private Suspending() throws ReflectiveOperationException {
    start =
        Class.forName("kotlin.reflect.full.KCallables")
            .getMethod("callSuspendBy", KCallable.class, Map.class, Continuation.class);
    wait =
        Class.forName("kotlinx.coroutines.BuildersKt")
            .getMethod("runBlocking", CoroutineContext.class, Function2.class);
  }

  private static @Nullable Suspending find() {
    try {
      return new Suspending();
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /// Null where kotlinx.coroutines is missing.
  static @Nullable Suspending found() {
    return FOUND;
  }

  /// The function's result.
  ///
  /// @throws Throwable what it throws, or an [InterruptedException]
  @Nullable Object call(KFunction<?> function, Map<KParameter, @Nullable Object> stated)
      throws Throwable {
    Function2<Object, Continuation<Object>, @Nullable Object> started =
        (_scope, continuation) -> {
          try {
            return start.invoke(null, function, stated, continuation);
          } catch (InvocationTargetException e) {
            throw Suspending.<RuntimeException>unchecked(Callable.thrown(e));
          } catch (IllegalAccessException e) {
            throw new IllegalStateException("callSuspendBy is public", e);
          }
        };
    try {
      return wait.invoke(null, EmptyCoroutineContext.INSTANCE, started);
    } catch (InvocationTargetException e) {
      throw Callable.thrown(e);
    }
  }

  /// Throws it as it is, which Kotlin's code passes on.
  @SuppressWarnings("unchecked") // E is not there when it is thrown
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
