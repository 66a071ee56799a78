package acme;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.mcp.McpServer;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.model.ModelReply;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.nio.file.Path;

/// Serves a tool to an MCP client, and is that client in another process.
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 0) {
      serve();
    } else {
      call();
    }
  }

  private static void serve() throws IOException {
    Tool hello = Tool.dynamic("get_hello").mode(ToolMode.READ).handler(none -> "hello");
    try (Agent agent =
            Agent.builder("Shop")
                .model((request, stream) -> ModelReply.text(""))
                .tools(hello)
                .build();
        McpServer server = McpServer.of(agent)) {
      server.serve(System.in, System.out);
    }
  }

  private static void call() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String modules = System.getProperty("jdk.module.path");
    McpTools tools =
        (modules == null
                ? McpTools.program(
                    "shop",
                    java,
                    "-cp",
                    System.getProperty("java.class.path"),
                    "acme.Main",
                    "serve")
                : McpTools.program(
                    "shop", java, "-p", modules, "-m", "acme.mcp/acme.Main", "serve"))
            .required();
    try (ToolExecutor executor = ToolExecutor.builder().tools(tools).build()) {
      System.out.println(executor.execute(ToolCall.of("shop__get_hello", "{}")).text());
    }
  }
}
