package dev.switchboard.kotlin;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import kotlin.Function;
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
        : arguments.stream()
            .map(KotlinType::unwritten)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  static KotlinType of(KType type) {
    List<KotlinType> arguments = type.getArguments().stream().map(KotlinType::of).toList();
    boolean nullable = type.isMarkedNullable();
    List<Annotation> annotations =
        type.getAnnotations().stream().map(KotlinType::completed).toList();
    return switch (type.getClassifier()) {
      case KTypeParameter variable ->
          new KotlinType(Object.class, variable.getName(), nullable, arguments, annotations);
      case KClass<?> known ->
          new KotlinType(raw(known, arguments), null, nullable, arguments, annotations);
      // A suspending function.
      case null, default -> new KotlinType(Function.class, null, nullable, List.of(), annotations);
    };
  }

  /// The annotation with its defaults, which Kotlin's reflection does not know of one on a type.
  private static Annotation completed(Annotation annotation) {
    Class<? extends Annotation> type = annotation.annotationType();
    Object completed =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_proxy, method, arguments) -> {
              try {
                return method.invoke(annotation, arguments);
              } catch (InvocationTargetException e) {
                Object usual = method.getDefaultValue();
                if (usual == null) {
                  throw e;
                }
                return usual;
              }
            });
    return type.cast(completed);
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
