package acme;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A program that stores what its tools did.
final class Main {
  record Order(String item) {}

  private Main() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createTempDirectory("shop");
    Tool order = Tool.typed("order", Order.class).handler(asked -> "ok " + asked.item());
    try (ConversationStore store = Storage.sqlite(folder.resolve("shop.db"), "Shop")) {
      ToolSession session = ToolSession.builder("c").store(store).build();
      System.out.println(
          ToolExecutor.of(order)
              .execute(ToolCall.of("order", "{\"item\":\"tea\"}"), session)
              .text());
      session.close();
      System.out.println(store.load("c") != null);
    }
  }
}
