package dev.switchboard.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.switchboard.kotlin.KotlinClass;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.jsontype.NamedType;

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
    return isVariant(type) && tagged(type) ? of(type) : super.findTypeName(config, annotated);
  }

  private static boolean isVariant(Class<?> type) {
    return type.isRecord() || KotlinJson.of(type).isObject();
  }

  private static boolean tagged(Class<?> type) {
    if ((type.isSealed() && type.isInterface())
        || KotlinJson.of(type).is(KotlinClass.Kind.SEALED)) {
      return true;
    }
    if (!isVariant(type)) {
      return false;
    }
    Class<?> above = type.getSuperclass();
    return (above != null && tagged(above))
        || Stream.of(type.getInterfaces()).anyMatch(SealedTags::tagged);
  }

  @Override
  public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
    List<NamedType> stated = super.findSubtypes(config, annotated);
    return stated == null || stated.isEmpty()
        ? KotlinJson.of(annotated.getRawType()).variants().stream()
            .map(variant -> new NamedType(variant, of(variant)))
            .toList()
        : stated;
  }

  @Override
  public VisibilityChecker findAutoDetectVisibility(
      MapperConfig<?> config, AnnotatedClass annotated, VisibilityChecker checker) {
    VisibilityChecker usual = super.findAutoDetectVisibility(config, annotated, checker);
    Class<?> type = annotated.getRawType();
    return KotlinJson.isTold(type)
        ? usual
            .withFieldVisibility(JsonAutoDetect.Visibility.ANY)
            .withGetterVisibility(JsonAutoDetect.Visibility.NONE)
            .withIsGetterVisibility(JsonAutoDetect.Visibility.NONE)
        : usual;
  }

  @Override
  public @Nullable PropertyName findNameForSerialization(
      MapperConfig<?> config, Annotated annotated) {
    String name = KotlinJson.name(annotated);
    return name == null
        ? super.findNameForSerialization(config, annotated)
        : PropertyName.construct(name);
  }

  @Override
  public @Nullable Boolean hasAsValue(MapperConfig<?> config, Annotated annotated) {
    return KotlinJson.isOnlyValue(annotated) ? Boolean.TRUE : super.hasAsValue(config, annotated);
  }
}
