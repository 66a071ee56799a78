package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.TableKey;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Binds tables of a file to records. Each component is a key, named in snake_case; its type
/// determines the type of the value. An invalid value is reported, and bound as if absent: null,
/// false, or an empty list or table. So all faults of a file are found at once. (The check of a
/// tool's arguments binds nothing if there is a fault, and building it takes longer than reading a
/// file.)
///
/// A component `at` is not a key: it is the table itself. A map by the constants of an enum is none
/// either: each constant is a key, and has a value if it is stated. A [Value] is bound unread. A
/// text must not be blank and a duration not 0, unless its [TableKey] allows it.
final class Binder {
  private static final ClassValue<Binder> BINDERS =
      new ClassValue<>() {
        @Override
        protected Binder computeValue(Class<?> type) {
          return new Binder(type);
        }
      };

  /// A component; its key is null if it is the table itself, or has the keys of the constants.
  ///
  /// @param constants by the key of each
  private record Column(
      @Nullable String key,
      Map<String, Enum<?>> constants,
      Class<?> type,
      Class<?> content,
      @Nullable TableKey asked) {
    private static Column of(RecordComponent component) {
      Class<?> type = component.getType();
      boolean several = type == List.class || type == Map.class;
      Map<String, Enum<?>> constants =
          type == Map.class ? constants(component.getGenericType()) : Map.of();
      return new Column(
          component.getName().equals("at") || !constants.isEmpty() ? null : key(component),
          constants,
          type,
          several ? last(component.getGenericType()) : type,
          component.getAnnotation(TableKey.class));
    }

    private static Map<String, Enum<?>> constants(Type map) {
      Map<String, Enum<?>> constants = new LinkedHashMap<>();
      Type by = ((ParameterizedType) map).getActualTypeArguments()[0];
      if (by instanceof Class<?> type && type.isEnum()) {
        for (Object constant : type.getEnumConstants()) {
          constants.put(((Enum<?>) constant).name().toLowerCase(Locale.ROOT), (Enum<?>) constant);
        }
      }
      return constants;
    }

    List<String> keys() {
      return key == null ? List.copyOf(constants.keySet()) : List.of(key);
    }

    private static String key(RecordComponent component) {
      TableKey asked = component.getAnnotation(TableKey.class);
      return asked == null || asked.name().isEmpty() ? key(component.getName()) : asked.name();
    }

    private static String key(String component) {
      StringBuilder key = new StringBuilder();
      for (int i = 0; i < component.length(); i++) {
        char letter = component.charAt(i);
        key.append(Character.isUpperCase(letter) ? "_" : "").append(Character.toLowerCase(letter));
      }
      return key.toString();
    }

    private static Class<?> last(Type several) {
      Type[] arguments = ((ParameterizedType) several).getActualTypeArguments();
      return (Class<?>) arguments[arguments.length - 1];
    }
  }

  private final Class<?> type;
  private final Constructor<?> constructor;
  private final List<Column> columns = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();

  private Binder(Class<?> type) {
    this.type = type;
    for (RecordComponent component : type.getRecordComponents()) {
      Column column = Column.of(component);
      columns.add(column);
      keys.addAll(column.keys());
    }
    try {
      Class<?>[] types = columns.stream().map(Column::type).toArray(Class<?>[]::new);
      constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true); // the record may be hidden in another package
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a canonical constructor", e);
    }
  }

  /// The keys of a table that is bound to that record.
  static List<String> keys(Class<?> type) {
    return List.copyOf(BINDERS.get(type).keys);
  }

  /// The record of a table; null if it is not a table.
  static <T> @Nullable T bind(Value table, Class<T> type) {
    return table.is(table.node().isObject(), "a table") ? bound(table, type) : null;
  }

  /// The record of an optional table.
  static <T> T bound(Value table, Class<T> type) {
    return type.cast(BINDERS.get(type).bound(table));
  }

  private Object bound(Value table) {
    int unknown = 0;
    for (String key : table.node().propertyNames()) {
      if (!keys.contains(key)) {
        String where = table.path().isEmpty() ? "" : " in " + table.path();
        String hint =
            unknown++ < FaultList.MOST_SUGGESTIONS ? KeyHints.unknown(key, type, table.path()) : "";
        table.member(key).error(FaultClass.UNKNOWN_KEY, "unknown key '" + key + "'" + where + hint);
      }
    }
    @Nullable Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      Column column = columns.get(i);
      values[i] =
          column.key != null
              ? member(table, column.key, column)
              : column.constants.isEmpty() ? table : stated(table, column);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  private static Map<Enum<?>, Object> stated(Value table, Column column) {
    Map<Enum<?>, Object> stated = new LinkedHashMap<>();
    column.constants.forEach((key, constant) -> {
      Object bound =
          table.has(key) ? single(table.member(key), column.content, column.asked) : null;
      if (bound != null) {
        stated.put(constant, bound);
      }
    });
    return stated;
  }

  private static @Nullable Object member(Value table, String key, Column column) {
    Object bound = null;
    if (table.has(key)) {
      bound = value(table.member(key), column);
    } else if (column.asked != null && column.asked.required()) {
      table.bad("needs '" + key + "'");
    }
    if (bound == null && column.type == List.class) {
      return List.of();
    }
    if (bound == null && column.type == Map.class) {
      return Map.of();
    }
    return bound == null && column.type == boolean.class ? (Object) false : bound;
  }

  private static @Nullable Object value(Value value, Column column) {
    if (column.type == List.class) {
      List<Object> items = new ArrayList<>();
      for (Value item : value.items()) {
        Object bound = single(item, column.content, column.asked);
        if (bound != null) {
          items.add(bound);
        }
      }
      return items;
    }
    if (column.type == Map.class) {
      Map<String, Object> members = new LinkedHashMap<>();
      for (Map.Entry<String, Value> member : value.members().entrySet()) {
        Object bound = single(member.getValue(), column.content, column.asked);
        if (bound != null) {
          members.put(member.getKey(), bound);
        }
      }
      return members;
    }
    return single(value, column.content, column.asked);
  }

  private static @Nullable Object single(Value value, Class<?> type, @Nullable TableKey asked) {
    boolean mayBeEmpty = asked != null && asked.mayBeEmpty();
    int least = asked == null ? 0 : asked.least();
    int most = asked == null ? Integer.MAX_VALUE : asked.most();
    if (type == Value.class || type == StatedValue.class) {
      return value;
    }
    if (type == String.class) {
      return mayBeEmpty ? value.text() : value.filledText();
    }
    if (type == Duration.class && most < Integer.MAX_VALUE) {
      return value.duration(least, most);
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
    if (type == Boolean.class || type == boolean.class) {
      return value.flag();
    }
    return type.isEnum() ? value.word(type.getEnumConstants()) : bind(value, type);
  }
}
