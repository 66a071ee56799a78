package dev.switchboard.cli;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.mcp.McpConnection;
import dev.switchboard.mcp.McpTable;
import dev.switchboard.mcp.client.McpSettings;
import dev.switchboard.mcp.oauth.Browser;
import dev.switchboard.mcp.oauth.OAuth;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `switchboard mcp login`: logs in at an MCP server.
@Command(
    name = "login",
    description = {
      "Log in at an MCP server that an agent's file names with oauth = true.",
      "",
      "Opens the page in a browser, or prints its address where there is none. The login is kept"
          + " for this user, in a file that no one else may read."
    },
    footer = "  switchboard mcp login agent.toml github")
final class McpLoginCommand implements Callable<Integer> {
  private final Terminal terminal;

  private final Path folder;

  @Parameters(
      arity = "1..2",
      paramLabel = "[AGENT.toml] NAME",
      description = "The agent's file, and the server's name in it.")
  private List<String> words;

  /// @param folder to look for agents' files in
  McpLoginCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public Integer call() throws IOException {
    String name = words.getLast();
    Path path = words.size() == 2 ? Path.of(words.getFirst()) : withServer(name);
    AgentFile file = AgentArgument.read(path, terminal);
    McpSettings server =
        McpTable.servers(file).stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(() ->
                Failure.usage(
                    "%s has no MCP server '%s'%s.".formatted(path, Plain.line(name), known(file)),
                    null));
    try {
      OAuth login =
          McpConnection.login(
              server, file.environment(), Browser.of(line -> terminal.out().println(line)));
      if (login == null) {
        throw Failure.usage(
            "MCP server '%s' has no oauth = true in %s.".formatted(name, path), null);
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

  /// The only agent's file in the folder that names that server.
  private Path withServer(String name) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.toml")) {
      for (Path file : files) {
        if (names(file, name)) {
          found.add(file);
        }
      }
    }
    if (found.size() == 1) {
      return found.getFirst();
    }
    throw Failure.usage(
        "%s of this folder names the MCP server '%s': give the file, too."
            .formatted(found.isEmpty() ? "No agent's file" : "More than one", Plain.line(name)),
        null);
  }

  private static boolean names(Path file, String server) {
    try {
      return McpTable.servers(AgentFile.check(file)).stream()
          .anyMatch(one -> one.name().equals(server));
    } catch (ConfigException e) {
      return false;
    }
  }

  private static String known(AgentFile file) {
    List<McpSettings> servers = McpTable.servers(file);
    return servers.isEmpty()
        ? ""
        : "; it has "
            + servers.stream().map(McpSettings::name).collect(Collectors.joining("', '", "'", "'"));
  }
}
