package dev.switchboard.server;

import dev.switchboard.json.Codec;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of agents' memory, for operators.
final class MemoryRoutes {
  private static final int MOST_EDITS = 50;
  private static final int MOST_HITS = 100;

  private final Agents agents;
  private final Access access;

  MemoryRoutes(Agents agents, Access access) {
    this.agents = agents;
    this.access = access;
  }

  void install(RoutesConfig routes) {
    routes.get("/v1/agents/{agent}/blocks", this::list, Needs.of(Permission.OPERATE));
    routes.get("/v1/agents/{agent}/blocks/{label}", this::show, Needs.of(Permission.OPERATE));
    routes.put("/v1/agents/{agent}/blocks/{label}", this::overwrite, Needs.of(Permission.OPERATE));
    routes.post("/v1/agents/{agent}/blocks/{label}/undo", this::undo, Needs.of(Permission.OPERATE));
    routes.get("/v1/agents/{agent}/memory", this::search, Needs.of(Permission.OPERATE));
  }

  private Memory memory(Context ctx) {
    Principal asking = access.principal(ctx);
    String owner = Objects.requireNonNullElse(PrincipalParameter.of(ctx, asking), asking.name());
    return agents.named(ctx.pathParam("agent")).agent().memoryInHandsOf(asking.by(), owner);
  }

  private void list(Context ctx) {
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    memory(ctx).blocks().forEach(view -> items.add(block(view.block())));
    ResponseBodies.json(ctx, out);
  }

  private static ObjectNode block(Block block) {
    return Codec.object()
        .put("label", block.label())
        .put("description", block.description())
        .put("value", block.value())
        .put("limit", block.charLimit())
        .put("kind", block.kind().word())
        .put("permission", block.permission().word())
        .put("version", block.version())
        .put("pinned", block.pinned());
  }

  private void show(Context ctx) {
    Memory memory = memory(ctx);
    Block block = find(memory, ctx.pathParam("label"));
    ObjectNode out = block(block);
    ArrayNode edits = out.putArray("edits");
    for (Block.Edit edit : memory.history(block.label(), MOST_EDITS)) {
      edits
          .addObject()
          .put("version", edit.number())
          .put("at", edit.at().toString())
          .put("author", edit.by())
          .put("operation", edit.operation())
          .put("before", edit.before())
          .put("after", edit.after());
    }
    ResponseBodies.json(ctx, out);
  }

  private static Block find(Memory memory, String label) {
    try {
      return memory.block(label).block();
    } catch (MemoryException e) {
      throw Problem.notFound();
    }
  }

  private void overwrite(Context ctx) {
    Memory memory = memory(ctx);
    JsonBody body = JsonBody.of(ctx, Set.of("value", "version"));
    JsonNode version = body.tree().path("version");
    if (!version.isIntegralNumber()) {
      throw Problem.badRequest("`version` must be the version that was read.");
    }
    String label = find(memory, ctx.pathParam("label")).label();
    try {
      ResponseBodies.json(
          ctx, block(memory.overwrite(label, body.needed("value"), version.longValue())));
    } catch (MemoryException e) {
      throw refused(e);
    }
  }

  private void undo(Context ctx) {
    Memory memory = memory(ctx);
    String label = find(memory, ctx.pathParam("label")).label();
    try {
      Block block = memory.undo(label);
      if (block == null) {
        throw Problem.of(409, "nothing_to_undo", "Nothing is left to be undone.");
      }
      ResponseBodies.json(ctx, block(block));
    } catch (MemoryException e) {
      throw refused(e);
    }
  }

  private static Problem refused(MemoryException e) {
    String sentence = String.valueOf(e.getMessage());
    return e.kind() == MemoryException.Kind.CONFLICT
        ? Problem.of(409, "edited_meanwhile", sentence)
        : Problem.badRequest(sentence);
  }

  private void search(Context ctx) {
    Memory memory = memory(ctx);
    String text = ctx.queryParam("query");
    int limit = Paging.number(ctx, "limit", 20, MOST_HITS);
    MemoryQuery query =
        MemoryQuery.of(
                memory.agent(), text == null ? "" : text, Entry.ARCHIVAL, Entry.CONVERSATIONS)
            .withLimit(limit);
    MemoryQuery.Hits hits = memory.search(query);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("hits");
    hits.hits()
        .forEach(hit ->
            items
                .addObject()
                .put("id", hit.entry().id())
                .put("domain", hit.entry().domain())
                .put("label", hit.entry().label())
                .put("text", hit.entry().text())
                .put("at", hit.entry().at().toString())
                .put("score", hit.score()));
    ResponseBodies.json(ctx, out.put("total", hits.total()));
  }
}
