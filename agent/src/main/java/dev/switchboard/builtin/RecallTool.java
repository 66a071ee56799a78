package dev.switchboard.builtin;

import dev.switchboard.check.Closest;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.handler.ToolOptions.Delivery;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.tool.RetryPolicy;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tool `recall`: the agent's archival memory.
final class RecallTool {
  private final MemoryStore store;
  private final Memory memory;

  RecallTool(MemoryStore store, Memory memory) {
    this.store = store;
    this.memory = memory;
  }

  private static final String PARAMETERS =
      """
      {"type":"object","additionalProperties":false,"required":["operation"],"properties":{
        "operation":{"enum":["insert","read","delete","search"]},
        "label":{"type":"string","minLength":1,"description":"Names the entry, for insert, read and delete; an archived block can be read too"},
        "content":{"type":"string","minLength":1,"description":"For insert"},
        "tags":{"type":"array","maxItems":100,"items":{"type":"string"},"description":"For insert and search"},
        "query":{"type":"string","description":"For search: any text"},
        "limit":{"type":"integer","minimum":1,"maximum":100}}}\
      """;

  static Tool tool() {
    return Tool.dynamic("recall", PARAMETERS)
        .description("Long-term memory beside your prompt: put facts away, find them again.")
        .mode(ToolMode.SAFE_WRITE)
        .retry(RetryPolicy.NONE)
        .operationKey("operation")
        .reconcile((arguments, context) -> found(BlockCall.of(arguments.json())))
        .answeredBy(new Handler());
  }

  private static final class Handler implements ToolHandler {
    @Override
    public void check(Arguments arguments) {
      BlockCall call = BlockCall.of(arguments.json());
      String unused = call.operation().equals("search") ? call.text("query") : call.label();
      if (call.operation().equals("insert")) {
        unused = call.content();
      }
    }

    @Override
    public Object handle(Arguments arguments, ToolContext context) {
      RecallTool recall = new RecallTool(context.services().store(), context.services().memory());
      return recall.answer(BlockCall.of(arguments.json()), context);
    }
  }

  /// Only a repeated deletion may act twice: an insert carries the key of its call.
  private static Delivery.Found found(BlockCall call) {
    return call.operation().equals("delete") ? Delivery.Found.UNKNOWN : Delivery.Found.NOT_DONE;
  }

  private Json answer(BlockCall call, ToolContext context) {
    return switch (call.operation()) {
      case "insert" -> insert(call, context);
      case "read" -> SearchTool.json(found(call, memory::search), true);
      case "delete" -> delete(call);
      case "search" -> search(call);
      default -> throw ToolException.invalidArgument("operation", "it is not known");
    };
  }

  private Json insert(BlockCall call, ToolContext context) {
    List<String> tags = tags(call.arguments());
    // The key of the call, so that a repeated call stores its entry once.
    String id = context.idempotencyKey();
    Entry entry =
        new Entry(
            memory.owner(),
            Entry.ARCHIVAL,
            id,
            call.label(),
            null,
            call.content(),
            tags,
            context.time().now());
    try {
      boolean unused = store.insert(entry);
    } catch (MemoryException full) {
      throw call.refused(full);
    }
    ObjectNode out = Codec.object().put("id", id).put("label", call.label());
    return Json.of(out.put("length", call.content().codePointCount(0, call.content().length())));
  }

  /// The hits of that search for the label, the latest first, at least one.
  private Hits found(BlockCall call, Function<MemoryQuery, Hits> search) {
    Hits hits = search.apply(labelled(call.label(), limit(call.arguments())));
    if (hits.hits().isEmpty()) {
      throw ToolException.invalidArgument(
          "label",
          "No entry '%s' was found.%s".formatted(call.label(), closest(call.label(), search)));
    }
    return hits;
  }

  private MemoryQuery labelled(@Nullable String label, int most) {
    return MemoryQuery.of(memory.owner(), "", Entry.ARCHIVAL).withLabel(label).withLimit(most);
  }

  /// The rest of the message: the closest of the latest labels.
  private String closest(String label, Function<MemoryQuery, Hits> search) {
    List<String> labels =
        search.apply(labelled(null, MemoryQuery.MAX_LIMIT)).hits().stream()
            .map(hit -> hit.entry().label())
            .distinct()
            .toList();
    List<String> closest = Closest.to(label, labels);
    return closest.isEmpty() ? "" : " Did you mean '" + String.join("' or '", closest) + "'?";
  }

  /// Deletes the entries of the label, the latest first: all, or as many as the call says. Blocks
  /// are not deleted.
  private Json delete(BlockCall call) {
    List<Hits.Hit> next = found(call, store::search).hits();
    int most = call.arguments().path("limit").asInt(Integer.MAX_VALUE);
    int deleted = 0;
    int gone = 1;
    while (gone > 0 && deleted < most) {
      gone = deleted(next);
      deleted += gone;
      int more = Math.clamp(most - deleted, 1, MemoryQuery.MAX_LIMIT);
      next = store.search(labelled(call.label(), more)).hits();
    }
    return Json.of(Codec.object().put("label", call.label()).put("deleted", deleted));
  }

  private int deleted(List<Hits.Hit> hits) {
    int gone = 0;
    for (Hits.Hit hit : hits) {
      gone += store.delete(memory.owner(), Entry.ARCHIVAL, hit.entry().id()) ? 1 : 0;
    }
    return gone;
  }

  private Json search(BlockCall call) {
    return SearchTool.json(
        memory.search(
            MemoryQuery.of(memory.owner(), call.text("query"), Entry.ARCHIVAL)
                .withTags(tags(call.arguments()))
                .withLimit(limit(call.arguments()))),
        false);
  }

  static int limit(JsonNode arguments) {
    return arguments.path("limit").asInt(MemoryQuery.DEFAULT_LIMIT);
  }

  static List<String> tags(JsonNode arguments) {
    return arguments.path("tags").valueStream().map(JsonNode::asString).toList();
  }
}
