package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFile.McpSettings;
import dev.switchboard.mcp.McpConnection;
import dev.switchboard.mcp.oauth.Browser;
import dev.switchboard.mcp.oauth.OAuth;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `switchboard mcp login`: a login at an MCP server.
@Command(
    name = "login",
    description = {
      "Log in at an MCP server that an agent's file names with oauth = true.",
      "",
      "Opens the page in a browser, or prints its address where there is none. The login is kept"
          + " for this user, in a file that nobody else may read."
    },
    footer = "  switchboard mcp login agent.toml github")
final class McpLoginCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private AgentArgument agent;

  @Parameters(index = "1", paramLabel = "NAME", description = "The server's name in the file.")
  private String name;

  McpLoginCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    AgentFile file = agent.read(terminal);
    McpSettings server =
        file.mcp().stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(() ->
                Failure.usage(
                    "%s has no MCP server '%s'%s."
                        .formatted(agent.file(), Plain.line(name), known(file)),
                    null));
    try {
      OAuth login =
          McpConnection.login(
              server, file.environment(), Browser.of(line -> terminal.out().println(line)));
      if (login == null) {
        throw Failure.usage(
            "MCP server '%s' has no oauth = true in %s.".formatted(name, agent.file()), null);
      }
      login.logIn(action -> {});
    } catch (IllegalArgumentException e) {
      throw Failure.usage(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw Failure.work(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
    terminal.out().println("Logged in at '" + name + "'.");
    return 0;
  }

  private static String known(AgentFile file) {
    return file.mcp().isEmpty()
        ? ""
        : "; it has "
            + file.mcp().stream()
                .map(McpSettings::name)
                .collect(Collectors.joining("', '", "'", "'"));
  }
}
