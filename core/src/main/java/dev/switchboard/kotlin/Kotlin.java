package dev.switchboard.kotlin;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// The way to what Kotlin says of a class or method. Nothing of Kotlin is loaded for those of Java.
public final class Kotlin {
  private Kotlin() {}

  /// Whether the class is written in Kotlin.
  public static boolean isKotlin(Class<?> type) {
    for (Annotation annotation : type.getDeclaredAnnotations()) {
      if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
        return true;
      }
    }
    return false;
  }

  /// Whether it is what a function without a result returns.
  public static boolean isUnit(Object value) {
    return value.getClass().getName().equals("kotlin.Unit");
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
