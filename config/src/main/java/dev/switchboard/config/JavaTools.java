package dev.switchboard.config;

import dev.switchboard.handler.Tool;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The tools that a file does not define: those made in Java, and those of MCP servers.
///
/// @param tools the known ones
/// @param named the names of unknown ones, null if the names are unknown too
/// @param ofServers whether an unknown name may be that of a tool of a server
record JavaTools(List<Tool> tools, @Nullable Set<String> named, Predicate<String> ofServers) {
  /// Nothing is known: any name that the file does not define may be one.
  static final JavaTools UNKNOWN = new JavaTools(List.of(), null, name -> false);

  JavaTools {
    tools = List.copyOf(tools);
  }

  /// These tools, and those of servers.
  JavaTools with(Predicate<String> servers) {
    return new JavaTools(tools, named, servers);
  }

  /// Exactly these tools.
  static JavaTools of(Collection<Tool> tools) {
    return new JavaTools(List.copyOf(tools), Set.of(), name -> false);
  }

  /// Exactly the tools of these names.
  static JavaTools named(Collection<String> names) {
    return new JavaTools(List.of(), new LinkedHashSet<>(names), name -> false);
  }

  /// Whether an unknown name is an error.
  boolean all() {
    return named != null;
  }

  /// The known names.
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    tools.forEach(tool -> names.add(tool.name()));
    names.addAll(named == null ? Set.of() : named);
    return names;
  }
}
