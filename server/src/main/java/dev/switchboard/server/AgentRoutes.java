package dev.switchboard.server;

import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Principal;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.access.Role;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of agents, their tools, and the tools' circuit breakers.
final class AgentRoutes {
  private final Agents agents;
  private final Access access;

  AgentRoutes(Agents agents, Access access) {
    this.agents = agents;
    this.access = access;
  }

  void install(RoutesConfig routes) {
    routes.get("/v1/me", this::me);
    routes.get("/v1/agents", this::list);
    routes.get("/v1/agents/{agent}/tools", this::tools);
    routes.post("/v1/agents/{agent}/tools/{tool}/calls", this::call);
    routes.get("/v1/agents/{agent}/breakers", this::breakers);
    routes.get("/v1/agents/{agent}/sources", this::sources);
    routes.post("/v1/agents/{agent}/breakers/{tool}/close", this::close);
  }

  private void me(Context ctx) {
    Principal principal = access.principal(ctx);
    ObjectNode out = Codec.object();
    out.put("principal", principal.name()).put("role", principal.role().word());
    Answers.json(ctx, out);
  }

  private void list(Context ctx) {
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (ServedAgent served : agents.all()) {
      ObjectNode item = items.addObject();
      item.put("name", served.name()).put("model", served.agent().model());
      item.put("tools", served.tools().list().size());
      String first = served.agent().firstMessage();
      if (first != null) {
        item.put("firstMessage", first);
      }
    }
    Answers.json(ctx, out);
  }

  private ServedAgent agent(Context ctx) {
    return agents.named(ctx.pathParam("agent"));
  }

  private void tools(Context ctx) {
    ServedAgent served = agent(ctx);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (Tool tool : served.tools().list()) {
      ObjectNode item = items.addObject();
      item.put("name", tool.name()).put("description", tool.definition().description());
      item.put("mode", tool.definition().mode().word());
      item.put("strict", tool.definition().strict());
      item.set("parameters", tool.definition().parameters().tree());
      item.set("breaker", breaker(served, tool.name()));
    }
    Answers.json(ctx, out);
  }

  private static ObjectNode breaker(ServedAgent served, String tool) {
    BreakerState state = served.breaker(tool);
    ObjectNode out = Codec.object();
    out.put("state", state.position().name().toLowerCase(Locale.ROOT));
    out.put("failures", state.consecutiveFailures());
    if (state.position() == BreakerState.Position.OPEN) {
      out.put("retryAfterMs", state.retryAfter().toMillis());
    }
    return out;
  }

  private Tool tool(Context ctx, ServedAgent served) {
    Tool tool = served.tools().find(ctx.pathParam("tool"));
    if (tool == null) {
      throw Problem.notFound();
    }
    return tool;
  }

  /// A call by a person, through the same execution pipeline as the model's calls, in a new
  /// conversation if none is named.
  private void call(Context ctx) throws InterruptedException {
    Principal principal = access.principal(ctx);
    Body body = Body.of(ctx, Set.of("arguments", "conversation"));
    Json arguments = body.object("arguments");
    String named = body.text("conversation");
    if (named == null && !principal.may(Role.OPERATE)) {
      throw notAllowed();
    }
    ServedAgent served = agent(ctx);
    Tool tool = tool(ctx, served);
    String number =
        named == null || principal.may(Role.OPERATE)
            ? UUID.randomUUID().toString()
            : undo(tool, arguments, Turns.of(served.store(), known(served, named, principal)));
    String id = named == null ? "by-hand-" + UUID.randomUUID() : named;
    LiveConversation live =
        named == null
            ? agents.open(served, id, principal)
            : served.open(known(served, named, principal));
    ToolCall call =
        ToolCall.of(
            Turns.BY_HAND + number,
            tool.name(),
            (arguments == null ? Json.EMPTY_OBJECT : arguments).text());
    long after = live.call(call);
    ObjectNode out = Codec.object();
    out.put("conversation", id).put("call", call.id()).put("after", after);
    // It does not end while it waits for a person.
    boolean unused = live.join(tool.options().deadline().plusSeconds(5));
    Json result = live.result(call.id());
    if (result != null) {
      out.set("result", result.tree());
    }
    Answers.json(ctx, out);
  }

  /// A principal that may not call tools may still undo a call of its conversation, as that call's
  /// result offers, once: all calls of that offer have the same id, and only the first runs.
  private static String undo(Tool tool, @Nullable Json arguments, Turns turns) {
    Event.Logged offer = arguments == null ? null : turns.undoOffer(tool.name(), arguments);
    if (offer == null) {
      throw notAllowed();
    }
    return "undo_" + offer.number();
  }

  private static Problem notAllowed() {
    return Problem.forbidden(
        "Calling a tool needs a token of the role 'operate', unless the call takes back another of"
            + " the same conversation, once.");
  }

  private String known(ServedAgent served, String id, Principal principal) {
    if (agents.find(id, principal).agent() != served) {
      throw Problem.notFound();
    }
    return id;
  }

  private void breakers(Context ctx) {
    ServedAgent served = agent(ctx);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (Tool tool : served.tools().list()) {
      items.addObject().put("tool", tool.name()).setAll(breaker(served, tool.name()));
    }
    Answers.json(ctx, out);
  }

  /// The external sources of the agent's tools, such as MCP servers.
  private void sources(Context ctx) {
    access.require(ctx, Role.OPERATE);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (ToolRegistry.Source.State source : agent(ctx).agent().toolSources()) {
      ObjectNode item = items.addObject();
      item.put("name", source.name()).put("ready", source.ready());
      item.put("detail", source.detail());
      source.tools().forEach(item.putArray("tools")::add);
    }
    Answers.json(ctx, out);
  }

  private void close(Context ctx) {
    access.require(ctx, Role.OPERATE);
    ServedAgent served = agent(ctx);
    Tool tool = tool(ctx, served);
    served.agent().executor().closeBreaker(tool.name());
    Answers.json(ctx, breaker(served, tool.name()));
  }
}
