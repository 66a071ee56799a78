package dev.switchboard.schema;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.Nullable;

/// The annotations of one element, collected from all its declarations.
record Annotations(List<Annotation> list) {
  static final Annotations NONE = new Annotations(List.of());

  /// Of a type that allows null.
  static final Annotations NULLABLE = ofMarker("nullable");

  /// Of a type that does not.
  static final Annotations NON_NULL = ofMarker("nonNull");

  private record Markers(@Nullable Object nullable, @NonNull Object nonNull) {}

  private static Annotations ofMarker(String name) {
    return Arrays.stream(Markers.class.getRecordComponents())
        .filter(component -> component.getName().equals(name))
        .map(component -> of(component.getAnnotatedType()))
        .findFirst()
        .orElseThrow();
  }

  static Annotations of(AnnotatedElement... elements) {
    Annotations all = NONE;
    for (AnnotatedElement element : elements) {
      all = all.and(List.of(element.getAnnotations()));
    }
    return all;
  }

  /// These annotations, then the others; of each type the first counts.
  Annotations and(List<Annotation> others) {
    List<Annotation> all = new ArrayList<>(list);
    for (Annotation other : others) {
      if (!has(other.annotationType())) {
        all.add(other);
      }
    }
    return new Annotations(List.copyOf(all));
  }

  Annotations without(Annotations others) {
    return new Annotations(
        list.stream().filter(annotation -> !others.has(annotation.annotationType())).toList());
  }

  private boolean has(Class<? extends Annotation> type) {
    return get(type) != null;
  }

  <A extends Annotation> @Nullable A get(Class<A> type) {
    for (Annotation annotation : list) {
      if (annotation.annotationType() == type) {
        return type.cast(annotation);
      }
    }
    return null;
  }

  @Nullable ForeignAnnotation foreign(String type) {
    return ForeignAnnotation.find(type, list);
  }

  /// Whether one of them is named `Nullable`, in any package.
  boolean nullable() {
    return named("Nullable");
  }

  /// Whether one of them is named `NonNull` or `NotNull`, in any package.
  boolean nonNull() {
    return named("NonNull") || named("NotNull");
  }

  private boolean named(String name) {
    return list.stream()
        .anyMatch(annotation -> annotation.annotationType().getSimpleName().equals(name));
  }

  /// All except those of [#nullable].
  Annotations withoutNullable() {
    return new Annotations(
        list.stream()
            .filter(annotation -> !new Annotations(List.of(annotation)).nullable())
            .toList());
  }
}
