package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.mcp.McpServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `switchboard mcp`: an agent's tools for MCP clients, and the tools of MCP servers.
@Command(
    name = "mcp",
    description = {
      "Serve an agent's tools to a program that speaks MCP, over standard input and output.",
      "",
      "Such a program is told to start this command. Rules, limits and consent hold as ever; what"
          + " needs consent asks the program's user. 'switchboard serve' has the same at /mcp."
    },
    footer = {
      "  switchboard mcp agent.toml",
      "  switchboard mcp list npx -y @modelcontextprotocol/server-everything",
      "  switchboard mcp call http://127.0.0.1:3001/mcp echo '{\"message\":\"hello\"}'"
    })
final class McpCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "AGENT.toml", description = "The agent's file.")
  private @Nullable Path file;

  private McpCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /// The command and its subcommands.
  static CommandLine on(Terminal terminal, Path folder, Predicate<String> needed) {
    return new CommandGroup(new McpCommand(terminal), needed)
        .add(McpListCommand.class, () -> new McpListCommand(terminal))
        .add(McpCallCommand.class, () -> new McpCallCommand(terminal))
        .add(McpLoginCommand.class, () -> new McpLoginCommand(terminal, folder))
        .line();
  }

  @Override
  public Integer call() throws IOException {
    if (file == null) {
      spec.commandLine().usage(spec.commandLine().getErr());
      return spec.exitCodeOnInvalidInput();
    }
    AgentFile read = AgentArgument.readAll(file, terminal);
    try (OpenedStorage kept = OpenedStorage.open(file, read, terminal.err());
        Agent agent = agent(read, kept);
        McpServer server = McpServer.of(agent)) {
      return Signals.ending(
          agent::close,
          () -> {
            server.serve(terminal.in(), terminal.out());
            return 0;
          });
    }
  }

  private static Agent agent(AgentFile file, OpenedStorage kept) {
    AgentBuilder agent = Switchboard.agent(file).memory(kept.memory());
    ConversationStore store = kept.store();
    AgentBuilder stored = store == null ? agent : agent.store(store);
    return AgentArgument.built(stored::build);
  }
}
