package dev.switchboard.server;

import dev.switchboard.agent.Conversation;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.BreakerState;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.ruling.Offer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolDefinition;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Response bodies that several routes use.
final class ResponseBodies {
  private ResponseBodies() {}

  /// Why a principal may not give that answer in a conversation of its own, or one in which it may
  /// answer; null if it may.
  static @Nullable String refusal(ServedAgent agent, Principal principal, Answer answer) {
    if (principal.may(Permission.ANSWER_ALL)) {
      return null;
    }
    if (agent.asksApprover()) {
      return "The agent asks others than its user: answering needs the role approve.";
    }
    if (answer instanceof Answer.Approved approved) {
      if (!approved.holds().isZero()) {
        return "Approving more than this one call needs the role approve.";
      }
      if (approved.arguments() != null) {
        return "Approving changed arguments needs the role approve.";
      }
    }
    return null;
  }

  /// Sends that object as the response.
  static void json(Context ctx, ObjectNode object) {
    ctx.contentType("application/json").result(Json.of(object).text());
  }

  static ObjectNode event(Event.Logged event) {
    ObjectNode out = Codec.object();
    out.put("number", event.number());
    if (event.run() != null) {
      out.put("run", event.run());
    }
    out.put("at", event.at().toString());
    out.set("event", event.event().tree());
    return out;
  }

  /// The messages of the user and the agent in these events, each reply as one message.
  static List<ObjectNode> words(List<Event.Logged> events) {
    List<ObjectNode> lines = new ArrayList<>();
    ObjectNode reply = null;
    for (Event.Logged event : events) {
      JsonNode tree = event.event().tree();
      boolean isReply = tree.path("type").asString("").equals("content");
      if (isReply && reply != null) {
        String all = reply.path("content").asString("") + tree.path("content").asString("");
        reply.put("content", all);
      } else if (isReply || tree.path("event").asString("").equals("user")) {
        ObjectNode line = event(event);
        lines.add(line);
        reply = isReply ? tree.deepCopy().asObject() : null;
        line.set("event", reply == null ? tree : reply);
      } else {
        reply = null;
      }
    }
    return lines;
  }

  /// The id of a request, unique in the server.
  static String qualified(ConsentRequest request) {
    return request.qualifiedId();
  }

  /// The id of a conversation's request, unique in the server.
  static String qualified(String conversation, String request) {
    return ConsentRequest.qualifiedId(conversation, request);
  }

  /// A request of a conversation of that agent.
  ///
  /// @param principal the owner of the conversation, null for none
  static ObjectNode request(ServedAgent agent, ConsentRequest request, @Nullable String principal) {
    ObjectNode out = Codec.object();
    out.put("id", qualified(request));
    out.put("conversation", request.conversation());
    out.put("agent", agent.name());
    if (principal != null) {
      out.put("principal", principal);
    }
    out.set("call", request.call().json().tree());
    out.put("mode", request.mode().word());
    out.put("reason", request.reason());
    if (request.scope() != null) {
      out.put("scope", request.scope());
    }
    out.put("expiresAt", request.expiresAt().toString());
    Tool tool = agent.tools().find(request.call().name());
    if (tool != null) {
      out.set("schema", tool.definition().parameters().tree());
    }
    out.put("status", "pending");
    return out;
  }

  /// The tools that the model would be offered now, and the reasons against the others.
  static ObjectNode offer(LiveConversation live) {
    return live.in(conversation -> offer(live.served(), conversation));
  }

  private static ObjectNode offer(ServedAgent served, Conversation conversation) {
    ObjectNode out = Codec.object();
    Offer offer = conversation.offer();
    List<ToolDefinition> offered = offer.tools();
    Set<String> names = offered.stream().map(ToolDefinition::name).collect(Collectors.toSet());
    ArrayNode tools = out.putArray("tools");
    for (Tool tool : served.tools().list()) {
      ObjectNode item = tools.addObject();
      item.put("name", tool.name()).put("mode", tool.definition().mode().word());
      String why = why(served, conversation, tool.name());
      item.put("allowed", why == null && names.contains(tool.name()));
      if (why != null) {
        item.put("why", why);
      }
    }
    if (offer.choice() == ModelRequest.ToolChoice.REQUIRED) {
      ArrayNode must = out.putArray("must");
      offered.forEach(tool -> must.add(tool.name()));
    }
    return out;
  }

  private static @Nullable String why(ServedAgent served, Conversation conversation, String tool) {
    String refused = conversation.refusal(tool);
    BreakerState breaker = served.breaker(tool);
    return refused == null && breaker.position() == BreakerState.Position.OPEN
        ? "its circuit breaker is open for %d s more"
            .formatted(breaker.retryAfter().toSeconds() + 1)
        : refused;
  }
}
