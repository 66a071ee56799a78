package acme;

import dev.switchboard.Switchboard;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A program whose tools are in a file.
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Files.createTempDirectory("shop").resolve("agent.toml");
    Files.writeString(
        file,
        """
        [agent]
        name = "Shop"
        [[tools]]
        name = "call"
        webhook_url = "http://127.0.0.1:1/"
        retry = { max_retries = 0 }
        [network]
        allow = ["127.0.0.1:1"]
        """);
    try (ToolExecutor executor = Switchboard.load(file)) {
      System.out.println(executor.execute(ToolCall.of("call", "{}")).code());
    }
  }
}
