package acme;

import dev.switchboard.agent.Agent;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.model.ModelReply;

/// A program with an agent, its tools and its memory, without a store.
final class Main {
  record Order(String item) {}

  private Main() {}

  public static void main(String[] arguments) {
    try (Agent agent =
        Agent.builder("Shop")
            .model((request, stream) -> ModelReply.text(request.tools().size() + " tools."))
            .memory(new InProcessMemory())
            .tools(Tool.typed("order", Order.class).handler(asked -> "ok " + asked.item()))
            .build()) {
      System.out.println(agent.conversation("c").say("Hello"));
    }
  }
}
