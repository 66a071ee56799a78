package dev.switchboard.server;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.loop.Input;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.AgUi;
import dev.switchboard.server.dialect.AgUiConsent;
import dev.switchboard.server.dialect.AgUiHistory;
import dev.switchboard.server.dialect.AgUiInput;
import dev.switchboard.server.dialect.BadRequestException;
import dev.switchboard.state.ConsentAnswer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The routes of AG-UI 1.0: an agent's description, and a run as a stream.
final class AgUiRoutes {
  private final Agents agents;
  private final Access access;
  private final Streams streams;

  AgUiRoutes(Agents agents, Access access, Streams streams) {
    this.agents = agents;
    this.access = access;
    this.streams = streams;
  }

  void install(RoutesConfig routes) {
    routes.get("/agui/{agent}", this::capabilities, Needs.of(Permission.SEE_AGENTS));
    routes.post("/agui/{agent}", this::run, Needs.of(Permission.TALK));
  }

  private void capabilities(Context ctx) {
    ServedAgent agent = agents.named(ctx.pathParam("agent"));
    Json body = AgUiConsent.capabilities(agent.agent().executor().definitions());
    ctx.contentType("application/json").result(body.text());
  }

  private void run(Context ctx) throws Exception {
    Principal principal = access.principal(ctx);
    ServedAgent agent = agents.named(ctx.pathParam("agent"));
    try (Streams.Place place = streams.place(ctx)) {
      AgUiInput input;
      try {
        input = AgUiInput.read(ctx.body());
      } catch (BadRequestException e) {
        if (!e.code().equals("invalid_arguments")) {
          throw e;
        }
        refuse(place, e.sentence(), e.code());
        return;
      }
      // Without a message no conversation begins.
      Header header = input.said() == null ? null : Header.of(principal.name());
      LiveConversation live = agents.open(agent, input.thread(), principal, header);
      run(place, live, input, principal);
    }
  }

  private static void refuse(Streams.Place place, String sentence, String code) throws IOException {
    try (Wire wire = place.open()) {
      wire.write(AgUi.refused(sentence, code));
    }
  }

  private void run(Streams.Place place, LiveConversation live, AgUiInput input, Principal principal)
      throws Exception {
    AgUi encoder = new AgUi(input.thread(), input.run(), schemas(live, principal));
    List<String> notices = new ArrayList<>(input.notices());
    boolean known = knows(live, input);
    if (!input.answers().isEmpty()) {
      resume(place, live, input, principal, encoder, notices);
      return;
    }
    Input.Said said = input.said();
    if (said == null || !known && live.accepted().has(said.id())) {
      join(place, live, encoder, notices);
      return;
    }
    try {
      long after = live.say(principal, said.id(), said.words(), input.run());
      place.streamTurn(live.feed(), after, said.id(), begun(encoder, notices));
    } catch (Problem problem) {
      if (!problem.code().equals("consent_pending")) {
        throw problem;
      }
      refuse(place, String.valueOf(problem.getMessage()), problem.code());
    }
  }

  /// Whether the run was accepted before.
  ///
  /// @throws Problem when another run has that id
  private static boolean knows(LiveConversation live, AgUiInput input) {
    String begun = live.accepted().beginOf(input.run());
    if (begun != null && !begun.equals(input.begins())) {
      throw Problem.of(409, "id_used", "Another run was sent before under this `runId`.");
    }
    return begun != null;
  }

  private static Function<String, @Nullable Json> schemas(
      LiveConversation live, Principal principal) {
    if (!principal.may(Permission.ANSWER_ALL)) {
      return name -> null;
    }
    return name -> {
      Tool tool = live.served().tools().find(name);
      return tool == null ? null : tool.definition().parameters();
    };
  }

  private static PrefixedEncoder begun(AgUi encoder, List<String> notices) {
    StringBuilder more = new StringBuilder();
    notices.forEach(notice -> more.append(encoder.warning(notice)));
    return new PrefixedEncoder(encoder, more.toString());
  }

  /// Continues a run that waited for these answers. Nothing runs if one is missing or invalid.
  private void resume(
      Streams.Place place,
      LiveConversation live,
      AgUiInput input,
      Principal principal,
      AgUi encoder,
      List<String> notices)
      throws Exception {
    Map<String, Answer> answers =
        input.answers().stream()
            .collect(
                Collectors.toMap(Input.Answered::request, Input.Answered::answer, (a, b) -> a));
    for (Answer answer : answers.values()) {
      String refusal = ResponseBodies.refusal(live.served(), principal, answer);
      if (refusal != null) {
        refuse(place, refusal, "forbidden");
        return;
      }
    }
    TurnIndex before = TurnIndex.of(live.store(), live.id());
    TurnIndex.Rest rest = before.restOf(answers.keySet());
    List<ConsentRequest> waiting = live.waiting();
    for (ConsentRequest request : waiting) {
      Answer answer = answers.get(request.id());
      if (answer == null && rest.number() >= 0 && !rest.requests().contains(request.id())) {
        // The client does not know of it yet: the turn continued by an answer from elsewhere.
        continue;
      }
      if (answer == null) {
        refuse(
            place,
            "The interrupt '" + ResponseBodies.qualified(request) + "' is open.",
            "consent_pending");
        return;
      }
      List<Fault> faults = live.faults(request.call(), answer);
      if (!faults.isEmpty()) {
        refuse(place, sentence(faults.getFirst()), "invalid_arguments");
        return;
      }
    }
    String begins = input.begins();
    if (begins != null && waiting.stream().anyMatch(answer -> answers.containsKey(answer.id()))) {
      boolean unused =
          live.in(conversation -> {
            conversation.name(input.run(), begins);
            return true;
          });
    }
    for (Map.Entry<String, Answer> answer : answers.entrySet()) {
      ConsentAnswer outcome =
          live.storeAnswer(answer.getKey(), answer.getValue().by(principal.by()));
      if (outcome == null) {
        notices.add(
            "No interrupt '" + ResponseBodies.qualified(live.id(), answer.getKey()) + "' is open.");
      } else if (outcome.by().equals("consent_timeout")) {
        refuse(place, "The interrupt has expired.", "expired");
        return;
      }
    }
    live.resume();
    if (rest.number() < 0) {
      join(place, live, encoder, notices);
      return;
    }
    before.ofTurnUpTo(rest.number()).forEach(encoder::seen);
    PrefixedEncoder begun = begun(encoder, notices);
    before.eventsSince(rest).forEach(event -> begun.add(encoder.encode(event)));
    place.streamTurn(live.feed(), rest.overtaken(), begun);
  }

  private static String sentence(Fault fault) {
    return "The arguments do not meet the tool's schema, at '%s': %s was expected, %s was found."
        .formatted(fault.pointer(), fault.expected(), fault.found());
  }

  /// A client that reconnects receives the messages so far, then new events. A message that may
  /// still continue is sent from its beginning: the client would make a second message of the rest.
  private static void join(
      Streams.Place place, LiveConversation live, AgUi encoder, List<String> notices)
      throws Exception {
    live.awaitEnding();
    boolean runs = live.isRunning();
    TurnIndex turns = TurnIndex.of(live.store(), live.id());
    if (runs && turns.endInRest()) {
      // It has ended since, or continues by an answer.
      live.awaitEnding();
      runs = live.isRunning();
      turns = TurnIndex.of(live.store(), live.id());
    }
    boolean ended = !runs && turns.endInRest();
    if (!runs && !ended) {
      refuse(place, "The conversation has no run to join.", "nothing_runs");
      return;
    }
    long after = turns.beforeRound(ended ? turns.last() - 1 : turns.last());
    turns.ofTurnUpTo(after).forEach(encoder::seen);
    PrefixedEncoder begun = begun(encoder, notices);
    begun.add(encoder.snapshot(AgUiHistory.of(turns.events().subList(0, (int) after))));
    place.streamTurn(live.feed(), after, begun);
  }
}
