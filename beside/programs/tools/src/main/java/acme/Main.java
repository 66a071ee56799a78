package acme;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ToolCall;

/// A program with tools in a loop of its own.
final class Main {
  record Order(String item) {}

  private Main() {}

  public static void main(String[] arguments) {
    Tool order = Tool.typed("order", Order.class).handler(asked -> "ok " + asked.item());
    System.out.println(
        ToolExecutor.of(order).execute(ToolCall.of("order", "{\"item\":\"tea\"}")).text());
    System.out.println(ToolExecutor.of(order).execute(ToolCall.of("order", "{}")).code());
  }
}
