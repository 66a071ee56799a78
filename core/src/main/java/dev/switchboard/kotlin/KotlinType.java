package dev.switchboard.kotlin;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Objects;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import kotlin.reflect.KType;
import kotlin.reflect.KTypeParameter;
import kotlin.reflect.KTypeProjection;
import org.jspecify.annotations.Nullable;

/// A use of a type in Kotlin.
///
/// @param raw its class, never a primitive
/// @param variable the name of the type variable that it is, or null
public record KotlinType(
    Class<?> raw,
    @Nullable String variable,
    boolean nullable,
    List<KotlinType> arguments,
    List<Annotation> annotations) {
  private static final KotlinType ANYTHING =
      new KotlinType(Object.class, null, true, List.of(), List.of());

  /// Copies the lists.
  public KotlinType {
    arguments = List.copyOf(arguments);
    annotations = List.copyOf(annotations);
  }

  /// Why its values are not written as JSON, a clause; null if they are. Some types of Kotlin's
  /// libraries are numbers in the class file that mean something else.
  public @Nullable String unwritten() {
    return KotlinLibrary.replaced(raw)
        ? KotlinLibrary.instead(raw)
        : arguments.stream().map(KotlinType::unwritten).filter(Objects::nonNull).findFirst().orElse(null);
  }

  static KotlinType of(KType type) {
    List<KotlinType> arguments = type.getArguments().stream().map(KotlinType::of).toList();
    boolean nullable = type.isMarkedNullable();
    List<Annotation> annotations = type.getAnnotations();
    return switch (type.getClassifier()) {
      case KTypeParameter variable ->
          new KotlinType(Object.class, variable.getName(), nullable, arguments, annotations);
      case KClass<?> known ->
          new KotlinType(raw(known, arguments), null, nullable, arguments, annotations);
      case null, default ->
          throw new IllegalArgumentException("is of the type " + type + ", which is no class");
    };
  }

  private static KotlinType of(KTypeProjection projection) {
    KType type = projection.getType();
    return type == null ? ANYTHING : of(type);
  }

  private static Class<?> raw(KClass<?> known, List<KotlinType> arguments) {
    Class<?> raw = JvmClassMappingKt.getJavaObjectType(known);
    // Kotlin has one class for all arrays of objects.
    return raw.isArray() && !arguments.isEmpty() ? arguments.getFirst().raw.arrayType() : raw;
  }
}
