package dev.switchboard.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/// Distinguishes the records of a sealed interface by a member `type`, written first.
class SealedTags extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1L;

  /// The name of that member.
  static final String MEMBER = "type";

  SealedTags() {}

  /// The type of a record: its Jackson type name, or its simple name in snake_case.
  static String of(Class<?> variant) {
    JsonTypeName named = variant.getAnnotation(JsonTypeName.class);
    if (named != null && !named.value().isEmpty()) {
      return named.value();
    }
    String words =
        variant.getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_");
    return words.toLowerCase(Locale.ROOT);
  }

  @Override
  public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
      MapperConfig<?> config, Annotated annotated) {
    JsonTypeInfo.Value stated = super.findPolymorphicTypeInfo(config, annotated);
    return stated != null
            || !(annotated instanceof AnnotatedClass)
            || !tagged(annotated.getRawType())
        ? stated
        : JsonTypeInfo.Value.construct(
            JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, MEMBER, null, false, null);
  }

  @Override
  public @Nullable String findTypeName(MapperConfig<?> config, AnnotatedClass annotated) {
    Class<?> type = annotated.getRawType();
    return type.isRecord() && tagged(type) ? of(type) : super.findTypeName(config, annotated);
  }

  private static boolean tagged(Class<?> type) {
    if (type.isSealed() && type.isInterface()) {
      return true;
    }
    for (Class<?> parent : type.getInterfaces()) {
      if (type.isRecord() && tagged(parent)) {
        return true;
      }
    }
    return false;
  }
}
