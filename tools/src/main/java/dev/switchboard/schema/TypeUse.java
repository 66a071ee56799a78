package dev.switchboard.schema;

import dev.switchboard.kotlin.KotlinType;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A use of a type: its class, its type arguments, and its annotations there.
record TypeUse(Class<?> raw, List<TypeUse> arguments, Annotations annotations) {
  static TypeUse of(Class<?> raw) {
    return new TypeUse(raw, List.of(), Annotations.NONE);
  }

  /// @param variables the types of type variables, by name
  /// @throws IllegalArgumentException for a variable without a type
  static TypeUse of(AnnotatedType type, Map<String, TypeUse> variables) {
    Annotations annotations = Annotations.of(type);
    return switch (type) {
      case AnnotatedTypeVariable variable ->
          known(((TypeVariable<?>) variable.getType()).getName(), variables).annotated(annotations);
      case AnnotatedWildcardType wildcard ->
          of(wildcard.getAnnotatedUpperBounds()[0], variables).annotated(annotations);
      case AnnotatedArrayType array -> {
        TypeUse component = of(array.getAnnotatedGenericComponentType(), variables);
        yield new TypeUse(component.raw.arrayType(), List.of(component), annotations);
      }
      case AnnotatedParameterizedType parameterized -> {
        List<TypeUse> arguments = new ArrayList<>();
        for (AnnotatedType argument : parameterized.getAnnotatedActualTypeArguments()) {
          arguments.add(of(argument, variables));
        }
        Class<?> raw = (Class<?>) ((ParameterizedType) parameterized.getType()).getRawType();
        yield new TypeUse(raw, List.copyOf(arguments), annotations);
      }
      default -> new TypeUse((Class<?>) type.getType(), List.of(), annotations);
    };
  }

  /// @param variables the types of type variables, by name
  /// @throws IllegalArgumentException for a variable without a type
  static TypeUse of(KotlinType type, Map<String, TypeUse> variables) {
    Annotations own = new Annotations(type.annotations());
    Annotations all = (type.nullable() ? Annotations.NULLABLE : own).and(own.list());
    if (type.variable() != null) {
      return known(type.variable(), variables).annotated(all);
    }
    List<TypeUse> arguments =
        type.arguments().stream().map(argument -> of(argument, variables)).toList();
    Class<?> raw =
        type.raw().isArray() && !arguments.isEmpty()
            ? arguments.getFirst().raw.arrayType()
            : type.raw();
    return new TypeUse(
        raw, arguments, type.nullable() ? all : all.and(Annotations.NON_NULL.list()));
  }

  private static TypeUse known(String variable, Map<String, TypeUse> variables) {
    TypeUse known = variables.get(variable);
    if (known == null) {
      throw new IllegalArgumentException("has the open type variable " + variable);
    }
    return known;
  }

  TypeUse annotated(Annotations more) {
    return new TypeUse(raw, arguments, annotations.and(more.list()));
  }

  /// This array, with items without the annotations that belong to the array.
  TypeUse itemsWithout(Annotations meantForArray) {
    if (!raw.isArray() || arguments.isEmpty()) {
      return this;
    }
    TypeUse item = arguments.getFirst();
    Annotations own = item.annotations.without(meantForArray);
    return new TypeUse(raw, List.of(new TypeUse(item.raw, item.arguments, own)), annotations);
  }

  /// The type argument at that index.
  ///
  /// @throws IllegalArgumentException for a raw type
  TypeUse argument(int index) {
    if (index >= arguments.size()) {
      throw new IllegalArgumentException("names no type for its elements");
    }
    return arguments.get(index);
  }

  /// The types of the class's own type variables here, by name.
  Map<String, TypeUse> variables() {
    Map<String, TypeUse> variables = new HashMap<>();
    TypeVariable<?>[] names = raw.getTypeParameters();
    for (int i = 0; i < names.length && i < arguments.size(); i++) {
      variables.put(names[i].getName(), arguments.get(i));
    }
    return variables;
  }

  /// A key that is equal for two uses of one type with equal arguments.
  String key() {
    return raw.getName() + arguments.stream().map(TypeUse::argumentKey).toList();
  }

  private String argumentKey() {
    return annotations.list().toString() + key();
  }
}
