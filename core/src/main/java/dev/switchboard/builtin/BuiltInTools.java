package dev.switchboard.builtin;

import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;

/// The built-in tools of an agent, by their names.
public final class BuiltInTools {
  /// Their names, as an agent's `tools` enables them.
  public static final List<String> NAMES = List.of("block", "recall", "search", "send_message");

  private BuiltInTools() {}

  /// What a model is told of the built-in tool of that name.
  ///
  /// @throws IllegalArgumentException when there is none
  public static ToolDefinition definition(String name) {
    return of(name, "", new InProcessMemory(), letter -> Delivery.DONE, Time.SYSTEM).definition();
  }

  /// The built-in tool of that name, for that agent.
  ///
  /// @throws IllegalArgumentException when there is none
  public static Tool of(
      String name, String agent, MemoryStore store, MessageRouter router, Time time) {
    return switch (name) {
      case "block" -> BlockTool.of(Memory.of(store, agent, time));
      case "recall" -> new RecallTool(store, agent).tool();
      case "search" -> new SearchTool(store, agent).tool();
      case "send_message" -> new SendMessageTool(router, agent).tool();
      default -> throw new IllegalArgumentException("there is no built-in tool '" + name + "'");
    };
  }
}
