package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.mcp.McpConnection;
import dev.switchboard.mcp.McpTable;
import dev.switchboard.mcp.client.RemoteServers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard mcp list`: lists the tools of MCP servers.
@Command(
    name = "list",
    description = {
      "List the tools of an MCP server, or of those that an agent's file names.",
      "",
      "Exits with 1 if a server is not there."
    },
    footer = {
      "  switchboard mcp list npx -y @modelcontextprotocol/server-everything",
      "  switchboard mcp list --bearer-env TOKEN https://mcp.example.com/mcp",
      "  switchboard mcp list --accept agent.toml"
    },
    preprocessor = ProgramWords.class)
final class McpListCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private McpArgument server;

  @Parameters(
      arity = "1..*",
      paramLabel = "URL|COMMAND...|AGENT.toml",
      hideParamSyntax = true,
      description = "The server, or the agent's file.")
  private List<String> words;

  @Option(
      names = "--accept",
      description = "Accept the tools of the file's servers as they are now (pin = true).")
  private boolean accept;

  @Option(names = "--json", description = "Print each tool as {name, mode, delivery, description}.")
  private boolean json;

  McpListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    boolean ofFile = words.size() == 1 && words.getFirst().endsWith(".toml");
    if (accept && !ofFile) {
      throw Failure.usage("--accept is for the servers of an agent's file.", null);
    }
    LogLevels.showAllOfTools();
    ToolRegistry.Source source =
        ofFile
            ? ofFile(AgentArgument.read(Path.of(words.getFirst()), terminal))
            : server.tools(words);
    try (ToolExecutor executor = AgentArgument.built(ToolExecutor.builder().tools(source)::build)) {
      if (accept && source instanceof RemoteServers servers) {
        servers.accept();
      }
      executor.sources().forEach(this::print);
      ToolListCommand.print(executor, json, terminal);
      return executor.sources().stream().allMatch(ToolRegistry.Source.State::ready) ? 0 : 1;
    } catch (IllegalArgumentException e) {
      throw Failure.work(String.valueOf(e.getMessage()), e);
    }
  }

  private static ToolRegistry.Source ofFile(AgentFile file) {
    return McpConnection.tools(McpTable.servers(file), file.environment());
  }

  private void print(ToolRegistry.Source.State state) {
    terminal
        .err()
        .println(
            "%s: %s%s, %s"
                .formatted(
                    state.name(),
                    state.ready() ? "" : "not there, ",
                    Plain.line(state.detail()),
                    AgentArgument.count(state.tools().size(), "tool")));
  }
}
