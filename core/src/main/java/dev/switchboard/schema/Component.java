package dev.switchboard.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One component of a record, with all that its annotations say.
///
/// @param use its type there; null when that is not a type of ours, for the reason that `problem`
///   gives
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
    JsonProperty property = declared.get(JsonProperty.class);
    String name = component.getName();
    try {
      name = JacksonRules.name(owner.raw(), name, property);
      JacksonRules.requireFollowed(declared);
      TypeUse use =
          TypeUse.of(component.getAnnotatedType(), owner.variables()).itemsWithout(declared);
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
    return doc != null ? doc.value() : jackson == null ? null : jackson.value();
  }

  @Nullable String defaultText() {
    Default given = annotations.get(Default.class);
    return given == null ? null : given.value();
  }

  boolean markedRequired() {
    JsonProperty property = annotations.get(JsonProperty.class);
    return property != null && property.required();
  }
}
