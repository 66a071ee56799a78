package acme;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ModelReply;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A program with all of the library.
final class Main {
  record Order(String item) {}

  private Main() {}

  public static void main(String[] arguments) throws IOException {
    Tool order = Tool.typed("order", Order.class).handler(asked -> "ok " + asked.item());
    System.out.println(
        ToolExecutor.of(order).execute(ToolCall.of("order", "{\"item\":\"tea\"}")).text());
    try (Agent agent =
        Switchboard.agent("Shop")
            .model((request, stream) -> ModelReply.text("Good day."))
            .build()) {
      System.out.println(agent.conversation("c").say("Hello"));
    }
    Path file = Files.createTempDirectory("shop").resolve("agent.toml");
    Files.writeString(
        file,
        """
        [agent]
        name = "Shop"
        [storage]
        url = "sqlite:shop.db"
        """);
    try (ToolExecutor executor = Switchboard.load(file)) {
      System.out.println(executor.sources());
    }
  }
}
