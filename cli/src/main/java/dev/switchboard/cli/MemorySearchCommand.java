package dev.switchboard.cli;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.memory.MemoryStore;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `switchboard memory search`: searches like the agent.
@Command(
    name = "search",
    description = {
      "Search the agent's entries and conversations, as the agent does.",
      "",
      "Any text is a query; an empty one finds all, the latest first. A time is 2026-03-01, the"
          + " beginning of that day in UTC, or 2026-03-01T12:00:00Z."
    },
    footer = {
      "  switchboard memory search 'no meat' agent.toml",
      "  switchboard memory search '' --role user --from 2026-03-01",
      "  switchboard memory search table --json | jq -r .text"
    })
final class MemorySearchCommand implements Runnable {
  private final Terminal terminal;
  private final Path folder;

  @Parameters(index = "0", paramLabel = "QUERY", description = "The text to search for.")
  private String query;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "AGENT.toml",
      description = "The agent's file; if left out, the only *.toml here that has a storage.")
  private @Nullable Path file;

  @Mixin private SearchFilters filters;

  @Mixin private PrincipalOption whose;

  @Option(
      names = "--json",
      description = "Print each hit as {id, domain, label, role, tags, text, at, score}.")
  private boolean json;

  MemorySearchCommand(Terminal terminal, Path folder) {
    this.terminal = terminal;
    this.folder = folder;
  }

  @Override
  public void run() {
    filters.check();
    try (OpenMemory memory = OpenMemory.begun(file, folder, terminal, whose.name());
        MemoryStore searched =
            OpenedStorage.searched(memory.agent().file(), memory.store(), terminal.err())) {
      Hits hits = memory.of(searched).search(filters.query(memory.owner(), query));
      if (hits.warning() != null) {
        terminal.err().println("Memory is " + hits.warning() + ".");
      }
      if (json) {
        hits.hits().forEach(hit -> terminal.out().println(object(hit)));
      } else {
        show(hits);
      }
    }
  }

  private void show(Hits hits) {
    if (hits.hits().isEmpty()) {
      terminal.out().println("Nothing was found.");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SCORE", "AT", "DOMAIN", "LABEL", "ROLE", "TEXT"));
    hits.hits().forEach(hit -> rows.add(row(hit)));
    Table.of(rows).forEach(terminal.out()::println);
    if (hits.total() > hits.hits().size()) {
      terminal.out().printf("%d of %d; --limit shows more.%n", hits.hits().size(), hits.total());
    }
  }

  private static List<String> row(Hits.Hit hit) {
    Entry entry = hit.entry();
    String role = entry.role();
    return List.of(
        String.format(Locale.ROOT, "%.2f", hit.score()),
        entry.at().equals(Instant.EPOCH) ? "" : Moments.text(entry.at()),
        entry.domain(),
        Plain.cut(entry.label(), 36),
        role == null ? "" : Plain.line(role),
        Plain.cut(entry.text(), 100));
  }

  private static Json object(Hits.Hit hit) {
    Entry entry = hit.entry();
    ObjectNode out =
        Codec.object()
            .put("id", entry.id())
            .put("domain", entry.domain())
            .put("label", entry.label());
    if (entry.role() != null) {
      out.put("role", entry.role());
    }
    entry.tags().forEach(out.putArray("tags")::add);
    out.put("text", entry.text());
    if (!entry.at().equals(Instant.EPOCH)) {
      out.put("at", entry.at().toString());
    }
    return Json.of(out.put("score", Math.round(hit.score() * 10_000) / 10_000.0));
  }

  /// The filters of a search.
  static final class SearchFilters {
    @Option(
        names = "--domain",
        paramLabel = "NAME",
        description = "archival_memory, conversations or all (default: ${DEFAULT-VALUE}).")
    private String domain = "all";

    @Option(
        names = "--tag",
        paramLabel = "WORD",
        description = "Only entries with this tag; may be repeated.")
    private List<String> tags = List.of();

    @Option(
        names = "--role",
        paramLabel = "NAME",
        description = "Only what was said by this one: user, assistant or tool.")
    private @Nullable String role;

    @Option(names = "--from", paramLabel = "TIME", description = "The earliest time.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "The time before which.")
    private @Nullable String to;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "20",
        description = "The most hits, 1 to 100 (default: ${DEFAULT-VALUE}).")
    private int limit;

    /// @throws Failure when a filter is invalid
    void check() {
      if (!List.of(Entry.ARCHIVAL, Entry.CONVERSATIONS, "all").contains(domain)) {
        throw Failure.usage(
            "--domain must be archival_memory, conversations or all, not '" + domain + "'.", null);
      }
      if (role != null && !List.of("user", "assistant", "tool").contains(role)) {
        throw Failure.usage("--role must be user, assistant or tool, not '" + role + "'.", null);
      }
      if (limit < 1 || limit > MemoryQuery.MAX_LIMIT) {
        throw Failure.usage("--limit must be 1 to 100, not " + limit + ".", null);
      }
    }

    MemoryQuery query(String agent, String text) {
      String[] domains =
          domain.equals("all")
              ? new String[] {Entry.ARCHIVAL, Entry.CONVERSATIONS}
              : new String[] {domain};
      return MemoryQuery.of(agent, text, domains)
          .withTags(tags)
          .withRole(role)
          .between(time("--from", from), time("--to", to))
          .withLimit(limit);
    }

    private static @Nullable Instant time(String option, @Nullable String text) {
      try {
        if (text == null) {
          return null;
        }
        return text.length() == 10
            ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
            : OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeException e) {
        throw Failure.usage(
            option + " must be as 2026-03-01 or 2026-03-01T12:00:00Z, not '" + text + "'.", e);
      }
    }
  }
}
