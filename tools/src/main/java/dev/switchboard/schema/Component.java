package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.switchboard.json.Records;
import dev.switchboard.kotlin.Kotlin;
import dev.switchboard.kotlin.KotlinClass;
import dev.switchboard.kotlin.KotlinFunction;
import dev.switchboard.kotlin.KotlinMember;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.Doc;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A component of a record or a parameter of a method, with its annotations.
///
/// @param use its type; null if it is not supported, for the reason in `problem`
/// @param kotlin what Kotlin says of it, or null
record Component(
    String name,
    @Nullable TypeUse use,
    @Nullable String problem,
    Annotations annotations,
    @Nullable KotlinMember kotlin) {

  static List<Component> of(TypeUse type) {
    KotlinClass kotlin = Kotlin.of(type.raw());
    if (kotlin != null) {
      return kotlin.members().stream().map(member -> of(member, type)).toList();
    }
    RecordComponent[] components = type.raw().getRecordComponents();
    Constructor<?> constructor = canonical(type.raw());
    List<Component> list = new ArrayList<>();
    for (int i = 0; i < components.length; i++) {
      list.add(of(components[i], constructor, i, type));
    }
    return list;
  }

  private static Component of(KotlinMember member, TypeUse owner) {
    Annotations declared = new Annotations(List.of()).and(member.annotations()).withoutNullable();
    return of(
        member.name(),
        true,
        declared,
        member,
        owner,
        variables -> TypeUse.of(member.type(), variables));
  }

  static Constructor<?> canonical(Class<?> type) {
    Class<?>[] parameters =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(parameters);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a canonical constructor", e);
    }
  }

  private static Component of(
      RecordComponent component, Constructor<?> constructor, int index, TypeUse owner) {
    Annotations declared = Annotations.of(component, component.getAccessor(), field(component));
    declared = declared.and(List.of(constructor.getParameterAnnotations()[index]));
    return of(
        component.getName(), true, declared, null, owner, typed(component.getAnnotatedType()));
  }

  /// The parameters of a method or constructor, except those of the type `given`.
  static List<Component> of(Executable method, Class<?> given) {
    TypeUse owner = TypeUse.of(method.getDeclaringClass());
    List<Component> list = new ArrayList<>();
    KotlinFunction kotlin = method instanceof Method called ? Kotlin.of(called) : null;
    if (kotlin != null) {
      for (KotlinMember parameter : kotlin.parameters()) {
        if (parameter.type().raw() != given) {
          list.add(of(parameter, owner));
        }
      }
      return list;
    }
    for (Parameter parameter : method.getParameters()) {
      if (parameter.getType() != given) {
        Annotations declared = Annotations.of(parameter);
        boolean named = parameter.isNamePresent();
        list.add(
            of(
                parameter.getName(),
                named,
                declared,
                null,
                owner,
                typed(parameter.getAnnotatedType())));
      }
    }
    return list;
  }

  private static Function<Map<String, TypeUse>, TypeUse> typed(AnnotatedType type) {
    return variables -> TypeUse.of(type, variables);
  }

  /// @param named whether the class file has the declared name
  /// @param type by the types of the owner's type variables
  private static Component of(
      String declaredName,
      boolean named,
      Annotations declared,
      @Nullable KotlinMember kotlin,
      TypeUse owner,
      Function<Map<String, TypeUse>, TypeUse> type) {
    String name = declaredName;
    try {
      JsonProperty property = declared.get(JsonProperty.class);
      String foreign = ParameterNote.of(declared).name();
      if (!named && foreign.isEmpty() && (property == null || property.value().isEmpty())) {
        throw new IllegalArgumentException(
            "has no name in the class file: compile with -parameters (Maven's compiler plugin:"
                + " <parameters>true</parameters>), or name it with @JsonProperty");
      }
      name = foreign.isEmpty() ? Records.memberName(owner.raw(), name, property) : foreign;
      JacksonRules.requireFollowed(declared);
      TypeUse use = type.apply(owner.variables()).itemsWithout(declared);
      return new Component(name, use, null, declared.and(use.annotations().list()), kotlin);
    } catch (IllegalArgumentException e) {
      return new Component(name, null, String.valueOf(e.getMessage()), declared, kotlin);
    }
  }

  private static java.lang.reflect.Field field(RecordComponent component) {
    try {
      return component.getDeclaringRecord().getDeclaredField(component.getName());
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("every record has a field for each component", e);
    }
  }

  @Nullable String description() {
    Doc doc = annotations.get(Doc.class);
    JsonPropertyDescription jackson = annotations.get(JsonPropertyDescription.class);
    if (doc != null) {
      return doc.value();
    }
    if (jackson != null) {
      return jackson.value();
    }
    String foreign = ParameterNote.of(annotations).description();
    return foreign.isEmpty() ? null : foreign;
  }

  @Nullable String defaultText() {
    Default given = annotations.get(Default.class);
    return given == null ? ParameterNote.of(annotations).defaultText() : given.value();
  }

  /// Whether the constructor or method has a default of its own for it.
  boolean defaulted() {
    return kotlin != null && kotlin.defaulted();
  }

  /// Whether it gets neither null nor a default when a call leaves it out.
  boolean needsValue() {
    boolean neverNull =
        use != null
            && (kotlin == null
                ? use.raw().isPrimitive()
                : !use.annotations().nullable() && !kotlin.defaulted());
    return neverNull && defaultText() == null;
  }

  boolean markedRequired() {
    JsonProperty property = annotations.get(JsonProperty.class);
    return property != null && property.required();
  }

  /// Whether another library's annotation marks it as optional.
  boolean markedOptional() {
    return ParameterNote.of(annotations).optional();
  }
}
