package dev.switchboard.server;

import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolRegistry;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.Agents.ConversationRef;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of agents, their tools, and the tools' circuit breakers.
final class AgentRoutes {
  private final Agents agents;
  private final Access access;
  private final Map<String, String> calls;

  /// @param calls the paths of sockets that call agents, by the agents' names
  AgentRoutes(Agents agents, Access access, Map<String, String> calls) {
    this.agents = agents;
    this.access = access;
    this.calls = calls;
  }

  void install(RoutesConfig routes) {
    routes.get("/v1/me", this::me, Needs.of(Permission.SEE_AGENTS));
    routes.get("/v1/agents", this::list, Needs.of(Permission.SEE_AGENTS));
    routes.get("/v1/agents/{agent}/tools", this::tools, Needs.of(Permission.SEE_AGENTS));
    routes.post(
        "/v1/agents/{agent}/tools/{tool}/calls",
        this::call,
        Needs.of(Permission.CALL_TOOLS, Permission.TALK));
    routes.get("/v1/agents/{agent}/breakers", this::breakers, Needs.of(Permission.OPERATE));
    routes.get("/v1/agents/{agent}/sources", this::sources, Needs.of(Permission.OPERATE));
    routes.post(
        "/v1/agents/{agent}/breakers/{tool}/close", this::close, Needs.of(Permission.OPERATE));
  }

  private void me(Context ctx) {
    Principal principal = access.principal(ctx);
    ObjectNode out = Codec.object();
    out.put("principal", principal.name());
    if (principal.actor() != null) {
      out.put("actor", principal.actor());
    }
    ArrayNode roles = out.putArray("roles");
    principal.roles().forEach(role -> roles.add(role.word()));
    ArrayNode permissions = out.putArray("permissions");
    for (Permission permission : Permission.values()) {
      if (principal.may(permission)) {
        permissions.add(permission.word());
      }
    }
    ResponseBodies.json(ctx, out);
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
      String call = calls.get(served.agent().name());
      if (call != null) {
        item.put("call", call);
      }
    }
    ResponseBodies.json(ctx, out);
  }

  private ServedAgent agent(Context ctx) {
    return agents.named(ctx.pathParam("agent"));
  }

  private void tools(Context ctx) {
    ServedAgent served = agent(ctx);
    boolean mayOperate = access.principal(ctx).may(Permission.OPERATE);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (Tool tool : served.tools().list()) {
      ObjectNode item = items.addObject();
      item.put("name", tool.name()).put("description", tool.definition().description());
      item.put("mode", tool.definition().mode().word());
      item.put("strict", tool.definition().strict());
      item.set("parameters", tool.definition().parameters().tree());
      if (mayOperate) {
        item.set("breaker", breaker(served, tool.name()));
      }
    }
    ResponseBodies.json(ctx, out);
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
    JsonBody body = JsonBody.of(ctx, Set.of("arguments", "conversation"));
    Json arguments = body.object("arguments");
    String named = body.text("conversation");
    if (named == null) {
      access.permit(ctx, Needs.of(Permission.CALL_TOOLS));
    }
    ServedAgent served = agent(ctx);
    Tool tool = tool(ctx, served);
    ConversationRef found = named == null ? null : conversation(served, named, principal);
    String number =
        principal.may(Permission.CALL_TOOLS)
            ? UUID.randomUUID().toString()
            : undo(ctx, tool, arguments, found);
    String id = named == null ? "by-hand-" + UUID.randomUUID() : named;
    LiveConversation live =
        found == null ? agents.open(served, id, principal) : served.open(found.summary());
    ToolCall call =
        ToolCall.of(
            TurnIndex.BY_HAND + number,
            tool.name(),
            (arguments == null ? Json.EMPTY_OBJECT : arguments).text());
    long after = live.call(principal, call);
    ObjectNode out = Codec.object();
    out.put("conversation", id).put("call", call.id()).put("after", after);
    // It does not end while it waits for a person.
    boolean unused = live.join(tool.options().deadline().plusSeconds(5));
    Json result = live.result(call.id());
    if (result != null) {
      out.set("result", result.tree());
    }
    ResponseBodies.json(ctx, out);
  }

  /// A principal that may not call tools may still undo a call of its conversation, as that call's
  /// result offers, once: all calls of that offer have the same id, and only the first runs.
  private String undo(
      Context ctx, Tool tool, @Nullable Json arguments, @Nullable ConversationRef found) {
    // An own conversation is named: a call in a new one was refused before.
    Event.Logged offer =
        found == null || arguments == null
            ? null
            : TurnIndex.of(found.agent().store(), found.summary().id())
                .undoOffer(tool.name(), arguments);
    if (offer == null) {
      throw Problem.forbidden(access.principal(ctx).refusal(Permission.CALL_TOOLS));
    }
    return "undo_" + offer.number();
  }

  private ConversationRef conversation(ServedAgent served, String id, Principal principal) {
    ConversationRef found = agents.own(id, principal);
    if (found.agent() != served) {
      throw Problem.notFound();
    }
    return found;
  }

  private void breakers(Context ctx) {
    ServedAgent served = agent(ctx);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (Tool tool : served.tools().list()) {
      items.addObject().put("tool", tool.name()).setAll(breaker(served, tool.name()));
    }
    ResponseBodies.json(ctx, out);
  }

  /// The external sources of the agent's tools, such as MCP servers.
  private void sources(Context ctx) {
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (ToolRegistry.Source.State source : agent(ctx).agent().toolSources()) {
      ObjectNode item = items.addObject();
      item.put("name", source.name()).put("ready", source.ready());
      item.put("detail", source.detail());
      source.tools().forEach(item.putArray("tools")::add);
    }
    ResponseBodies.json(ctx, out);
  }

  private void close(Context ctx) {
    ServedAgent served = agent(ctx);
    Tool tool = tool(ctx, served);
    served.agent().executor().closeBreaker(tool.name());
    ResponseBodies.json(ctx, breaker(served, tool.name()));
  }
}
