package acme;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolMethod;
import dev.switchboard.handler.Tools;
import dev.switchboard.model.ModelReply;
import dev.switchboard.store.Storage;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;

/// Uses what the library takes from each of its dependencies.
final class Main {
  record Order(String item, int count) {}

  record Receipt(List<Order> orders) {}

  static final class Till {
    @ToolMethod
    public BigDecimal sum(List<BigDecimal> prices) {
      return prices.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }
  }

  private Main() {}

  public static void main(String[] arguments) {
    switch (arguments[0]) {
      case "typed" ->
          print(
              Tool.typed("order", Order.class)
                  .returns(Receipt.class)
                  .handler(order -> new Receipt(List.of(order))),
              "{\"item\":\"tea\",\"count\":2}");
      case "methods" -> print(Tools.of(new Till()).getFirst(), "{\"prices\":[1.5,2]}");
      case "agent" -> {
        Agent agent =
            Switchboard.agent("Shop")
                .model((request, stream) -> ModelReply.text("Good day."))
                .build();
        System.out.println(agent.conversation("c").say("Hello"));
      }
      case "unusual schema" ->
          print(
              Tool.dynamic("any", "{\"type\":\"object\",\"not\":{\"required\":[\"no\"]}}")
                  .handler(any -> "taken"),
              "{\"yes\":1}");
      case "file" ->
          print(Switchboard.load(Path.of(arguments[1])).execute(ToolCall.of("call", "{}")));
      case "sqlite" -> {
        Agent agent =
            Switchboard.agent("Shop")
                .model((request, stream) -> ModelReply.text("Good day."))
                .store(Storage.sqlite(Path.of(arguments[1]), "Shop"))
                .build();
        System.out.println(agent.conversation("c").say("Hello"));
        agent.close();
        Agent next =
            Switchboard.agent("Shop")
                .model((request, stream) -> ModelReply.text("Again."))
                .store(Storage.sqlite(Path.of(arguments[1]), "Shop"))
                .build();
        System.out.println(next.conversation("c").history().size());
        next.close();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void print(Tool tool, String arguments) {
    print(ToolExecutor.of(tool).execute(ToolCall.of(tool.definition().name(), arguments)));
  }

  private static void print(ToolResult result) {
    System.out.println(result.text());
  }
}
