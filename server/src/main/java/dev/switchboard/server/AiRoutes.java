package dev.switchboard.server;

import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.json.Json;
import dev.switchboard.loop.Input;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.Agents.ConversationRef;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.UiHistory;
import dev.switchboard.server.dialect.UiInput;
import dev.switchboard.server.dialect.UiMessages;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The routes of the AI SDK's UI message stream, version 1.
final class AiRoutes {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Agents agents;
  private final Access access;
  private final Streams streams;

  AiRoutes(Agents agents, Access access, Streams streams) {
    this.agents = agents;
    this.access = access;
    this.streams = streams;
  }

  void install(RoutesConfig routes) {
    routes.post("/ai/{agent}", this::send, Needs.of(Permission.TALK));
    routes.get("/ai/{agent}/{id}/stream", this::resume, Needs.of(Permission.OWN_CONVERSATIONS));
    routes.get("/ai/{agent}/{id}/messages", this::messages, Needs.of(Permission.OWN_CONVERSATIONS));
  }

  private void send(Context ctx) throws Exception {
    Principal principal = access.principal(ctx);
    ServedAgent agent = agents.named(ctx.pathParam("agent"));
    UiInput input = UiInput.read(ctx.body());
    try (Streams.Place place = streams.place(ctx)) {
      Input.Said said = input.said();
      // Without a message no conversation begins.
      Header header = said == null ? null : Header.of(principal.name());
      LiveConversation live = agents.open(agent, input.conversation(), principal, header);
      ctx.res().setHeader("x-vercel-ai-ui-message-stream", "v1");
      if (said == null) {
        answer(place, live, input, principal);
      } else if (live.accepted().has(said.id())) {
        again(place, live, said.id());
      } else {
        leave(live);
        long after = live.say(principal, said.id(), said.words());
        place.streamTurn(
            live.feed(), after, said.id(), new UiMessages(live.id(), UiMessages.reply(said.id())));
      }
    }
  }

  /// A client that leaves a stream sends nothing: a new message cancels a turn whose stream has no
  /// reader.
  private static void leave(LiveConversation live) throws InterruptedException {
    if (live.isRunning() && !live.feed().isReadByClient()) {
      live.cancelTurn(PATIENCE);
    }
  }

  private static void again(Streams.Place place, LiveConversation live, String input)
      throws Exception {
    long before = live.accepted().before(input);
    place.streamTurn(
        live.feed(),
        Math.max(0, before),
        input,
        new UiMessages(live.id(), UiMessages.reply(input)));
  }

  private static void answer(
      Streams.Place place, LiveConversation live, UiInput input, Principal principal)
      throws Exception {
    TurnIndex before = TurnIndex.of(live.store(), live.id());
    for (Input.Answered answered : input.answers()) {
      String refusal = ResponseBodies.refusal(live.served(), principal, answered.answer());
      if (refusal != null) {
        throw Problem.forbidden(refusal);
      }
    }
    for (Input.Answered answered : input.answers()) {
      ConsentAnswer outcome =
          live.storeAnswer(answered.request(), answered.answer().by(principal.by()));
      if (outcome == null) {
        throw Problem.notFound();
      }
    }
    live.resume();
    Set<String> answered =
        input.answers().stream().map(Input.Answered::request).collect(Collectors.toSet());
    TurnIndex.Rest known = before.restOf(answered);
    TurnIndex.Rest rest = known.number() < 0 ? TurnIndex.Rest.at(before.last()) : known;
    UiMessages encoder = new UiMessages(live.id(), input.message());
    before.ofTurnUpTo(rest.number()).forEach(encoder::seen);
    PrefixedEncoder resumed = new PrefixedEncoder(encoder, "");
    before.eventsSince(rest).forEach(event -> resumed.add(encoder.encode(event)));
    place.streamTurn(live.feed(), rest.overtaken(), resumed);
  }

  private LiveConversation live(Context ctx) {
    ConversationRef found = agents.find(ctx.pathParam("id"), access.principal(ctx));
    if (!found.agent().name().equals(ctx.pathParam("agent"))) {
      throw Problem.notFound();
    }
    return found.agent().open(found.summary());
  }

  /// Streams the running turn from its beginning.
  private void resume(Context ctx) throws Exception {
    LiveConversation live = live(ctx);
    live.awaitEnding();
    if (!live.isRunning()) {
      ctx.status(204);
      return;
    }
    try (Streams.Place place = streams.place(ctx)) {
      String next = live.accepted().next();
      TurnIndex turns = TurnIndex.of(live.store(), live.id());
      boolean isToBegin = next != null && turns.isEnded() && !turns.hasTurn(next);
      long before = isToBegin ? turns.last() : turns.beforeLatest();
      // If it has ended since, the feed has its end.
      boolean ended = turns.endInRest() && !isToBegin && !live.isRunning();
      long last = ended ? turns.last() - 1 : turns.last();
      List<Event.Logged> turn = turns.events().subList((int) before, (int) last);
      String begun = TurnIndex.input(turn);
      String input = begun == null ? next : begun;
      UiMessages encoder =
          new UiMessages(live.id(), UiMessages.reply(input == null ? "greeting" : input));
      StringBuilder sent = new StringBuilder();
      for (Event.Logged event : turn) {
        // Without the earlier wait.
        sent.append(TurnIndex.isDone(event) ? "" : encoder.encode(event));
      }
      ctx.res().setHeader("x-vercel-ai-ui-message-stream", "v1");
      place.streamTurn(live.feed(), last, new PrefixedEncoder(encoder, sent.toString()));
    }
  }

  private void messages(Context ctx) {
    LiveConversation live = live(ctx);
    TurnIndex turns = TurnIndex.of(live.store(), live.id());
    Json messages = UiHistory.of(live.id(), turns.events());
    ctx.contentType("application/json").result(messages.text());
  }
}
