package dev.switchboard.kotlin;

import java.lang.annotation.Annotation;
import java.util.List;

/// A parameter of a Kotlin constructor or function.
///
/// @param defaulted whether it has a default, so that [OmittedArgument#VALUE] may stand for its
///   value
/// @param annotations of the parameter, and of its property with field and getter
public record KotlinMember(
    String name, KotlinType type, boolean defaulted, List<Annotation> annotations) {
  /// Copies the list.
  public KotlinMember {
    annotations = List.copyOf(annotations);
  }
}
