package dev.switchboard.kotlin;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// The way to what Kotlin says of a class or method. Nothing of Kotlin is loaded for those of Java.
public final class Kotlin {
  private static final ClassValue<Boolean> INLINE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          String name = type.getName();
          return name.equals("kotlin.Result")
              || (!name.startsWith("kotlin.") && has(type, "kotlin.jvm.JvmInline"));
        }
      };

  private Kotlin() {}

  /// Whether the class is written in Kotlin.
  public static boolean isKotlin(Class<?> type) {
    return has(type, "kotlin.Metadata");
  }

  private static boolean has(Class<?> type, String name) {
    for (Annotation annotation : type.getDeclaredAnnotations()) {
      if (annotation.annotationType().getName().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /// What a handler's answer means: null for `Unit`, the value of a `Result` or a value class.
  ///
  /// @throws Throwable the failure of a `Result`
  public static @Nullable Object answer(@Nullable Object value) throws Throwable {
    if (value == null || !INLINE.get(value.getClass())) {
      return value != null && value.getClass().getName().equals("kotlin.Unit") ? null : value;
    }
    return answer(KotlinFunction.valueOf(value));
  }

  /// What Kotlin says of the class; null if it is not written in Kotlin.
  ///
  /// @throws IllegalArgumentException when it cannot be read
  public static @Nullable KotlinClass of(Class<?> type) {
    return isKotlin(type) ? KotlinClass.read(type) : null;
  }

  /// What Kotlin says of the method; null if it is not a function written in Kotlin.
  ///
  /// @throws IllegalArgumentException when it cannot be read
  public static @Nullable KotlinFunction of(Method method) {
    return isKotlin(method.getDeclaringClass()) ? KotlinFunction.read(method) : null;
  }

  /// The method's name in Kotlin, with which the one in the class file may only begin.
  public static String nameOf(Method method) {
    try {
      KotlinFunction function = of(method);
      return function == null ? method.getName() : function.name();
    } catch (IllegalArgumentException e) {
      return method.getName();
    }
  }

  /// Whether the method is a shorter form of a Kotlin function, made for Java (`@JvmOverloads`).
  public static boolean isOverload(Method method) {
    if (!isKotlin(method.getDeclaringClass())) {
      return false;
    }
    try {
      return of(method) == null && KotlinFunction.hasLonger(method);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
