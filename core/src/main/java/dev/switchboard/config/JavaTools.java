package dev.switchboard.config;

import dev.switchboard.config.AgentFile.McpSettings;
import dev.switchboard.handler.Tool;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The tools that a file does not define: those made in Java, and those of MCP servers.
///
/// @param tools the known ones
/// @param named the names of unknown ones, null if the names are unknown too
/// @param servers whose tools are not read here
record JavaTools(List<Tool> tools, @Nullable Set<String> named, List<McpSettings> servers) {
  /// Nothing is known: any name that the file does not define may be one.
  static final JavaTools UNKNOWN = new JavaTools(List.of(), null, List.of());

  JavaTools {
    tools = List.copyOf(tools);
    servers = List.copyOf(servers);
  }

  /// These tools, and those of these servers.
  JavaTools with(List<McpSettings> mcp) {
    return new JavaTools(tools, named, mcp);
  }

  /// Whether an unknown name may be that of a server's tool.
  boolean mayBeOfServer(String name) {
    return servers.stream()
        .anyMatch(server -> !server.prefix() || name.startsWith(server.name() + "__"));
  }

  /// Exactly these tools.
  static JavaTools of(Collection<Tool> tools) {
    return new JavaTools(List.copyOf(tools), Set.of(), List.of());
  }

  /// Exactly the tools of these names.
  static JavaTools named(Collection<String> names) {
    return new JavaTools(List.of(), new LinkedHashSet<>(names), List.of());
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
