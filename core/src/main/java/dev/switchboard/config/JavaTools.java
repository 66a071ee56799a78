package dev.switchboard.config;

import dev.switchboard.config.AgentFile.McpSettings;
import dev.switchboard.handler.Tool;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is known of the tools that join those which a file defines: those made in Java, and those
/// of MCP servers.
///
/// @param tools those that are there
/// @param named the names of those that are not here, null where they are not known either
/// @param servers whose tools are not asked for here
record JavaTools(List<Tool> tools, @Nullable Set<String> named, List<McpSettings> servers) {
  /// Nothing is known: a name that the file does not define may be that of one.
  static final JavaTools UNKNOWN = new JavaTools(List.of(), null, List.of());

  JavaTools {
    tools = List.copyOf(tools);
    servers = List.copyOf(servers);
  }

  /// The same beside the tools of these servers.
  JavaTools with(List<McpSettings> mcp) {
    return new JavaTools(tools, named, mcp);
  }

  /// Whether a tool of that name, which is not known here, may be that of a server.
  boolean mayBeOfServer(String name) {
    return servers.stream()
        .anyMatch(server -> !server.prefix() || name.startsWith(server.name() + "__"));
  }

  /// These and no others.
  static JavaTools of(Collection<Tool> tools) {
    return new JavaTools(List.copyOf(tools), Set.of(), List.of());
  }

  /// Those of these names and no others.
  static JavaTools named(Collection<String> names) {
    return new JavaTools(List.of(), new LinkedHashSet<>(names), List.of());
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
