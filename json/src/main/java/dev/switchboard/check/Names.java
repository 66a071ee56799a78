package dev.switchboard.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The names of an object's properties; a look-up tries the expected one first.
final class Names {
  private static final int MOST_TRIES = 64;

  private final List<String> list;
  private final String[] names;

  /// Open addressing; an entry is an index plus one, or zero.
  private final int[] table;

  /// Replaces the table if many names share a hash code.
  private @Nullable Map<String, Integer> crowded;

  Names(List<String> list) {
    this.list = List.copyOf(list);
    names = list.toArray(String[]::new);
    table = new int[Math.max(4, Integer.highestOneBit(Math.max(1, names.length)) * 4)];
    for (int i = 0; i < names.length; i++) {
      int slot = slot(names[i]);
      int tries = 0;
      while (table[slot] != 0 && tries++ < MOST_TRIES) {
        slot = slot + 1 & table.length - 1;
      }
      if (table[slot] != 0) {
        crowded = indexes();
        return;
      }
      table[slot] = i + 1;
    }
  }

  private Map<String, Integer> indexes() {
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      indexes.put(names[i], i);
    }
    return indexes;
  }

  List<String> list() {
    return list;
  }

  /// The index of the name, or -1.
  int index(String name, int guess) {
    if (guess < names.length && names[guess].equals(name)) {
      return guess;
    }
    if (crowded != null) {
      return crowded.getOrDefault(name, -1);
    }
    int slot = slot(name);
    while (table[slot] != 0) {
      int index = table[slot] - 1;
      if (names[index].equals(name)) {
        return index;
      }
      slot = slot + 1 & table.length - 1;
    }
    return -1;
  }

  private int slot(String name) {
    int hash = name.hashCode();
    return (hash ^ hash >>> 16) & table.length - 1;
  }
}
