package dev.switchboard.memory;

import dev.switchboard.text.Words;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A search.
///
/// @param agent whose memory is searched
/// @param domains to search, at least one
/// @param text any text; blank for all entries, the latest first
/// @param tags that an entry must have, all of them
/// @param label that an entry must have, null for any
/// @param role that a message must have, null for any
/// @param from the earliest time, null for any
/// @param to the time before which it was written, null for any
/// @param limit the maximum number of hits
public record MemoryQuery(
    String agent,
    List<String> domains,
    String text,
    List<String> tags,
    @Nullable String label,
    @Nullable String role,
    @Nullable Instant from,
    @Nullable Instant to,
    int limit) {
  /// The default limit of hits.
  public static final int DEFAULT_LIMIT = 20;

  /// The largest limit of hits.
  public static final int MAX_LIMIT = 100;

  /// @throws IllegalArgumentException when there is no domain, or the limit is out of 1 to
  ///   [#MAX_LIMIT]
  public MemoryQuery {
    domains = List.copyOf(domains);
    tags = List.copyOf(tags);
    if (domains.isEmpty()) {
      throw new IllegalArgumentException("a search needs a domain");
    }
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("the limit must be 1 to " + MAX_LIMIT);
    }
  }

  /// A search for that text in these domains.
  public static MemoryQuery of(String agent, String text, String... domains) {
    return new MemoryQuery(
        agent, List.of(domains), text, List.of(), null, null, null, null, DEFAULT_LIMIT);
  }

  /// This query of that owner's memory.
  public MemoryQuery of(String owner) {
    return new MemoryQuery(owner, domains, text, tags, label, role, from, to, limit);
  }

  /// This query in these domains.
  MemoryQuery in(List<String> others) {
    return new MemoryQuery(agent, others, text, tags, label, role, from, to, limit);
  }

  /// This query with that limit of hits.
  public MemoryQuery withLimit(int most) {
    return new MemoryQuery(agent, domains, text, tags, label, role, from, to, most);
  }

  /// This query for entries with all these tags.
  public MemoryQuery withTags(List<String> needed) {
    return new MemoryQuery(agent, domains, text, needed, label, role, from, to, limit);
  }

  /// This query for entries with that label.
  public MemoryQuery withLabel(@Nullable String needed) {
    return new MemoryQuery(agent, domains, text, tags, needed, role, from, to, limit);
  }

  /// This query for messages with that role.
  public MemoryQuery withRole(@Nullable String needed) {
    return new MemoryQuery(agent, domains, text, tags, label, needed, from, to, limit);
  }

  /// This query for entries of that time.
  public MemoryQuery between(@Nullable Instant earliest, @Nullable Instant before) {
    return new MemoryQuery(agent, domains, text, tags, label, role, earliest, before, limit);
  }

  /// Whether an entry belongs to the agent and the domains and passes every filter, whatever its
  /// text.
  public boolean allows(Entry entry) {
    return entry.agent().equals(agent)
        && domains.contains(entry.domain())
        && entry.tags().containsAll(tags)
        && (label == null || label.equals(entry.label()))
        && (role == null || role.equals(entry.role()))
        && (from == null || !entry.at().isBefore(from))
        && (to == null || entry.at().isBefore(to));
  }

  /// The result of a search.
  ///
  /// @param hits the best first
  /// @param total the number of matches, including those beyond the limit
  /// @param warning a clause that says why some may be missing; null if none are
  public record Hits(List<Hit> hits, long total, @Nullable String warning) {
    public Hits {
      hits = List.copyOf(hits);
    }

    /// The result of a search without a warning.
    public Hits(List<Hit> hits, long total) {
      this(hits, total, null);
    }

    /// The first of these hits.
    public Hits first(int most) {
      return new Hits(hits.stream().limit(most).toList(), total, warning);
    }

    /// These hits with that warning.
    public Hits withWarning(String clause) {
      return new Hits(hits, total, clause);
    }

    /// These hits and those of another search for the query, the best first; if the query has no
    /// words, the latest first.
    public Hits and(Hits others, MemoryQuery query) {
      Comparator<Hit> order =
          query.text().isBlank()
              ? Comparator.comparing(hit -> hit.entry().at(), Comparator.reverseOrder())
              : Comparator.comparingDouble(Hit::score).reversed();
      List<Hit> both =
          Stream.concat(hits.stream(), others.hits.stream())
              .sorted(order)
              .limit(query.limit())
              .toList();
      String clause = warning == null ? others.warning : warning;
      boolean two = warning != null && others.warning != null;
      return new Hits(both, total + others.total, two ? warning + "; " + others.warning : clause);
    }

    /// Hits with a store's own scores, scaled to 0 to 1. The best hit's score is the part of the
    /// query that it contains; the others' are in proportion.
    ///
    /// @param weighed the best first, with scores above 0
    public static Hits ranked(List<Words.Phrase> sought, List<Hit> weighed, long total) {
      if (weighed.isEmpty()) {
        return new Hits(weighed, total);
      }
      Hit best = weighed.getFirst();
      List<String> words = Words.of(best.entry().text());
      long found = sought.stream().filter(phrase -> phrase.count(words) > 0).count();
      double part = Math.max(1, found) / (double) sought.size();
      return new Hits(
          weighed.stream()
              .map(hit -> new Hit(hit.entry(), Math.clamp(hit.score() / best.score() * part, 0, 1)))
              .toList(),
          total);
    }

    /// The entries for a query without words, which all match.
    public static Hits latest(List<Entry> entries, long total) {
      return new Hits(entries.stream().map(entry -> new Hit(entry, 1)).toList(), total);
    }

    /// A matching entry.
    ///
    /// @param score how well it matches, 0 to 1, in descending order
    public record Hit(Entry entry, double score) {}
  }

  /// A domain of your own for the tool `search`, such as the orders of a shop. It is searched
  /// together with the agent's memory.
  ///
  /// Implementations are thread-safe and respond to interrupts.
  public interface SearchDomain {
    /// Its name, a value of the tool's `domain`: 1 to 64 letters, digits, underscores or hyphens.
    String name();

    /// The hits in this domain, the best first, at most as many as the query's limit.
    ///
    /// @throws Exception when it cannot be searched; the other domains are searched anyway
    Hits search(MemoryQuery query) throws Exception;
  }
}
