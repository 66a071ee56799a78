package dev.switchboard.server;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.Records;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.Agents.ConversationRef;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of answers to calls that wait for a person. The first answer counts.
final class ApprovalRoutes {
  private static final Set<String> MEMBERS =
      Set.of("id", "decision", "arguments", "reason", "for", "for_all");

  private static final Duration OUTCOME_WAIT = Duration.ofSeconds(2);

  private final Agents agents;
  private final Access access;

  ApprovalRoutes(Agents agents, Access access) {
    this.agents = agents;
    this.access = access;
  }

  void install(RoutesConfig routes) {
    routes.post("/v1/approvals", this::answerAll, Needs.of(Permission.ANSWER_OWN));
    routes.post("/v1/approvals/{id}", this::answer, Needs.of(Permission.ANSWER_OWN));
  }

  private void answer(Context ctx) {
    JsonBody body = JsonBody.of(ctx, MEMBERS);
    ResponseBodies.json(ctx, answer(ctx.pathParam("id"), body, access.principal(ctx)));
  }

  /// Each answer is independent: one that fails does not affect the others.
  private void answerAll(Context ctx) {
    JsonNode answers = JsonBody.of(ctx, Set.of("answers")).tree().path("answers");
    if (!answers.isArray() || answers.size() > 1_000) {
      throw Problem.badRequest("`answers` must be a list of at most 1000 answers.");
    }
    Principal principal = access.principal(ctx);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    for (JsonNode item : answers) {
      String id = item.path("id").asString("");
      try {
        items.add(answer(id, new JsonBody(item), principal));
      } catch (Problem problem) {
        items.addObject().put("id", id).set("problem", problem.body().tree());
      }
    }
    ResponseBodies.json(ctx, out);
  }

  private ObjectNode answer(String id, JsonBody body, Principal principal) {
    ConversationRef found = agents.findRequest(id, principal);
    String request = ConsentRequest.requestOf(id);
    Answer answer = read(body).by(principal.by());
    String refusal = ResponseBodies.refusal(found.agent(), principal, answer);
    if (refusal != null) {
      throw Problem.forbidden(refusal);
    }
    LiveConversation live = found.agent().open(found.summary());
    if (live.ofHandlers().answer(request, answer)) {
      // A handler's request is answered while its call runs; nothing is stored.
      Instant now = live.served().agent().time().now();
      return answered(id, ConsentAnswer.of(request, answer, "host", now));
    }
    ToolCall call = call(live, request);
    checkArguments(live, call, answer);
    ConsentAnswer kept = decide(live, request, answer);
    ConsentAnswer outcome = kept == null ? loggedOutcome(live, request) : kept;
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

  /// The outcome of a request from the log, which alone has that of a handler's request, a moment
  /// after the answer; null if there is no such request, or no outcome.
  private static @Nullable ConsentAnswer loggedOutcome(LiveConversation live, String request) {
    Event.Logged asked = live.store().event(live.id(), "consent_request/" + request);
    if (asked == null) {
      return null;
    }
    Time time = live.served().agent().time();
    long end = time.nanos() + OUTCOME_WAIT.toNanos();
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

  /// The request stays open if the changed arguments do not fit the tool's schema.
  private static void checkArguments(
      LiveConversation live, @Nullable ToolCall call, Answer answer) {
    List<Fault> faults = call == null ? List.of() : live.faults(call, answer);
    if (!faults.isEmpty()) {
      throw Problem.badRequest("The arguments do not meet the tool's schema.")
          .with("faults", faults);
    }
  }

  /// A repeated equal answer is not a conflict.
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

  private static Answer read(JsonBody body) {
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
    if (body.flag("for_all")) {
      if (!approved.lasts()) {
        throw Problem.badRequest("`for_all` goes with `for` or `approve_always`.");
      }
      approved = approved.everywhere();
    }
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
