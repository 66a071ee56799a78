package dev.switchboard.server;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Position;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.Records;
import dev.switchboard.server.Agents.Found;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Principal;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.access.Role;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

/// The routes of the inbox: calls of all agents that wait for a person, and their answers. The
/// first answer wins.
final class ApprovalRoutes {
  private static final Set<String> MEMBERS = Set.of("id", "decision", "arguments", "reason", "for");

  private static final List<String> REQUEST =
      List.of("call", "mode", "reason", "scope", "expiresAt");

  private static final int LINES = 4;
  // Events, which pieces of replies are too.
  private static final int LOOKED_AT = 200;

  private static final Duration TELLING = Duration.ofSeconds(2);

  private final Agents agents;
  private final Access access;
  private final Notices notices;

  ApprovalRoutes(Agents agents, Access access, Notices notices) {
    this.agents = agents;
    this.access = access;
    this.notices = notices;
  }

  void install(RoutesConfig routes) {
    routes.get("/v1/approvals", this::list);
    routes.post("/v1/approvals", this::answerAll);
    routes.post("/v1/approvals/{id}", this::answer);
    routes.get("/v1/approvals/{id}/lines", this::lines);
  }

  /// A chat's principal sees what its own conversations ask.
  private static boolean sees(Principal principal, @Nullable String owner) {
    return principal.may(Role.APPROVE) || principal.name().equals(owner);
  }

  /// A request in a list.
  private record Listed(Position position, Supplier<ObjectNode> item) {}

  private void list(Context ctx) {
    String status = ctx.queryParam("status");
    if (status == null || status.equals("pending")) {
      // What expires first stands first.
      page(ctx, pending(ctx), Position.ORDER.reversed());
    } else if (status.equals("answered")) {
      page(ctx, answered(ctx), Position.ORDER);
    } else {
      throw Problem.badRequest("`status` must be `pending` or `answered`.");
    }
  }

  private static void page(Context ctx, Stream<Listed> all, Comparator<Position> order) {
    Paging paging = Paging.of(ctx);
    Position before = paging.before();
    List<Listed> page =
        all.filter(one -> before == null || order.compare(one.position, before) > 0)
            .sorted(Comparator.comparing(Listed::position, order))
            .limit(paging.limit())
            .toList();
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    page.forEach(one -> items.add(one.item.get()));
    if (page.size() == paging.limit()) {
      out.put("next", Paging.cursor(page.getLast().position));
    }
    Answers.json(ctx, out);
  }

  /// As exact as a cursor is.
  private static Position place(Instant at, String id) {
    return new Position(at.truncatedTo(ChronoUnit.MILLIS), id);
  }

  private Stream<ServedAgent> agents(Context ctx) {
    String agent = ctx.queryParam("agent");
    return agents.all().stream().filter(one -> agent == null || agent.equals(one.name()));
  }

  private Stream<Listed> pending(Context ctx) {
    Principal principal = access.principal(ctx);
    return agents(ctx).flatMap(agent -> pending(agent, principal));
  }

  private static Stream<Listed> pending(ServedAgent agent, Principal principal) {
    Instant now = agent.agent().time().now();
    List<ConsentRequest> waiting = agent.waiting();
    Map<String, String> owners = agent.principals(waiting);
    return waiting.stream()
        .filter(request ->
            sees(principal, owners.get(request.conversation())) && request.expiresAt().isAfter(now))
        .map(request ->
            new Listed(
                place(request.expiresAt(), Answers.qualified(request)),
                () -> Answers.request(agent, request, owners.get(request.conversation()))));
  }

  private Stream<Listed> answered(Context ctx) {
    Principal principal = access.principal(ctx);
    Set<ServedAgent> asked = agents(ctx).collect(Collectors.toSet());
    return notices.answered().stream()
        .filter(one -> asked.contains(one.agent()) && sees(principal, one.principal()))
        .map(one -> new Listed(place(one.at(), one.id()), () -> item(one)));
  }

  private static ObjectNode item(Notices.Answered one) {
    ObjectNode item = Codec.object().put("id", one.id());
    item.put("conversation", one.conversation()).put("agent", one.agent().name());
    JsonNode request = one.request();
    if (request != null) {
      for (String member : REQUEST) {
        if (request.has(member)) {
          item.set(member, request.get(member));
        }
      }
    }
    item.put("status", "answered").set("answer", one.answer());
    return item;
  }

  private void answer(Context ctx) {
    Body body = Body.of(ctx, MEMBERS);
    Answers.json(ctx, answer(ctx.pathParam("id"), body, access.principal(ctx)));
  }

  /// Each answer stands alone: one that fails does not keep the others from counting.
  private void answerAll(Context ctx) {
    JsonNode answers = Body.of(ctx, Set.of("answers")).tree().path("answers");
    if (!answers.isArray() || answers.size() > 1_000) {
      throw Problem.badRequest("`answers` must be a list of at most 1000 answers.");
    }
    Principal principal = access.principal(ctx);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (JsonNode one : answers) {
      String id = one.path("id").asString("");
      try {
        items.add(answer(id, new Body(one), principal));
      } catch (Problem problem) {
        items.addObject().put("id", id).set("problem", problem.body().tree());
      }
    }
    Answers.json(ctx, out);
  }

  /// What was said last before a request: whoever may answer it may read that much.
  private void lines(Context ctx) {
    String id = ctx.pathParam("id");
    Found found = found(id, access.principal(ctx));
    boolean isKnown =
        found.agent().waiting().stream().anyMatch(one -> Answers.qualified(one).equals(id))
            || notices.answered().stream().anyMatch(one -> one.id().equals(id));
    if (!isKnown) {
      throw Problem.notFound();
    }
    String conversation = found.summary().id();
    ConversationStore store = found.agent().store();
    Event.Logged asked =
        store.event(conversation, "consent_request/" + id.substring(id.lastIndexOf(':') + 1));
    long end = asked == null ? found.summary().events() : asked.number() - 1;
    long after = Math.max(0, end - LOOKED_AT);
    List<Event.Logged> before = store.events(conversation, after, (int) (end - after));
    List<ObjectNode> lines = Answers.words(before);
    ObjectNode out = Codec.object();
    out.putArray("items").addAll(lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    Answers.json(ctx, out);
  }

  private Found found(String id, Principal principal) {
    int colon = id.lastIndexOf(':');
    Found found = colon < 1 ? null : agents.find(id.substring(0, colon));
    if (found == null || !sees(principal, found.summary().header().principal())) {
      throw Problem.notFound();
    }
    return found;
  }

  private ObjectNode answer(String id, Body body, Principal principal) {
    Found found = found(id, principal);
    String request = id.substring(id.lastIndexOf(':') + 1);
    Answer answer = read(body).by(principal.name());
    if (Answers.outlastsCall(answer) && !principal.may(Role.APPROVE)) {
      throw Problem.forbidden(Answers.NOT_LASTING);
    }
    LiveConversation live = found.agent().open(found.summary());
    if (live.ofHandlers().answer(request, answer)) {
      // What a handler asked is answered while its call runs; nothing of it is stored.
      Instant now = live.served().agent().time().now();
      return answered(id, ConsentAnswer.of(request, answer, "host", now));
    }
    ToolCall call = call(live, request);
    checkArguments(live, call, answer);
    ConsentAnswer kept = decide(live, request, answer);
    ConsentAnswer outcome = kept == null ? told(live, request) : kept;
    if (outcome == null) {
      throw Problem.notFound();
    }
    checkIsOurs(outcome, answer);
    ObjectNode out = answered(id, outcome);
    if (call != null) {
      out.set("call", call.json().tree());
    }
    return out;
  }

  private static ObjectNode answered(String id, ConsentAnswer outcome) {
    ObjectNode out = Codec.object();
    out.put("id", id).put("decision", outcome.decision()).put("by", outcome.by());
    out.put("at", outcome.at().toString());
    Json edited = outcome.arguments();
    if (edited != null) {
      out.set("arguments", edited.tree());
    }
    return out;
  }

  /// The outcome of a request by the log, which alone keeps that of what a handler asked, a moment
  /// after it is answered; null where there was no such request, or it has none.
  private static @Nullable ConsentAnswer told(LiveConversation live, String request) {
    Event.Logged asked = live.store().event(live.id(), "consent_request/" + request);
    if (asked == null) {
      return null;
    }
    Time time = live.served().agent().time();
    long end = time.nanos() + TELLING.toNanos();
    long cursor = asked.number();
    try {
      while (!live.feed().isOver(cursor, true) && time.nanos() - end < 0) {
        for (Event.Logged event : live.feed().after(cursor)) {
          ConsentAnswer outcome = outcome(event, request);
          if (outcome != null) {
            return outcome;
          }
          cursor = event.number();
        }
        live.feed().await(cursor, true, Duration.ofNanos(end - time.nanos()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  private static @Nullable ConsentAnswer outcome(Event.Logged event, String request) {
    JsonNode tree = event.event().tree();
    JsonNode payload = tree.path("payload");
    return tree.path("event").asString("").equals(ConsentAnswer.EVENT)
            && payload.path("id").asString("").equals(request)
        ? Records.read(payload, ConsentAnswer.class)
        : null;
  }

  private static @Nullable ToolCall call(LiveConversation live, String request) {
    return live.waiting().stream()
        .filter(one -> one.id().equals(request))
        .map(ConsentRequest::call)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable ConsentAnswer decide(
      LiveConversation live, String request, Answer answer) {
    try {
      return live.decide(request, answer);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest(String.valueOf(e.getMessage()));
    }
  }

  /// The request stays open where the arguments put in do not meet the tool's schema.
  private static void checkArguments(
      LiveConversation live, @Nullable ToolCall call, Answer answer) {
    List<Fault> faults = call == null ? List.of() : live.faults(call, answer);
    if (!faults.isEmpty()) {
      throw Problem.badRequest("The arguments do not meet the tool's schema.")
          .with("faults", faults);
    }
  }

  /// The same answer again is no conflict.
  private static void checkIsOurs(ConsentAnswer outcome, Answer answer) {
    ConsentAnswer ours = ConsentAnswer.of(outcome.id(), answer, outcome.by(), outcome.at());
    if (outcome.by().equals("consent_timeout")) {
      throw Problem.of(410, "expired", "The request has expired.");
    }
    if (!ours.equals(outcome)) {
      throw Problem.of(409, "already_answered", "The request " + outcome.words() + ".")
          .with("by", outcome.by())
          .with("at", outcome.at().toString())
          .with("decision", outcome.decision());
    }
  }

  private static Answer read(Body body) {
    String decision = body.needed("decision");
    Json arguments = body.object("arguments");
    String reason = body.text("reason");
    String length = body.text("for");
    if (decision.equals("deny")) {
      return Answer.deny(reason == null ? "" : reason);
    }
    Answer.Approved approved =
        switch (decision) {
          case "approve" ->
              length == null ? Answer.approveOnce() : Answer.approveFor(duration(length));
          case "approve_always" -> Answer.approveAlways();
          default ->
              throw Problem.badRequest("`decision` must be `approve`, `approve_always` or `deny`.");
        };
    return arguments == null ? approved : approved.with(arguments);
  }

  private static Duration duration(String text) {
    Duration length = Durations.parse(text);
    if (length == null) {
      throw Problem.badRequest("`for` must be " + Durations.FORMS + ".");
    }
    return length;
  }
}
