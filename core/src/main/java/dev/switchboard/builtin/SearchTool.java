package dev.switchboard.builtin;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Hits;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.tool.ToolMode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The tool `search`: one question to all that an agent has put away and said.
record SearchTool(MemoryStore store, String agent) {
  /// The most characters of a hit's text.
  private static final int MOST_CHARACTERS = 2_000;

  private static final String PARAMETERS =
      """
      {"type":"object","additionalProperties":false,"required":["query"],"properties":{
        "domain":{"enum":["archival_memory","conversations","all"],"description":"all unless told"},
        "query":{"type":"string","description":"Any text"},
        "role":{"enum":["user","assistant","tool"],"description":"Who said it, in conversations"},
        "tags":{"type":"array","maxItems":100,"items":{"type":"string"}},
        "from":{"type":"string","format":"date-time","description":"The earliest time"},
        "to":{"type":"string","format":"date-time","description":"Before that time"},
        "limit":{"type":"integer","minimum":1,"maximum":100}}}\
      """;

  static Tool tool() {
    return Tool.dynamic("search", PARAMETERS)
        .description("Search your long-term memory and your earlier conversations.")
        .mode(ToolMode.READ)
        .handler((arguments, context) ->
            new SearchTool(context.services().store(), context.agentId()).answer(arguments.tree()));
  }

  private Json answer(JsonNode in) {
    return json(store.search(query(in)), false);
  }

  private MemoryQuery query(JsonNode in) {
    String domain = in.path("domain").asString("all");
    String[] domains =
        domain.equals("all")
            ? new String[] {Entry.ARCHIVAL, Entry.CONVERSATIONS}
            : new String[] {domain};
    return MemoryQuery.of(agent, in.path("query").asString(""), domains)
        .withTags(RecallTool.tags(in))
        .withRole(in.has("role") ? in.path("role").asString() : null)
        .between(time(in, "from"), time(in, "to"))
        .withLimit(RecallTool.limit(in));
  }

  private static @Nullable Instant time(JsonNode in, String member) {
    if (!in.has(member)) {
      return null;
    }
    try {
      return OffsetDateTime.parse(in.path(member).asString()).toInstant();
    } catch (DateTimeParseException e) {
      throw ToolException.permanent("'" + member + "' is no time with an offset.");
    }
  }

  /// The text of a hit, of a long one the beginning: a search shall not fill the model's window.
  private static String shown(String text) {
    int length = text.codePointCount(0, text.length());
    return length <= MOST_CHARACTERS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MOST_CHARACTERS))
            + " ... (%d characters more)".formatted(length - MOST_CHARACTERS);
  }

  /// The hits as `{hits: [{id, domain, label, text, at, score}], total}`, and `warning` where there
  /// may be less than there should be.
  ///
  /// @param whole whether long texts are, too
  static Json json(Hits hits, boolean whole) {
    ObjectNode out = Codec.object();
    ArrayNode list = out.putArray("hits");
    for (Hits.Hit hit : hits.hits()) {
      Entry entry = hit.entry();
      ObjectNode one =
          list.addObject()
              .put("id", entry.id())
              .put("domain", entry.domain())
              .put("label", entry.label());
      role(one, entry);
      tags(one, entry.tags());
      one.put("text", whole ? entry.text() : shown(entry.text()))
          .put("at", entry.at().toString())
          .put("score", Math.round(hit.score() * 10_000) / 10_000.0);
    }
    out.put("total", hits.total());
    String warning = hits.warning();
    if (warning != null) {
      out.put("warning", warning);
    }
    return Json.of(out);
  }

  private static void role(ObjectNode out, Entry entry) {
    String role = entry.role();
    if (role != null) {
      out.put("role", role);
    }
  }

  private static void tags(ObjectNode out, List<String> tags) {
    if (!tags.isEmpty()) {
      tags.forEach(out.putArray("tags")::add);
    }
  }
}
