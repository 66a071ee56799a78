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

  /// The value of its attribute.
  ///
  /// @throws IllegalArgumentException when the type has no attribute of that name
  public Object attribute(String name) {
    try {
      return annotation.annotationType().getMethod(name).invoke(annotation);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "is annotated with @" + annotation.annotationType().getName() + " without " + name, e);
    }
  }

  /// The text of its attribute, several texts joined; empty if there is none.
  public String text(String name, String joint) {
    return attribute(name) instanceof String[] several
        ? String.join(joint, several)
        : attribute(name).toString();
  }
}
