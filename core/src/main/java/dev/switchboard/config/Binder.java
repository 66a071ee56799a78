package dev.switchboard.config;

import dev.switchboard.json.Json;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The binding of a file's tables to records: each component is a key, named in snake_case, and its
/// type says what the value must be. What is faulty is reported, and then bound as if it were left
/// out: null, false, or an empty list or table. So all faults of a file are found at once.
///
/// A component `at` is not a key: it is the table itself. A [Value] is bound unread.
final class Binder {
  private static final String TABLE = "at";

  /// What a key asks of its value beyond the type.
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  @interface Key {
    /// The least number.
    int least() default 0;

    /// The greatest number.
    int most() default Integer.MAX_VALUE;

    /// Whether a text may be blank, and a duration 0.
    boolean mayBeEmpty() default false;

    /// Whether the table needs the key.
    boolean required() default false;

    /// A value, for the sentence that the key is missing.
    String example() default "";

    /// What a table is that may be stated as its JSON text.
    String meaning() default "arguments";
  }

  private Binder() {}

  /// The record of a table; null if it is not a table.
  static <T> @Nullable T bind(Value table, Class<T> type) {
    return table.is(table.node().isObject(), "a table") ? bound(table, type) : null;
  }

  /// The record of a table that may be left out.
  static <T> T bound(Value table, Class<T> type) {
    List<String> keys = keys(type);
    table.node().propertyNames().stream()
        .filter(key -> !keys.contains(key))
        .forEach(key -> unknown(table, key, type));
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = component(components[i], table);
    }
    return made(type, components, values);
  }

  /// The keys of a table that is bound to that record.
  static List<String> keys(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(RecordComponent::getName)
        .filter(name -> !name.equals(TABLE))
        .map(Binder::key)
        .toList();
  }

  private static String key(String component) {
    StringBuilder key = new StringBuilder();
    for (char letter : component.toCharArray()) {
      key.append(Character.isUpperCase(letter) ? "_" : "").append(Character.toLowerCase(letter));
    }
    return key.toString();
  }

  private static void unknown(Value table, String key, Class<?> type) {
    String where = table.path().isEmpty() ? "" : " in " + table.path();
    String sentence = "unknown key '" + key + "'" + where;
    table
        .member(key)
        .error(FaultClass.UNKNOWN_KEY, sentence + Hints.unknown(key, type, table.path()));
  }

  private static @Nullable Object component(RecordComponent component, Value table) {
    if (component.getName().equals(TABLE)) {
      return table;
    }
    String key = key(component.getName());
    Key asked = component.getAnnotation(Key.class);
    if (table.has(key)) {
      Object value = value(table.member(key), component, asked);
      return value == null ? absent(component.getType()) : value;
    }
    if (asked != null && asked.required()) {
      String example = asked.example().isEmpty() ? "" : ", such as " + asked.example();
      table.bad("needs '" + key + "'" + example);
    }
    return absent(component.getType());
  }

  private static @Nullable Object absent(Class<?> type) {
    if (type == List.class) {
      return List.of();
    }
    if (type == Map.class) {
      return Map.of();
    }
    return type == boolean.class ? Boolean.FALSE : null;
  }

  private static @Nullable Object value(
      Value value, RecordComponent component, @Nullable Key asked) {
    Class<?> type = component.getType();
    if (type == List.class) {
      Class<?> item = last(component.getGenericType());
      return value.items().stream().map(each -> single(each, item, asked)).filter(Objects::nonNull).toList();
    }
    if (type == Map.class) {
      Class<?> content = last(component.getGenericType());
      Map<String, Object> members = new LinkedHashMap<>();
      value.members().forEach((key, each) -> {
        Object bound = single(each, content, asked);
        if (bound != null) {
          members.put(key, bound);
        }
      });
      return members;
    }
    return single(value, type, asked);
  }

  private static Class<?> last(Type list) {
    Type[] arguments = ((ParameterizedType) list).getActualTypeArguments();
    return (Class<?>) arguments[arguments.length - 1];
  }

  private static @Nullable Object single(Value value, Class<?> type, @Nullable Key asked) {
    boolean mayBeEmpty = asked != null && asked.mayBeEmpty();
    int least = asked == null ? 0 : asked.least();
    int most = asked == null ? Integer.MAX_VALUE : asked.most();
    if (type == Value.class) {
      return value;
    }
    if (type == String.class) {
      return mayBeEmpty ? value.text() : value.filledText();
    }
    if (type == Duration.class) {
      return mayBeEmpty ? value.duration() : value.positiveDuration();
    }
    if (type == Integer.class) {
      return value.whole(least, most);
    }
    if (type == Double.class) {
      return value.number(least, most);
    }
    if (type == Json.class) {
      return value.table(asked == null ? "arguments" : asked.meaning());
    }
    if (type == Boolean.class || type == boolean.class) {
      return value.flag();
    }
    return type.isEnum() ? value.word(type.getEnumConstants()) : bind(value, type);
  }

  private static <T> T made(
      Class<T> type, RecordComponent[] components, @Nullable Object[] values) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }
}
