package dev.switchboard.check;

import java.lang.reflect.Array;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The collection for the bound items of an array.
sealed interface ItemCollector {
  Object finish(List<@Nullable Object> items);

  /// The collection of that type.
  static ItemCollector of(Class<?> type) {
    if (type.isArray()) {
      return new AsArray(type.componentType());
    }
    return Set.class.isAssignableFrom(type) ? AsSet.INSTANCE : AsList.INSTANCE;
  }

  /// An unmodifiable list; also a collection.
  enum AsList implements ItemCollector {
    INSTANCE;

    @Override
    public Object finish(List<@Nullable Object> items) {
      List<@Nullable Object> list = Collections.unmodifiableList(items);
      return list;
    }
  }

  /// An unmodifiable set in the order of the array.
  enum AsSet implements ItemCollector {
    INSTANCE;

    private static final int MOST_ALIKE = 200;

    @Override
    public Object finish(List<@Nullable Object> items) {
      if (items.size() > MOST_ALIKE && !(items.getFirst() instanceof Comparable<?>)) {
        requireSpread(items);
      }
      return Collections.unmodifiableSequencedSet(new LinkedHashSet<>(items));
    }

    /// Refuses items of which many share a hash code: a set of them would take quadratic time.
    private static void requireSpread(List<@Nullable Object> items) {
      int[] codes = items.stream().mapToInt(Objects::hashCode).sorted().toArray();
      for (int i = MOST_ALIKE; i < codes.length; i++) {
        if (codes[i] == codes[i - MOST_ALIKE]) {
          throw Mismatch.TOO_COSTLY;
        }
      }
    }
  }

  /// An array, also of primitives.
  record AsArray(Class<?> component) implements ItemCollector {
    @Override
    public Object finish(List<@Nullable Object> items) {
      Object array = Array.newInstance(component, items.size());
      for (int i = 0; i < items.size(); i++) {
        Array.set(array, i, items.get(i));
      }
      return array;
    }
  }
}
