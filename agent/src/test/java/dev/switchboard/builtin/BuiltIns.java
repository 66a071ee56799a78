package dev.switchboard.builtin;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.Services;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The built-in tools of agent `a`, behind the door.
final class BuiltIns {
  final MemoryStore store;
  final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
  final Memory memory;
  final ToolSession session = ToolSession.of("c1");
  MessageRouter router = letter -> Delivery.failed("there is nobody");
  private int calls;

  BuiltIns() {
    this(new InProcessMemory());
  }

  BuiltIns(MemoryStore store) {
    this.store = store;
    memory = Memory.of(store, "a", time);
  }

  BuiltIns with(Block... blocks) {
    Memory.begin(store, List.of(blocks));
    return this;
  }

  static Block block(String label, String text) {
    return Block.of("a", label, Block.Kind.WORKING).withPinned(true).withValue(text);
  }

  ToolExecutorBuilder executor() {
    return ToolExecutor.builder()
        .tools(BuiltInTools.of(BuiltInTools.NAMES))
        .services(Services.of("a", store, time).withRouter(router))
        .time(time);
  }

  ToolResult call(String tool, String arguments) {
    return call(executor().build(), tool, arguments);
  }

  /// The result of a call with an id of its own; `'` stands for `"` in its arguments.
  ToolResult call(ToolExecutor executor, String tool, String arguments) {
    Json json = Json.text(arguments.replace('\'', '"'));
    return executor.execute(new ToolCall("k" + calls++, tool, json), session);
  }

  /// What a call that succeeds answers.
  JsonNode answer(String tool, String arguments) {
    ToolResult result = call(tool, arguments);
    if (!result.success()) {
      throw new AssertionError(result.text());
    }
    return Json.text(result.text()).tree();
  }

  /// Why a call fails.
  String error(String tool, String arguments) {
    return String.valueOf(call(tool, arguments).error());
  }
}
