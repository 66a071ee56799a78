package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is known of the tools made in Java that join those of a file.
///
/// @param tools those that are there
/// @param named the names of those that are not here, null where they are not known either
record JavaTools(List<Tool> tools, @Nullable Set<String> named) {
  /// Nothing is known: a name that the file does not define may be that of one.
  static final JavaTools UNKNOWN = new JavaTools(List.of(), null);

  JavaTools {
    tools = List.copyOf(tools);
  }

  /// These and no others.
  static JavaTools of(Collection<Tool> tools) {
    return new JavaTools(List.copyOf(tools), Set.of());
  }

  /// Those of these names and no others.
  static JavaTools named(Collection<String> names) {
    return new JavaTools(List.of(), new LinkedHashSet<>(names));
  }

  /// Whether a name that is not known here is an error.
  boolean all() {
    return named != null;
  }

  /// The names that are known.
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    tools.forEach(tool -> names.add(tool.name()));
    names.addAll(named == null ? Set.of() : named);
    return names;
  }
}
