package dev.switchboard.mcp;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.FileTable;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.mcp.client.McpSettings;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The MCP servers of agents' files, `[[agent.mcp]]`, for [java.util.ServiceLoader].
public final class McpTable implements FileTable<McpTable.Servers> {
  /// The servers of a file.
  record Servers(List<McpSettings> all) {
    Servers {
      all = List.copyOf(all);
    }
  }

  /// The table.
  public McpTable() {}

  /// The servers that a file names.
  public static List<McpSettings> servers(AgentFile file) {
    Servers servers = file.table(Servers.class);
    return servers == null ? List.of() : servers.all;
  }

  @Override
  public String word() {
    return "agent.mcp";
  }

  @Override
  public Servers read(StatedValue list, Context file) {
    return new Servers(new McpReader(file).read(list));
  }

  @Override
  public boolean mayHaveTool(Servers servers, String name) {
    return servers.all.stream()
        .anyMatch(server -> !server.prefix() || name.startsWith(server.name() + "__"));
  }

  @Override
  public ToolRegistry.@Nullable Source source(
      Servers servers, Function<String, @Nullable String> environment) {
    return servers.all.isEmpty() ? null : McpConnection.tools(servers.all, environment);
  }
}
