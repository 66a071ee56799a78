package dev.switchboard.server;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Permission;
import dev.switchboard.server.Agents.ConversationRef;
import dev.switchboard.server.access.Access;
import dev.switchboard.server.access.Needs;
import dev.switchboard.server.access.Problem;
import dev.switchboard.server.dialect.OwnEnvelope;
import dev.switchboard.tool.Event;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes of a conversation's log: as a stream, in pages, or as a whole.
final class EventRoutes {
  private static final System.Logger LOG = System.getLogger(EventRoutes.class.getName());
  private static final int MOST_REPLAYED = 10_000;
  private static final int AT_ONCE = 64;
  private static final int PAGE = 1_000;
  private static final int BUFFER = 32 * 1024;
  // The maximum characters of a page, unless one event has more.
  private static final int MOST_CHARACTERS = 4 << 20;

  private final Agents agents;
  private final Access access;
  private final Streams streams;

  EventRoutes(Agents agents, Access access, Streams streams) {
    this.agents = agents;
    this.access = access;
    this.streams = streams;
  }

  void install(RoutesConfig routes) {
    routes.get(
        "/v1/conversations/{id}/events", this::events, Needs.of(Permission.OWN_CONVERSATIONS));
    routes.get(
        "/v1/conversations/{id}/export", this::export, Needs.of(Permission.OWN_CONVERSATIONS));
  }

  private ConversationRef found(Context ctx) {
    return agents.find(ctx.pathParam("id"), access.principal(ctx));
  }

  private void events(Context ctx) throws Exception {
    ConversationRef found = found(ctx);
    LiveConversation live = found.agent().open(found.summary());
    if (ctx.queryParam("cursor") != null) {
      throw Problem.of(400, "bad_cursor", "The events after a number are asked for by `after`.");
    }
    long after = after(ctx);
    long last = live.feed().last();
    if (after > last) {
      throw Problem.of(400, "bad_cursor", "The conversation has " + last + " events.");
    }
    if (!Streams.isWanted(ctx)) {
      page(ctx, found, after);
      return;
    }
    if (last - after > MOST_REPLAYED) {
      throw Problem.of(
          400,
          "bad_cursor",
          "More than 10000 events are behind that number: read them in pages, with `limit`.");
    }
    try (Streams.Place place = streams.place(ctx)) {
      place.streamAll(live.feed(), after, new OwnEnvelope());
    }
  }

  private static long after(Context ctx) {
    String header = ctx.header("Last-Event-ID");
    String after = header == null ? ctx.queryParam("after") : header;
    if (after == null || after.isEmpty()) {
      return 0;
    }
    if (!after.matches("[0-9]{1,15}")) {
      throw Problem.of(400, "bad_cursor", "A cursor is the number of an event.");
    }
    return Long.parseLong(after);
  }

  private static void page(Context ctx, ConversationRef found, long after) {
    int limit = Paging.number(ctx, "limit", PAGE, MOST_REPLAYED);
    ObjectNode out = Codec.object();
    ArrayNode items = out.putArray("items");
    long cursor = after;
    int characters = 0;
    boolean more = true;
    while (more && items.size() < limit && characters < MOST_CHARACTERS) {
      int most = Math.min(AT_ONCE, limit - items.size());
      List<Event.Logged> events = found.agent().store().events(found.summary().id(), cursor, most);
      for (Event.Logged event : events) {
        items.add(ResponseBodies.event(event));
        characters += event.event().text().length();
        cursor = event.number();
      }
      more = events.size() == most;
    }
    if (more) {
      out.put("next", cursor);
    }
    ResponseBodies.json(ctx, out);
  }

  /// Written from the store while the client reads, since a log may be larger than the memory.
  private void export(Context ctx) {
    ConversationRef found = found(ctx);
    String id = found.summary().id();
    ConversationStore store = found.agent().store();
    List<Event.Logged> first = store.events(id, 0, AT_ONCE);
    String name = "conversation-" + id.replaceAll("[^A-Za-z0-9_.-]", "_") + ".json";
    ctx.header("Content-Disposition", "attachment; filename=\"" + name + "\"");
    ctx.contentType("application/json");
    try {
      String head = Json.of(ConversationRoutes.item(found)).text();
      Writer out =
          new BufferedWriter(
              new OutputStreamWriter(ctx.outputStream(), StandardCharsets.UTF_8), BUFFER);
      out.append(head, 0, head.length() - 1).append(",\"events\":[");
      write(first, "", out);
      for (List<Event.Logged> page = first; page.size() == AT_ONCE; ) {
        page = store.events(id, page.getLast().number(), AT_ONCE);
        write(page, ",", out);
      }
      out.append("]}").flush();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the client is gone", e);
    } catch (RuntimeException e) {
      // The incomplete response must not look complete.
      Wire.connection(ctx).close();
      throw e;
    }
  }

  private static void write(List<Event.Logged> events, String before, Writer out)
      throws IOException {
    String between = before;
    for (Event.Logged event : events) {
      out.append(between).append(Json.of(ResponseBodies.event(event)).text());
      between = ",";
    }
  }
}
