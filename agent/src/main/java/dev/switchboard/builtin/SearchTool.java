package dev.switchboard.builtin;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryQuery.SearchDomain;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.tool.ToolMode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The tool `search`: one query over the agent's memory, its conversations, and the host's domains.
record SearchTool(List<SearchDomain> domains) {
  private static final System.Logger LOG = System.getLogger(SearchTool.class.getName());
  private static final String ALL = "all";
  private static final List<String> OURS = List.of(Entry.ARCHIVAL, Entry.CONVERSATIONS);

  /// The maximum number of characters of a hit's text.
  private static final int MOST_CHARACTERS = 2_000;

  /// @throws IllegalArgumentException when a name is invalid or taken
  SearchTool {
    domains = List.copyOf(domains);
    List<String> taken = new ArrayList<>(OURS);
    taken.add(ALL);
    for (SearchDomain domain : domains) {
      String name = domain.name();
      if (!name.matches("[A-Za-z0-9_-]{1,64}") || taken.contains(name)) {
        throw new IllegalArgumentException(
            "search domain '%s' needs a name of its own: 1 to 64 letters, digits, underscores or hyphens"
                .formatted(name));
      }
      taken.add(name);
    }
  }

  Tool tool() {
    List<String> names = new ArrayList<>(OURS);
    domains.forEach(domain -> names.add(domain.name()));
    names.add(ALL);
    String more =
        domains.isEmpty()
            ? ""
            : " Also: " + String.join(", ", names.subList(OURS.size(), names.size() - 1)) + ".";
    return Tool.dynamic("search", parameters(names))
        .description("Search your long-term memory and your earlier conversations." + more)
        .mode(ToolMode.READ)
        .handler((arguments, context) ->
            json(found(arguments.tree(), context.services().memory()), false));
  }

  private static String parameters(List<String> domains) {
    return """
    {"type":"object","additionalProperties":false,"required":["query"],"properties":{
      "domain":{"enum":%s,"description":"all by default"},
      "query":{"type":"string","description":"Any text"},
      "role":{"enum":["user","assistant","tool"],"description":"Who said it, in conversations"},
      "tags":{"type":"array","maxItems":100,"items":{"type":"string"}},
      "from":{"type":"string","format":"date-time","description":"The earliest time"},
      "to":{"type":"string","format":"date-time","description":"Before that time"},
      "limit":{"type":"integer","minimum":1,"maximum":100}}}\
    """
        .formatted(Json.of(domains));
  }

  private Hits found(JsonNode in, Memory memory) throws Exception {
    String asked = in.path("domain").asString(ALL);
    for (SearchDomain domain : domains) {
      if (domain.name().equals(asked)) {
        return found(domain, query(in, memory, asked));
      }
    }
    if (!asked.equals(ALL)) {
      return memory.search(query(in, memory, asked));
    }
    Hits hits = memory.search(query(in, memory, OURS.toArray(String[]::new)));
    for (SearchDomain domain : domains) {
      MemoryQuery query = query(in, memory, domain.name());
      hits = hits.and(attempted(domain, query), query);
    }
    return hits;
  }

  /// The hits of one of several domains; if it fails, a warning instead.
  private static Hits attempted(SearchDomain domain, MemoryQuery query)
      throws InterruptedException {
    try {
      return found(domain, query);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      ExceptionLog.warn(LOG, "a search domain failed", e);
      return new Hits(
          List.of(),
          0,
          "searched without '%s', which failed (%s)"
              .formatted(domain.name(), e.getClass().getSimpleName()));
    }
  }

  private static Hits found(SearchDomain domain, MemoryQuery query) throws Exception {
    Hits hits = domain.search(query);
    List<Hits.Hit> first =
        hits.hits().stream()
            .limit(query.limit())
            .map(hit ->
                new Hits.Hit(
                    hit.entry(), Double.isNaN(hit.score()) ? 0 : Math.clamp(hit.score(), 0, 1)))
            .toList();
    return new Hits(first, Math.max(hits.total(), first.size()), hits.warning());
  }

  private static MemoryQuery query(JsonNode in, Memory memory, String... domains) {
    return MemoryQuery.of(memory.owner(), in.path("query").asString(""), domains)
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
      throw ToolException.invalidArgument(member, "'" + member + "' is not a time with an offset.");
    }
  }

  /// The text of a hit, cut so that a search does not fill the context window.
  private static String shown(String text) {
    int length = text.codePointCount(0, text.length());
    return length <= MOST_CHARACTERS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MOST_CHARACTERS))
            + " ... (%d characters more)".formatted(length - MOST_CHARACTERS);
  }

  /// The hits as `{hits: [{id, domain, label, text, at, score}], total}`, and `warning` if some may
  /// be missing. An entry without a known time has no `at`.
  ///
  /// @param whole whether long texts are not cut
  static Json json(Hits hits, boolean whole) {
    ObjectNode out = Codec.object();
    ArrayNode list = out.putArray("hits");
    for (Hits.Hit hit : hits.hits()) {
      Entry entry = hit.entry();
      ObjectNode item =
          list.addObject()
              .put("id", entry.id())
              .put("domain", entry.domain())
              .put("label", entry.label());
      role(item, entry);
      tags(item, entry.tags());
      item.put("text", whole ? entry.text() : shown(entry.text()));
      if (!entry.at().equals(Instant.EPOCH)) {
        item.put("at", entry.at().toString());
      }
      item.put("score", Math.round(hit.score() * 10_000) / 10_000.0);
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
