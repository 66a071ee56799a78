package dev.switchboard.schema;

import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An annotation of another library, read by name, so that the library is not needed.
public record ForeignAnnotation(Annotation annotation) {
  /// The annotation whose type has that name; null if there is none.
  public static @Nullable ForeignAnnotation find(String type, Annotation... annotations) {
    return find(type, Arrays.asList(annotations));
  }

  static @Nullable ForeignAnnotation find(String type, List<Annotation> annotations) {
    for (Annotation annotation : annotations) {
      if (annotation.annotationType().getName().equals(type)) {
        return new ForeignAnnotation(annotation);
      }
    }
    return null;
  }

  /// The value of its attribute; null where this version of the library has no such attribute.
  ///
  /// @throws IllegalArgumentException when it cannot be read
  public @Nullable Object attribute(String name) {
    try {
      return annotation.annotationType().getMethod(name).invoke(annotation);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "is annotated with @%s, whose %s cannot be read"
              .formatted(annotation.annotationType().getName(), name),
          e);
    }
  }

  /// The text of its attribute, several texts joined; empty if there is none.
  public String text(String name, String joint) {
    Object value = attribute(name);
    return value instanceof String[] several
        ? String.join(joint, several)
        : value == null ? "" : value.toString();
  }

  /// The text of its attribute; null where it has the value that it has if it is not stated.
  @Nullable String stated(String name) {
    try {
      Object usual = annotation.annotationType().getMethod(name).getDefaultValue();
      String text = text(name, "");
      return text.equals(usual) ? null : text;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
