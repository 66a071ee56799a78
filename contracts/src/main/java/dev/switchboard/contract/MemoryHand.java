package dev.switchboard.contract;

import dev.switchboard.builtin.BuiltInTools;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Services;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission.Access;
import dev.switchboard.memory.Block.Permission.Verdict;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// An agent's hand on its memory, which does what the built-in tools are called for: the library's
/// own, or the model's by way of the tools.
interface MemoryHand {
  /// What came of it.
  ///
  /// @param message why it was refused, empty where it was not
  /// @param kind of the refusal, null if there was none, or the tool does not say
  /// @param asked whether a person had to agree
  /// @param answer what the tool answers, as far as a case asks for it
  record Outcome(
      boolean success, String message, @Nullable Kind kind, boolean asked, JsonNode answer) {
    List<String> texts() {
      return answer.path("hits").valueStream().map(hit -> hit.path("text").stringValue()).toList();
    }
  }

  /// Does that operation of a tool with these members; a person who is asked agrees.
  Outcome does(String tool, String operation, Map<String, Object> members);

  /// What comes of it, a refusal too.
  static Outcome of(boolean asked, Supplier<@Nullable Object> operation) {
    try {
      Object answer = operation.get();
      return new Outcome(true, "", null, asked, Json.of(answer == null ? Map.of() : answer).tree());
    } catch (MemoryException e) {
      return new Outcome(false, e.getMessage(), e.kind(), asked, Json.EMPTY_OBJECT.tree());
    }
  }

  /// The hand of the library.
  record OfLibrary(Memory memory, MemoryStore store, Time time) implements MemoryHand {
    @Override
    public Outcome does(String tool, String operation, Map<String, Object> members) {
      String label = String.valueOf(members.get("label"));
      return tool.equals("block")
          ? MemoryHand.of(asks(operation, label), () -> block(operation, label, members))
          : MemoryHand.of(false, () -> entries(operation, label, members));
    }

    private boolean asks(String operation, String label) {
      Access access =
          switch (operation) {
            case "append" -> Access.APPEND;
            case "replace", "archive" -> Access.OVERWRITE;
            default -> Access.READ;
          };
      return memory.blocks().stream().anyMatch(view -> view.block().label().equals(label))
          && memory.verdict(label, access) == Verdict.ASK;
    }

    private Map<String, Object> block(String operation, String label, Map<String, Object> members) {
      Block done =
          switch (operation) {
            case "append" -> memory.append(label, members.get("content").toString());
            case "replace" ->
                memory.replace(
                    label,
                    members.get("old").toString(),
                    members.get("new").toString(),
                    members.containsKey("all"));
            case "archive" -> memory.archive(label);
            case "load" -> memory.load(label);
            case "pin" -> memory.pin(label, true);
            case "unpin" -> memory.pin(label, false);
            case "info" -> memory.block(label).block();
            case "create" ->
                memory.create(
                    Block.of(memory.agent(), label, Block.Kind.WORKING)
                        .withValue(members.get("content").toString()));
            default -> throw new AssertionError(operation);
          };
      return Map.of("label", done.label(), "version", done.version());
    }

    private Map<String, Object> entries(
        String operation, String label, Map<String, Object> members) {
      MemoryQuery all = MemoryQuery.of(memory.agent(), "", Entry.ARCHIVAL).withLabel(label);
      return switch (operation) {
        case "insert" -> {
          String text = members.get("content").toString();
          Entry entry =
              new Entry(
                  memory.agent(), Entry.ARCHIVAL, text, label, null, text, List.of(), time.now());
          yield Map.of("inserted", store.insert(entry));
        }
        case "read" -> hits(store.search(all));
        case "delete" ->
            Map.of(
                "deleted",
                store.search(all).hits().stream()
                    .filter(h -> store.delete(memory.agent(), Entry.ARCHIVAL, h.entry().id()))
                    .count());
        case "search" ->
            hits(
                store.search(
                    MemoryQuery.of(
                        memory.agent(), members.get("query").toString(), Entry.ARCHIVAL)));
        default -> throw new AssertionError(operation);
      };
    }

    private static Map<String, Object> hits(Hits hits) {
      List<Object> list =
          hits.hits().stream()
              .map(hit -> (Object) Map.of("text", hit.entry().text(), "score", hit.score()))
              .toList();
      return Map.of("hits", list, "total", hits.total());
    }
  }

  /// The hand of the model.
  final class OfTools implements MemoryHand {
    private final ToolExecutor executor;
    private final ToolSession session = ToolSession.of("c");
    private final AtomicInteger asked = new AtomicInteger();
    private int calls;

    OfTools(String agent, MemoryStore store, MessageRouter router, Time time) {
      executor =
          ToolExecutor.builder()
              .time(time)
              .services(Services.of(agent, store, time).withRouter(router))
              .tools(BuiltInTools.of(BuiltInTools.NAMES))
              .approver(request -> {
                asked.incrementAndGet();
                return Answer.approveOnce();
              })
              .build();
    }

    @Override
    public Outcome does(String tool, String operation, Map<String, Object> members) {
      Map<String, Object> arguments = new LinkedHashMap<>(members);
      arguments.put("operation", operation);
      return call(tool, arguments);
    }

    /// Calls a tool in a turn of its own.
    Outcome call(String tool, Map<String, Object> arguments) {
      session.nextTurn();
      int before = asked.get();
      ToolResult result =
          executor.execute(new ToolCall("k" + calls++, tool, Json.of(arguments)), session);
      String error = result.error();
      JsonNode answer = Json.text(result.text()).tree();
      return new Outcome(
          result.success(), error == null ? "" : error, null, asked.get() > before, answer);
    }

    /// Whether the latest call has ended the loop.
    boolean exited() {
      return session.exited();
    }
  }
}
