package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.switchboard.json.Records;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonNaming;

/// Annotations of Jackson, and of Kotlin's serialization, on the types of a typed tool: some are
/// applied, some do not affect reading, and any other is an error, so that none is ignored.
final class JacksonRules {
  private static final List<String> PACKAGES =
      List.of(
          "kotlinx.serialization.",
          "com.fasterxml.jackson.annotation.",
          "com.fasterxml.jackson.databind.annotation.",
          "tools.jackson.databind.annotation.");

  private static final Set<String> FOLLOWED =
      Set.of(
          "JsonProperty",
          "JsonPropertyDescription",
          "JsonClassDescription",
          "JsonTypeName",
          "JsonInclude",
          "JsonPropertyOrder",
          "JsonRootName",
          "JsonAutoDetect",
          "Serializable",
          "EncodeDefault",
          "JsonEnumDefaultValue");

  /// Annotations that change how a value is read if they are on a method.
  private static final Set<String> READING =
      Set.of("JsonCreator", "JsonValue", "JsonSetter", "JsonAnySetter", "JsonKey");

  private JacksonRules() {}

  /// Checks that all of a component's annotations can be applied.
  ///
  /// @throws IllegalArgumentException that names the first that cannot
  static void requireFollowed(Annotations annotations) {
    for (Annotation annotation : annotations.list()) {
      if (!isFollowed(annotation)) {
        throw new IllegalArgumentException(sentence(annotation));
      }
    }
  }

  /// The problem with the annotations of a record, an enum or a sealed interface, or null.
  static @Nullable String problem(Class<?> type) {
    List<Annotation> annotations = new ArrayList<>(List.of(type.getDeclaredAnnotations()));
    for (Field field : type.isEnum() ? type.getDeclaredFields() : new Field[0]) {
      annotations.addAll(List.of(field.getDeclaredAnnotations()));
    }
    for (Method method : type.getDeclaredMethods()) {
      for (Annotation annotation : method.getDeclaredAnnotations()) {
        if (READING.contains(annotation.annotationType().getSimpleName())) {
          annotations.add(annotation);
        }
      }
    }
    return annotations.stream()
        .filter(annotation -> !isFollowed(annotation))
        .map(JacksonRules::sentence)
        .findFirst()
        .orElse(null);
  }

  private static String sentence(Annotation annotation) {
    String name = annotation.annotationType().getSimpleName();
    return "has @"
        + name
        + ", which typed tools do not follow"
        + (name.equals("SerialName") ? ": use @JsonProperty, of a class @JsonTypeName" : "");
  }

  private static boolean isFollowed(Annotation annotation) {
    String name = annotation.annotationType().getName();
    if (PACKAGES.stream().noneMatch(name::startsWith)) {
      return true;
    }
    return switch (annotation) {
      case JsonNaming _naming -> true;
      case JsonProperty property -> property.access() != JsonProperty.Access.READ_ONLY;
      case JsonIgnore ignored -> !ignored.value();
      case JsonTypeInfo info ->
          info.use() == JsonTypeInfo.Id.NAME && info.property().equals(Records.TYPE);
      default -> FOLLOWED.contains(annotation.annotationType().getSimpleName());
    };
  }
}
