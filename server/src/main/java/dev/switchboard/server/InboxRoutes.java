package dev.switchboard.server;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Codec;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.Agents.ConversationRef;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.tool.Event;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of the inbox: calls of all agents that wait for a person, and those answered
/// recently.
final class InboxRoutes {
  private static final List<String> REQUEST =
      List.of("call", "mode", "reason", "scope", "expiresAt");

  private static final int LINES = 4;
  // Events, including fragments of replies.
  private static final int LOOKED_AT = 200;

  private final Agents agents;
  private final Access access;
  private final Notices notices;

  InboxRoutes(Agents agents, Access access, Notices notices) {
    this.agents = agents;
    this.access = access;
    this.notices = notices;
  }

  void install(RoutesConfig routes) {
    routes.get("/v1/approvals", this::list, Needs.of(Permission.ANSWER_OWN));
    routes.get("/v1/approvals/{id}/lines", this::lines, Needs.of(Permission.ANSWER_OWN));
  }

  /// A request in a list.
  private record Listed(Position position, Supplier<ObjectNode> item) {}

  private void list(Context ctx) {
    Paging paging = Paging.of(ctx);
    String status = ctx.queryParam("status");
    if (status == null || status.equals("pending")) {
      page(ctx, paging, pending(ctx, paging), Position.ASCENDING);
    } else if (status.equals("answered")) {
      page(ctx, paging, answered(ctx), Position.DESCENDING);
    } else {
      throw Problem.badRequest("`status` must be `pending` or `answered`.");
    }
  }

  private static void page(
      Context ctx, Paging paging, Stream<Listed> all, Comparator<Position> order) {
    List<Listed> page =
        new Selection(null, paging.before(), paging.limit()).of(all, Listed::position, order);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    page.forEach(listed -> items.add(listed.item.get()));
    if (page.size() == paging.limit()) {
      out.put("next", Paging.cursor(page.getLast().position));
    }
    ResponseBodies.json(ctx, out);
  }

  private Stream<ServedAgent> agents(Context ctx) {
    String agent = ctx.queryParam("agent");
    return agents.all().stream().filter(served -> agent == null || agent.equals(served.name()));
  }

  /// A page of each agent.
  private Stream<Listed> pending(Context ctx, Paging paging) {
    Principal principal = access.principal(ctx);
    String owner = principal.mayForAll(Permission.ANSWER_ALL) ? null : principal.name();
    return agents(ctx).flatMap(agent -> pending(agent, owner, paging));
  }

  private static Stream<Listed> pending(ServedAgent agent, @Nullable String owner, Paging paging) {
    Position before = Position.after(agent.agent().time().now());
    if (paging.before() != null && Position.ASCENDING.compare(paging.before(), before) > 0) {
      before = paging.before();
    }
    List<ConsentRequest> waiting = agent.waiting(new Selection(owner, before, paging.limit()));
    Map<String, String> owners = agent.principals(waiting);
    return waiting.stream()
        .map(request ->
            new Listed(
                Position.of(request),
                () -> ResponseBodies.request(agent, request, owners.get(request.conversation()))));
  }

  private Stream<Listed> answered(Context ctx) {
    Principal principal = access.principal(ctx);
    Set<ServedAgent> asked = agents(ctx).collect(Collectors.toSet());
    return notices.answered().stream()
        .filter(answer ->
            asked.contains(answer.agent()) && Agents.mayAnswer(principal, answer.principal()))
        .map(answer -> new Listed(new Position(answer.at(), answer.id()), () -> item(answer)));
  }

  private static ObjectNode item(Notices.Answered answered) {
    ObjectNode item = Codec.object().put("id", answered.id());
    item.put("conversation", answered.conversation()).put("agent", answered.agent().name());
    ConversationStore store = answered.agent().store();
    Event.Logged asked = store.event(answered.conversation(), "consent_request/" + answered.call());
    JsonNode request = payload(asked);
    for (String member : REQUEST) {
      if (request.has(member)) {
        item.set(member, request.get(member));
      }
    }
    Event.Logged answer =
        answered.key() == null ? null : store.event(answered.conversation(), answered.key());
    item.put("status", "answered").set("answer", payload(answer));
    return item;
  }

  private static JsonNode payload(Event.@Nullable Logged event) {
    return event == null ? Codec.object() : event.event().tree().path("payload");
  }

  /// The last messages before a request, for everyone who may answer it.
  private void lines(Context ctx) {
    String id = ctx.pathParam("id");
    ConversationRef found = agents.findRequest(id, access.principal(ctx));
    String conversation = found.summary().id();
    String call = ConsentRequest.requestOf(id);
    ConversationStore store = found.agent().store();
    // A recent answer may have no notice yet, and an old one is no longer in the state.
    ConversationState state = store.state(conversation).load().value();
    if (state.waiting(call) == null
        && state.answer(call) == null
        && notices.answered().stream().noneMatch(answer -> answer.id().equals(id))) {
      throw Problem.notFound();
    }
    Event.Logged asked = store.event(conversation, "consent_request/" + call);
    long end = asked == null ? found.summary().events() : asked.number() - 1;
    long after = Math.max(0, end - LOOKED_AT);
    List<Event.Logged> before = store.events(conversation, after, (int) (end - after));
    List<ObjectNode> lines = ResponseBodies.words(before);
    ObjectNode out = Codec.object();
    out.putArray("items").addAll(lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    ResponseBodies.json(ctx, out);
  }
}
