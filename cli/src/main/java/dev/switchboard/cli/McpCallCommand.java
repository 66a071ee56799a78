package dev.switchboard.cli;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.tool.ToolCall;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `switchboard mcp call`: calls a tool of an MCP server.
@Command(
    name = "call",
    description = {
      "Call one tool of an MCP server and print what a model reads of its result.",
      "",
      "A question of the server is answered on standard input. Exits with 1 if the call failed."
    },
    footer = {
      "  switchboard mcp call http://127.0.0.1:3001/mcp echo '{\"message\":\"hello\"}'",
      "  switchboard mcp call npx -y @modelcontextprotocol/server-everything echo"
          + " '{\"message\":\"hello\"}'"
    },
    preprocessor = ProgramWords.class)
final class McpCallCommand implements Callable<Integer> {
  private static final int MINIMUM = 3; // server, tool and arguments

  private final Terminal terminal;

  @Mixin private McpArgument server;

  @Parameters(
      arity = "1..*",
      paramLabel = "URL|COMMAND... TOOL JSON",
      hideParamSyntax = true,
      description = "The server, its name of the tool, and the arguments, a JSON object.")
  private List<String> words;

  @Option(names = "--json", description = "Print the whole result.")
  private boolean json;

  McpCallCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (words.size() < MINIMUM) {
      throw Failure.usage(
          "A call needs the server, the tool and its arguments, such as 'switchboard mcp call"
              + " http://127.0.0.1:3001/mcp echo '{\"message\":\"hello\"}''.",
          null);
    }
    int end = words.size() - 2;
    OneCall call = new OneCall(terminal, json);
    try (ToolExecutor executor =
        ToolExecutor.builder()
            .tools(server.tools(words.subList(0, end)))
            .approver(call.approver())
            .build()) {
      return call.run(executor, ToolCall.of(words.get(end), words.get(end + 1)));
    } catch (IllegalArgumentException e) {
      throw Failure.work(String.valueOf(e.getMessage()), e);
    }
  }
}
