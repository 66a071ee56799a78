package dev.switchboard.handler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The host's own objects that handlers work with, by name and type: a database, a client, a
/// catalogue.
///
/// Immutable; whether a source is thread-safe depends on the source. The host closes its sources.
public final class DataSources {
  /// No sources.
  public static final DataSources NONE = new DataSources(Map.of());

  private final Map<String, Object> sources;

  private DataSources(Map<String, Object> sources) {
    this.sources = sources;
  }

  /// A single source under that name.
  public static DataSources of(String name, Object source) {
    return NONE.with(name, source);
  }

  /// These sources and one more.
  ///
  /// @throws IllegalArgumentException when the name is taken
  public DataSources with(String name, Object source) {
    if (sources.containsKey(name)) {
      throw new IllegalArgumentException("there is already a data source '%s'".formatted(name));
    }
    Map<String, Object> more = new LinkedHashMap<>(sources);
    more.put(name, source);
    return new DataSources(more);
  }

  /// The names of all sources, in the order they were added.
  public List<String> names() {
    return List.copyOf(sources.keySet());
  }

  /// The names of the sources of that type, in the order they were added.
  public List<String> names(Class<?> type) {
    List<String> names = new ArrayList<>();
    sources.forEach((name, source) -> {
      if (type.isInstance(source)) {
        names.add(name);
      }
    });
    return names;
  }

  /// The source of that name.
  ///
  /// @throws IllegalArgumentException when there is none, or it has another type; the message names
  ///   the existing ones
  public <T> T get(String name, Class<T> type) {
    Object source = sources.get(name);
    if (source == null) {
      throw new IllegalArgumentException(
          "there is no data source '%s', %s".formatted(name, known()));
    }
    if (!type.isInstance(source)) {
      throw new IllegalArgumentException(
          "data source '%s' is not a %s but a %s"
              .formatted(name, type.getTypeName(), source.getClass().getTypeName()));
    }
    return type.cast(source);
  }

  private String known() {
    return sources.isEmpty()
        ? "and no other"
        : "only " + sources.keySet().stream().collect(Collectors.joining("', '", "'", "'"));
  }
}
