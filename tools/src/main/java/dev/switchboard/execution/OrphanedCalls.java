package dev.switchboard.execution;

import dev.switchboard.attempt.ResultConverter;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Calls that a conversation's log has without a result, since their process died and nothing makes
/// them again.
///
/// @param pipeline settles them
record OrphanedCalls(Pipeline pipeline) {
  private static final int PAGE = 1_000;

  /// A call in the log.
  ///
  /// @param nested whether a tool made it, so that its result is nowhere else
  /// @param byHand whether a person made it
  private record Logged(ToolCall call, boolean nested, boolean byHand) {
    static Logged of(Event.Logged event, JsonNode tree) {
      JsonNode payload = tree.path("payload");
      String id = payload.path("id").asString("");
      ToolCall call =
          new ToolCall(id, payload.path("name").asString(""), Json.of(payload.path("arguments")));
      boolean own = tree.path("auto").asBoolean(false) && !CallLog.isOwn(call);
      return new Logged(call, own, id.equals(event.run()));
    }
  }

  /// Settles those after the event of that key.
  ///
  /// @return those that a person made, with their results
  Map<ToolCall, ToolResult> settle(@Nullable String since, ToolSession session) {
    if (!session.events().isLogged()) {
      return Map.of();
    }
    RuntimeException unused = session.events().flush();
    Map<ToolCall, ToolResult> byHand = new LinkedHashMap<>();
    for (Logged open : open(since == null ? 0 : session.events().numberOf(since), session)) {
      ToolResult result = settled(open, session);
      if (open.byHand) {
        byHand.put(open.call, result);
      }
    }
    return byHand;
  }

  private static List<Logged> open(long since, ToolSession session) {
    Map<String, Logged> open = new LinkedHashMap<>();
    long after = since;
    List<Event.Logged> page;
    do {
      page = session.events().after(after, PAGE);
      for (Event.Logged event : page) {
        after = event.number();
        JsonNode tree = event.event().tree();
        switch (tree.path("type").asString("")) {
          case "tool_call" -> {
            Logged call = Logged.of(event, tree);
            open.put(call.call.id(), call);
          }
          case "tool_result" -> open.remove(tree.path("payload").path("callId").asString(""));
          default -> {}
        }
      }
    } while (page.size() == PAGE);
    open.keySet()
        .removeIf(id -> session.state().waiting(id) != null || session.open().isRunning(id));
    return List.copyOf(open.values());
  }

  private ToolResult settled(Logged open, ToolSession session) {
    ToolCall call = open.call;
    ToolResult known = open.nested ? null : session.result(call.id());
    if (known == null && !open.nested) {
      return pipeline.giveUp(call, session);
    }
    ToolResult result =
        Objects.requireNonNullElseGet(
            known, () -> ResultConverter.finish(Refusal.outcomeUnknown(call), call.id()));
    session.show(() -> new Event.ToolSettled(result, call.name()));
    return result;
  }
}
