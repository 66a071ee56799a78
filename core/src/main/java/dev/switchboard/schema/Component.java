package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.Doc;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A component of a record or a parameter of a method, with its annotations.
///
/// @param use its type; null if it is not supported, for the reason in `problem`
record Component(
    String name, @Nullable TypeUse use, @Nullable String problem, Annotations annotations) {

  static List<Component> of(TypeUse type) {
    RecordComponent[] components = type.raw().getRecordComponents();
    Constructor<?> constructor = canonical(type.raw());
    List<Component> list = new ArrayList<>();
    for (int i = 0; i < components.length; i++) {
      list.add(of(components[i], constructor, i, type));
    }
    return list;
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
    return of(component.getName(), true, declared, component.getAnnotatedType(), owner);
  }

  /// The parameters of a method or constructor, except those of the type `given`.
  static List<Component> of(Executable method, Class<?> given) {
    TypeUse owner = TypeUse.of(method.getDeclaringClass());
    List<Component> list = new ArrayList<>();
    for (Parameter parameter : method.getParameters()) {
      if (parameter.getType() != given) {
        Annotations declared = Annotations.of(parameter);
        boolean named = parameter.isNamePresent();
        list.add(of(parameter.getName(), named, declared, parameter.getAnnotatedType(), owner));
      }
    }
    return list;
  }

  /// @param named whether the class file has the declared name
  private static Component of(
      String declaredName, boolean named, Annotations declared, AnnotatedType type, TypeUse owner) {
    String name = declaredName;
    try {
      JsonProperty property = declared.get(JsonProperty.class);
      String foreign = ParameterNote.of(declared).name();
      if (!named && foreign.isEmpty() && (property == null || property.value().isEmpty())) {
        throw new IllegalArgumentException(
            "has no name in the class file: compile with -parameters (Maven's compiler plugin:"
                + " <parameters>true</parameters>), or name it with @JsonProperty");
      }
      name = foreign.isEmpty() ? JacksonRules.name(owner.raw(), name, property) : foreign;
      JacksonRules.requireFollowed(declared);
      TypeUse use = TypeUse.of(type, owner.variables()).itemsWithout(declared);
      return new Component(name, use, null, declared.and(use.annotations().list()));
    } catch (IllegalArgumentException e) {
      return new Component(name, null, String.valueOf(e.getMessage()), declared);
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

  boolean markedRequired() {
    JsonProperty property = annotations.get(JsonProperty.class);
    return property != null && property.required();
  }

  /// Whether another library's annotation marks it as optional.
  boolean markedOptional() {
    return ParameterNote.of(annotations).optional();
  }
}
