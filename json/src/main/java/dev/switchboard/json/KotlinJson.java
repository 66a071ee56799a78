package dev.switchboard.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.kotlin.KotlinClass;
import dev.switchboard.kotlin.KotlinMember;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/// How an object of a Kotlin class is written and read: by the parameters of its primary
/// constructor, whose getters may have other names.
///
/// @param kotlin null for a class of Java, or one that cannot be read
/// @param members by their names in Kotlin
/// @param fault why it cannot be written, or null
record KotlinJson(
    @Nullable KotlinClass kotlin, Map<String, KotlinMember> members, @Nullable String fault) {
  private static final KotlinJson NONE = new KotlinJson(null, Map.of(), null);

  private static final ClassValue<KotlinJson> KNOWN =
      new ClassValue<>() {
        @Override
        protected KotlinJson computeValue(Class<?> type) {
          return made(type);
        }
      };

  static KotlinJson of(Class<?> type) {
    return KNOWN.get(type);
  }

  private static KotlinJson made(Class<?> type) {
    try {
      KotlinClass kotlin = type.isEnum() ? null : Kotlin.of(type);
      if (kotlin == null) {
        return NONE;
      }
      Map<String, KotlinMember> members = new LinkedHashMap<>();
      kotlin.members().forEach(member -> members.put(member.name(), member));
      String fault =
          members.values().stream()
              .filter(member -> member.type().unwritten() != null)
              .map(member ->
                  "%s.%s %s"
                      .formatted(type.getTypeName(), member.name(), member.type().unwritten()))
              .findFirst()
              .orElse(null);
      return new KotlinJson(kotlin, members, fault);
    } catch (IllegalArgumentException e) {
      return NONE;
    }
  }

  boolean is(KotlinClass.Kind kind) {
    return kotlin != null && kotlin.kind() == kind;
  }

  /// Whether it is an object with members.
  boolean isObject() {
    return is(KotlinClass.Kind.DATA) || is(KotlinClass.Kind.OBJECT);
  }

  /// The classes that it may be.
  Set<Class<?>> variants() {
    return kotlin != null && is(KotlinClass.Kind.SEALED) ? kotlin.variants() : Set.of();
  }

  /// Whether Jackson needs its members stated; it knows those of a record.
  static boolean isTold(Class<?> type) {
    return !type.isRecord() && of(type).isObject();
  }

  /// The name of the member in JSON.
  static String name(Class<?> type, KotlinMember member) {
    JsonProperty stated = null;
    for (Annotation annotation : member.annotations()) {
      stated = annotation instanceof JsonProperty property ? property : stated;
    }
    return MemberNames.of(type, member.name(), stated);
  }

  /// The member of that field; null if it is not a member, or Jackson knows it.
  private static @Nullable KotlinMember member(Annotated annotated) {
    return annotated instanceof AnnotatedField field
        ? of(field.getDeclaringClass()).members.get(field.getName())
        : null;
  }

  /// The name of that field in JSON; null if Jackson knows it.
  static @Nullable String name(Annotated annotated) {
    KotlinMember member = member(annotated);
    if (member == null) {
      return null;
    }
    Class<?> type = ((AnnotatedField) annotated).getDeclaringClass();
    return isTold(type) ? name(type, member) : null;
  }

  /// Whether this is the field of its only value, in whose place it stands.
  static boolean isOnlyValue(Annotated annotated) {
    return member(annotated) != null
        && of(((AnnotatedField) annotated).getDeclaringClass()).is(KotlinClass.Kind.VALUE);
  }

  /// Jackson's view of these classes.
  static SimpleModule module() {
    return new SimpleModule()
        .setSerializerModifier(new Written())
        .setDeserializerModifier(new Read());
  }

  /// Leaves out non-members, such as a field of a superclass, and keeps the members' order.
  private static final class Written extends ValueSerializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public List<BeanPropertyWriter> changeProperties(
        SerializationConfig config,
        BeanDescription.Supplier described,
        List<BeanPropertyWriter> properties) {
      Class<?> type = described.getBeanClass();
      KotlinJson json = of(type);
      if (json.fault != null) {
        throw new IllegalArgumentException(json.fault);
      }
      if (!isTold(type)) {
        return properties;
      }
      List<String> names = List.copyOf(json.members.keySet());
      List<BeanPropertyWriter> kept =
          new ArrayList<>(
              properties.stream()
                  .filter(property -> property.getMember().getDeclaringClass() == type)
                  .filter(property -> names.contains(property.getMember().getName()))
                  .toList());
      if (!type.isAnnotationPresent(JsonPropertyOrder.class)) {
        kept.sort(
            Comparator.comparingInt(property -> names.indexOf(property.getMember().getName())));
      }
      return kept;
    }
  }

  private static final class Read extends ValueDeserializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueDeserializer<?> modifyDeserializer(
        DeserializationConfig config,
        BeanDescription.Supplier described,
        ValueDeserializer<?> usual) {
      KotlinJson json = of(described.getBeanClass());
      return json.isObject() || json.is(KotlinClass.Kind.VALUE)
          ? new KotlinReader(described.getType(), Objects.requireNonNull(json.kotlin))
          : usual;
    }
  }
}
