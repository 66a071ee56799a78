package dev.switchboard.server;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.mount.Permission;
import dev.switchboard.mount.Principal;
import dev.switchboard.server.Agents.ConversationRef;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.OwnEnvelope;
import dev.switchboard.server.dialect.Parts;
import dev.switchboard.state.Selection;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of conversations: they are created, continued, listed and deleted.
final class ConversationRoutes {
  private static final int MOST_ROUNDS = 10; // until a principal is forgotten
  private static final Duration KEYS_KEPT = Duration.ofHours(24);
  private static final int MOST_METADATA = 16 << 10;
  private static final int DEEPEST_METADATA = 16;
  private static final List<String> STATUSES =
      List.of(
          ConversationRef.RUNNING,
          ConversationRef.WAITING,
          ConversationRef.SET_ASIDE,
          ConversationRef.IDLE);

  private final Agents agents;
  private final Access access;
  private final Streams streams;
  private final OneOffTurns turnsOnce;

  /// @param turnsOnce of conversations that are not stored
  ConversationRoutes(Agents agents, Access access, Streams streams, OneOffTurns turnsOnce) {
    this.agents = agents;
    this.access = access;
    this.streams = streams;
    this.turnsOnce = turnsOnce;
  }

  void install(RoutesConfig routes) {
    routes.post("/v1/agents/{agent}/conversations", this::create, Needs.of(Permission.TALK));
    routes.get("/v1/conversations", this::list, Needs.of(Permission.OWN_CONVERSATIONS));
    routes.delete("/v1/conversations", this::deleteAll, Needs.of(Permission.OWN_CONVERSATIONS));
    routes.get("/v1/conversations/{id}", this::show, Needs.of(Permission.OWN_CONVERSATIONS));
    routes.delete("/v1/conversations/{id}", this::delete, Needs.of(Permission.OWN_CONVERSATIONS));
    routes.post("/v1/conversations/{id}/turns", this::say, Needs.of(Permission.TALK));
    routes.post(
        "/v1/conversations/{id}/cancel", this::cancel, Needs.of(Permission.OWN_CONVERSATIONS));
  }

  private ConversationRef found(Context ctx) {
    return agents.find(ctx.pathParam("id"), access.principal(ctx));
  }

  private void create(Context ctx) {
    Principal principal = access.principal(ctx);
    ServedAgent agent = agents.named(ctx.pathParam("agent"));
    JsonBody body = JsonBody.of(ctx, Set.of("id", "text", "files", "metadata"));
    String text = body.text("text");
    Message.User sentence = text == null && !body.has("files") ? null : said(body, text);
    String asked = body.text("id");
    String id = asked == null ? newId(ctx, agent, principal) : asked;
    Json metadata = metadata(body);
    Header header =
        new Header(principal.name(), null, null, metadata == null ? Json.EMPTY_OBJECT : metadata);
    LiveConversation live = agents.open(agent, id, principal, header);
    ObjectNode out = Codec.object();
    if (sentence != null) {
      String run = inputId(ctx);
      out.put("run", run).put("after", live.say(principal, run, sentence));
    } else {
      live.greet();
    }
    out.setAll(item(agents.find(id, principal)));
    ctx.status(201).header("Location", "/v1/conversations/" + id);
    ResponseBodies.json(ctx, out);
  }

  /// The id for a key is always the same, so that a repeated request creates only one conversation.
  private static String newId(Context ctx, ServedAgent agent, Principal principal) {
    String id = UUID.randomUUID().toString();
    if (ctx.header("Idempotency-Key") == null) {
      return id;
    }
    Instant since = agent.store().time().now().minus(KEYS_KEPT);
    return agent.store().directory().keyed(principal.name(), inputId(ctx), id, since);
  }

  private static @Nullable Json metadata(JsonBody body) {
    Json metadata = body.object("metadata");
    if (metadata != null && metadata.text().length() > MOST_METADATA) {
      throw Problem.tooLarge(413, "`metadata` has more than 16384 characters.");
    }
    if (metadata != null && depth(metadata.tree()) > DEEPEST_METADATA) {
      throw Problem.badRequest("`metadata` is nested deeper than 16 levels.");
    }
    return metadata;
  }

  private static int depth(JsonNode node) {
    int deepest = 0;
    for (JsonNode child : node) {
      deepest = Math.max(deepest, depth(child));
    }
    return deepest + 1;
  }

  /// The id of a request's input: the client's key, so that a repeated request counts once.
  static String inputId(Context ctx) {
    String key = ctx.header("Idempotency-Key");
    if (key == null) {
      return UUID.randomUUID().toString();
    }
    if (!key.matches("[\\x21-\\x7e]{1,200}")) {
      throw Problem.badRequest("`Idempotency-Key` has 1 to 200 visible ASCII characters.");
    }
    return "key:" + key;
  }

  private void list(Context ctx) {
    Principal principal = access.principal(ctx);
    Paging paging = Paging.of(ctx);
    String agent = ctx.queryParam("agent");
    String named = PrincipalParameter.of(ctx, principal);
    String owner = principal.mayForAll(Permission.OPERATE) ? named : principal.name();
    Selection selection = new Selection(owner, paging.before(), paging.limit());
    Agents.Page page =
        agents.select(agent == null ? null : agents.named(agent), status(ctx), selection);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    page.items().forEach(found -> items.add(item(found)));
    if (page.next() != null) {
      out.put("next", Paging.cursor(page.next()));
    }
    ResponseBodies.json(ctx, out);
  }

  private static @Nullable String status(Context ctx) {
    String status = ctx.queryParam("status");
    if (status == null || status.isEmpty() || STATUSES.contains(status)) {
      return status == null || status.isEmpty() ? null : status;
    }
    throw Problem.badRequest("`status` must be one of `" + String.join("`, `", STATUSES) + "`.");
  }

  private void deleteAll(Context ctx) {
    Principal principal = access.principal(ctx);
    String owner = PrincipalParameter.of(ctx, principal);
    if (owner == null) {
      throw Problem.badRequest("`principal` must name whose conversations are to be deleted.");
    }
    turnsOnce.end(owner);
    int deleted = 0;
    int more;
    int rounds = 0;
    do {
      // Turns that ran until now may have sent messages, which begin conversations.
      more = agents.all().stream().mapToInt(agent -> forget(agent, owner)).sum();
      deleted += more;
      rounds++;
    } while (more > 0 && rounds < MOST_ROUNDS);
    ResponseBodies.json(ctx, Codec.object().put("deleted", deleted));
  }

  private static int forget(ServedAgent agent, String principal) {
    return agent
        .agent()
        .storedConversations()
        .forget(
            principal,
            ids -> {
              ids.stream()
                  .flatMap(id -> Stream.ofNullable(agent.find(id)))
                  .forEach(known -> delete(new ConversationRef(agent, known)));
              return ids.size();
            })
        .deleted();
  }

  private void show(Context ctx) {
    ConversationRef found = found(ctx);
    LiveConversation live = found.agent().open(found.summary());
    ObjectNode out = item(found);
    ArrayNode waiting = out.putArray("waitingRequests");
    for (ConsentRequest request : live.waiting()) {
      waiting.add(
          ResponseBodies.request(found.agent(), request, found.summary().header().principal()));
    }
    out.put("lastEvent", live.feed().last());
    out.set("offer", ResponseBodies.offer(live));
    ResponseBodies.json(ctx, out);
  }

  /// A conversation in lists and pages.
  static ObjectNode item(ConversationRef found) {
    Summary summary = found.summary();
    ObjectNode out = Codec.object();
    out.put("id", summary.id()).put("agent", found.agent().name());
    putText(out, "principal", summary.header().principal());
    putText(out, "tenant", summary.header().tenant());
    putText(out, "created", summary.started());
    putText(out, "last", summary.last());
    out.put("turns", summary.turns());
    out.put("calls", summary.calls());
    out.put("waiting", summary.waiting());
    out.put("status", found.status());
    out.set("metadata", summary.header().metadata().tree());
    return out;
  }

  private static void putText(ObjectNode out, String member, @Nullable Object value) {
    if (value != null) {
      out.put(member, value.toString());
    }
  }

  private void delete(Context ctx) {
    delete(found(ctx));
    ctx.status(204);
  }

  /// Cancels the conversation's turn, and deletes it.
  private static void delete(ConversationRef found) {
    String id = found.summary().id();
    LiveConversation live = found.agent().open(found.summary());
    live.end(Problem::notFound);
    found.agent().conversations().close(live);
    try {
      boolean unused = found.agent().agent().storedConversations().delete(id, false);
      found.agent().forget(id);
    } catch (ConversationConflictException e) {
      throw Problem.of(409, "conversation_busy", "Another process is continuing it.");
    }
  }

  private void say(Context ctx) throws Exception {
    Principal principal = access.principal(ctx);
    ConversationRef found = agents.own(ctx.pathParam("id"), principal);
    JsonBody body = JsonBody.of(ctx, Set.of("text", "files"));
    Message.User said = said(body, body.has("files") ? body.text("text") : body.needed("text"));
    String run = inputId(ctx);
    LiveConversation live = found.agent().open(found.summary());
    if (Streams.isWanted(ctx)) {
      try (Streams.Place place = streams.place(ctx)) {
        long after = live.say(principal, run, said);
        place.streamTurn(live.feed(), after, run, new OwnEnvelope());
      }
    } else {
      ctx.status(202);
      ResponseBodies.json(
          ctx, Codec.object().put("run", run).put("after", live.say(principal, run, said)));
    }
  }

  private static Message.User said(JsonBody body, @Nullable String text) {
    return Parts.own(text == null ? "" : text, body.tree());
  }

  private void cancel(Context ctx) {
    ConversationRef found = found(ctx);
    found.agent().open(found.summary()).cancel(access.principal(ctx).by());
    ctx.status(202);
  }
}
