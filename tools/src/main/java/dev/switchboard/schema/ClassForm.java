package dev.switchboard.schema;

import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.kotlin.KotlinClass;
import java.util.LinkedHashSet;
import java.util.Set;

/// What a class of an application is in JSON.
enum ClassForm {
  /// An object: a record, a data class, or an object of Kotlin.
  OBJECT,
  /// One of several objects: a sealed interface, or a sealed class of Kotlin.
  UNION,
  /// What its only member is: a value class of Kotlin.
  WRAPPER,
  /// Nothing.
  NONE;

  /// @throws IllegalArgumentException for a class of Kotlin that has no form
  static ClassForm of(Class<?> type) {
    KotlinClass kotlin = Kotlin.of(type);
    if (kotlin == null) {
      return type.isRecord() ? OBJECT : type.isSealed() && type.isInterface() ? UNION : NONE;
    }
    return switch (kotlin.kind()) {
      case DATA, OBJECT -> OBJECT;
      case VALUE -> WRAPPER;
      case SEALED -> UNION;
      case OTHER -> throw new IllegalArgumentException(kotlin.fault());
    };
  }

  /// The classes that a union may be.
  ///
  /// @throws IllegalArgumentException for a class of Kotlin that cannot be read
  static Set<Class<?>> variants(Class<?> union) {
    KotlinClass kotlin = Kotlin.of(union);
    if (kotlin != null) {
      return kotlin.variants();
    }
    Set<Class<?>> variants = new LinkedHashSet<>();
    for (Class<?> permitted : union.getPermittedSubclasses()) {
      if (permitted.isInterface() && permitted.isSealed()) {
        variants.addAll(variants(permitted));
      } else {
        variants.add(permitted);
      }
    }
    return variants;
  }
}
