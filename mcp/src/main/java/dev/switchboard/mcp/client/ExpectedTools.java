package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.schema.ToolNames;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The tools that an agent's rules and its list of tools name, and that only a server can have:
/// each one that no server has is reported once, as soon as the tools of those that might have it
/// are known. For one thread at a time.
final class ExpectedTools {
  private final List<McpSettings> servers;
  private final Set<String> reported = new HashSet<>();

  ExpectedTools(List<McpSettings> servers) {
    this.servers = List.copyOf(servers);
  }

  /// What is to be said of names that nothing has, after that server's tools were read.
  ///
  /// @param known whether a server's tools are known
  /// @param offered the agent's names of its tools
  List<String> missing(
      ToolRegistry tools, McpSettings server, Predicate<McpSettings> known, List<String> offered) {
    return tools.expected().stream()
        .filter(name -> tools.find(name) == null && !ToolNames.RESERVED.contains(name))
        .filter(name -> {
          List<McpSettings> owners = owners(name);
          return owners.contains(server) && owners.stream().allMatch(known) && reported.add(name);
        })
        .map(name ->
            ("'%s' stands in a rule or in agent.tools, but no tool that the agent takes from it has"
                    + " that name%s")
                .formatted(name, StatedNames.hint(name, offered)))
        .toList();
  }

  /// The servers whose tools may have that name: the one of its longest prefix, or else all without
  /// a prefix.
  private List<McpSettings> owners(String name) {
    return servers.stream()
        .filter(server -> ToolName.hasPrefix(server, name))
        .max(Comparator.comparingInt(server -> server.name().length()))
        .map(List::of)
        .orElseGet(() -> servers.stream().filter(server -> !server.prefix()).toList());
  }
}
