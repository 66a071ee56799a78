package dev.switchboard.server;

import dev.switchboard.agent.Conversation;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.Turn;
import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.ChatCompletions;
import dev.switchboard.server.dialect.ChatInput;
import dev.switchboard.server.dialect.Encoder;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of OpenAI's API: agents as models, and chat completions.
final class OpenAiRoutes {
  private static final System.Logger LOG = System.getLogger(OpenAiRoutes.class.getName());
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Instant RELEASED = Instant.parse("2026-01-01T00:00:00Z");

  private final Agents agents;
  private final Access access;
  private final Streams streams;
  private final Time time;
  private final boolean clientSystem;
  private final OneOffTurns turns;

  /// @param turns of conversations that are not stored
  /// @param clientSystem whether system messages of clients are accepted
  OpenAiRoutes(
      Agents agents,
      Access access,
      Streams streams,
      Time time,
      OneOffTurns turns,
      boolean clientSystem) {
    this.agents = agents;
    this.time = time;
    this.access = access;
    this.streams = streams;
    this.turns = turns;
    this.clientSystem = clientSystem;
  }

  void install(RoutesConfig routes) {
    routes.get("/v1/models", this::models, Needs.of(Permission.SEE_AGENTS));
    routes.get(
        "/v1/models/{model}",
        ctx -> ResponseBodies.json(ctx, model(agent(ctx.pathParam("model")))),
        Needs.of(Permission.SEE_AGENTS));
    routes.post("/v1/chat/completions", this::complete, Needs.of(Permission.TALK));
  }

  private void models(Context ctx) {
    ObjectNode out = Codec.object().put("object", "list");
    ArrayNode data = out.putArray("data");
    agents.all().forEach(agent -> data.add(model(agent)));
    ResponseBodies.json(ctx, out);
  }

  private static ObjectNode model(ServedAgent agent) {
    return Codec.object()
        .put("id", agent.name())
        .put("object", "model")
        .put("created", RELEASED.getEpochSecond())
        .put("owned_by", "switchboard");
  }

  private ServedAgent agent(String name) {
    return agents.all().stream()
        .filter(agent -> agent.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            Problem.of(404, "model_not_found", "There is no agent of that name.")
                .with("param", "model"));
  }

  private void complete(Context ctx) throws Exception {
    Principal principal = access.principal(ctx);
    ChatInput input = ChatInput.read(ctx.body(), clientSystem);
    ServedAgent agent = agent(input.model());
    String header = ctx.header("X-Conversation-Id");
    String conversation = header == null ? input.conversation() : header;
    try (Streams.Place place = streams.place(ctx)) {
      if (conversation == null) {
        // The earlier messages are the client's, so the whole body counts.
        TurnRoom.Taken room = agent.room().acquire(principal.name(), ctx.bodyAsBytes().length);
        try {
          once(ctx, place, agent, input, principal);
        } finally {
          room.close();
        }
      } else {
        kept(ctx, place, agent, input, conversation, principal);
      }
    }
  }

  private void kept(
      Context ctx,
      Streams.Place place,
      ServedAgent agent,
      ChatInput input,
      String id,
      Principal principal)
      throws Exception {
    LiveConversation live = agents.open(agent, id, principal);
    String run = ConversationRoutes.inputId(ctx);
    long after = live.say(principal, run, input.said());
    reply(ctx, place, new Begun(live.feed(), after, run), input, completion(id, run, input));
  }

  private ChatCompletions completion(String conversation, String run, ChatInput input) {
    String id = "chatcmpl-" + run.replaceAll("[^A-Za-z0-9_-]", "_");
    return new ChatCompletions(conversation, id, time.now(), input);
  }

  /// A conversation for one request, not stored: the client sends the earlier messages. No one can
  /// be asked for consent.
  private void once(
      Context ctx, Streams.Place place, ServedAgent agent, ChatInput input, Principal principal)
      throws Exception {
    String id = "once-" + UUID.randomUUID();
    InProcessConversations scratch = new InProcessConversations();
    Feed feed = new Feed(id, scratch, 0);
    List<Message> before = input.messages().subList(0, input.messages().size() - 1);
    Conversation conversation =
        agent
            .agent()
            .conversation(
                id,
                ConversationOptions.NONE
                    .withPrincipal(principal.name())
                    .withActor(principal.actor())
                    .withHistory(before));
    Consumer<Event> sink =
        event -> {
          if (!isPending(event)) {
            Event.Logged logged = new Event.Logged(0, null, id, time.now(), event.json());
            scratch.appendEvents(id, 0, List.of(logged)).forEach(feed::add);
          }
        };
    feed.runs(true);
    OneOffTurns.Running turn =
        turns.begin(
            principal.name(), conversation, () -> talk(conversation, input.said(), sink, feed));
    try {
      reply(ctx, place, new Begun(feed, 0, id), input, completion(id, id, input));
    } finally {
      turn.end();
      conversation.close();
    }
  }

  private static void talk(
      Conversation conversation, Message.User said, Consumer<Event> sink, Feed feed) {
    try {
      Turn turn = conversation.say(said, sink);
      while (turn instanceof Turn.Pending(List<ConsentRequest> requests)) {
        turn = conversation.answer(requests.getFirst().id(), new Answer.Nobody(), sink);
      }
    } catch (RuntimeException | Error e) {
      ExceptionLog.warn(LOG, ExceptionLog.in(conversation.id(), "a turn was interrupted"), e);
    } finally {
      feed.runs(false);
    }
  }

  private static boolean isPending(Event event) {
    return event instanceof Event.Done(Json payload)
        && payload.tree().path("stopReason").asString("").equals("consent_pending");
  }

  /// A turn that has begun.
  ///
  /// @param after the number of the event before it
  private record Begun(Feed feed, long after, String run) {}

  private static void reply(
      Context ctx, Streams.Place place, Begun turn, ChatInput input, ChatCompletions encoder)
      throws Exception {
    Begin begin = begin(turn, encoder, input.stream());
    String error = encoder.error();
    if (error != null && !(input.stream() && encoder.hasText())) {
      ctx.status(encoder.status()).contentType("application/json").result(error);
    } else if (!input.stream()) {
      ctx.contentType("application/json").result(encoder.end());
    } else if (begin.done) {
      try (Wire wire = place.open()) {
        wire.write(Wire.ALIVE + encoder.begin() + begin.text + encoder.end());
        if (encoder.breaksOff()) {
          wire.breakOff();
        }
      }
    } else {
      place.streamTurn(turn.feed, begin.cursor, turn.run, new Continued(encoder, begin.text));
    }
  }

  /// The first events of a turn.
  ///
  /// @param text of the stream so far
  /// @param cursor the number of the last of them
  /// @param done whether the turn has ended
  private record Begin(String text, long cursor, boolean done) {}

  /// An encoder that has encoded the beginning of a stream.
  private record Continued(ChatCompletions encoder, String text) implements Encoder {
    @Override
    public void seen(Event.Logged event) {
      encoder.seen(event);
    }

    @Override
    public String begin() {
      return encoder.begin() + text;
    }

    @Override
    public String encode(Event.Logged event) {
      return encoder.encode(event);
    }

    @Override
    public String end() {
      return encoder.end();
    }

    @Override
    public boolean isResumable() {
      return encoder.isResumable();
    }

    @Override
    public boolean breaksOff() {
      return encoder.breaksOff();
    }
  }

  /// Reads events to the end of the turn, or until a stream has something to send or has waited so
  /// long that its head is sent: until then an error can be the response's status.
  private static Begin begin(Begun turn, ChatCompletions encoder, boolean stream)
      throws InterruptedException {
    Feed feed = turn.feed;
    long cursor = turn.after;
    long end = System.nanoTime() + Wire.KEEPALIVE.toNanos();
    StringBuilder text = new StringBuilder();
    long unused = feed.enter();
    try {
      while (true) {
        for (Event.Logged event : feed.after(cursor)) {
          cursor = event.number();
          if (!turn.run.equals(event.run())) {
            encoder.seen(event);
            continue;
          }
          text.append(encoder.encode(event));
          if (TurnIndex.isDone(event) || stream && !text.isEmpty()) {
            return new Begin(text.toString(), cursor, TurnIndex.isDone(event));
          }
        }
        if (feed.isOver(cursor, true)) {
          throw Problem.of(503, "interrupted", "The turn was interrupted.").retryAfter(RETRY);
        }
        long left = end - System.nanoTime();
        if (stream && left <= 0) {
          return new Begin("", cursor, false);
        }
        feed.await(cursor, true, stream ? Duration.ofNanos(left) : Wire.KEEPALIVE);
      }
    } finally {
      feed.leave();
    }
  }
}
