package dev.switchboard.memory;

import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Memory that is searched by meaning and by words; both rankings are fused.
///
/// An entry is stored at once and found by its words. Its vector is computed on a separate thread,
/// so storing never waits for a model. If the model does not answer within [#PATIENCE], a search
/// uses words only, with a warning. Thread-safe.
public final class SemanticMemory extends ForwardingMemory {
  /// How long a search waits for the vector of its query.
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final System.Logger LOG = System.getLogger(SemanticMemory.class.getName());
  private static final int MOST_ASKED = 16;
  private static final String WARNING = "searched by words alone: the embeddings did not answer";

  private final VectorStore store;
  private final Embeddings embeddings;
  private final Time time;
  private final Embedder embedder;
  private final RateLimitedLog warnings;
  // The vectors of texts that are not in the store, such as archived blocks.
  private final Map<String, VectorStore.Vector> known = Collections.synchronizedMap(new Latest());

  /// A cache that evicts the least recently used.
  private static final class Latest extends LinkedHashMap<String, VectorStore.Vector> {
    private static final long serialVersionUID = 1;
    private static final int MOST = 1_000;

    Latest() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, VectorStore.Vector> eldest) {
      return size() > MOST;
    }
  }

  private SemanticMemory(VectorStore store, Embeddings embeddings, Time time) {
    super(store);
    this.store = store;
    this.embeddings = embeddings;
    this.time = time;
    warnings = new RateLimitedLog(time::nanos);
    embedder = new Embedder(store, embeddings, time);
  }

  /// The memory of that store, searched with these embeddings too. Closing it closes the store.
  public static SemanticMemory of(VectorStore store, Embeddings embeddings) {
    return of(store, embeddings, Time.SYSTEM);
  }

  /// The memory of that store, searched with these embeddings too, with that clock.
  public static SemanticMemory of(VectorStore store, Embeddings embeddings, Time time) {
    return new SemanticMemory(store, embeddings, time);
  }

  /// Computes all missing vectors of the agent's entries now; returns their number.
  ///
  /// @param progress receives the number done from time to time
  /// @throws Exception when the model or the store fails; finished work stays
  public long embedAll(String agent, LongConsumer progress) throws Exception {
    return embedder.embedAll(agent, progress);
  }

  @Override
  public Hits search(MemoryQuery query) {
    return search(query, List.of());
  }

  @Override
  public Hits search(MemoryQuery query, List<Entry> beside) {
    embedder.wakeFirst(query.agent());
    if (query.text().isBlank()) {
      return store.search(query, beside);
    }
    Question question = new Question(query.text());
    List<Question> others = unknown(beside).map(Question::new).toList();
    Hits words = store.search(query.withLimit(MemoryQuery.MAX_LIMIT), beside);
    VectorStore.Vector vector = question.answer();
    others.forEach(this::know);
    if (vector == null) {
      return words.first(query.limit()).withWarning(WARNING);
    }
    List<Hits.Hit> near =
        Stream.concat(
                store
                    .nearest(query.withLimit(MemoryQuery.MAX_LIMIT), embeddings.name(), vector)
                    .stream(),
                beside.stream().flatMap(entry -> hit(entry, vector)))
            .filter(hit -> hit.score() >= embeddings.leastSimilarity())
            .sorted(Comparator.comparingDouble(Hits.Hit::score).reversed())
            .limit(MemoryQuery.MAX_LIMIT)
            .toList();
    return Fusion.of(words, near, query);
  }

  /// The texts whose vectors are missing, at most as many as a search may request.
  private Stream<String> unknown(List<Entry> beside) {
    return beside.stream()
        .map(Entry::text)
        .filter(text -> !text.isBlank() && !known.containsKey(text))
        .distinct()
        .limit(MOST_ASKED);
  }

  private void know(Question other) {
    VectorStore.Vector vector = other.answer();
    if (vector != null) {
      known.put(other.text, vector);
    }
  }

  private Stream<Hits.Hit> hit(Entry entry, VectorStore.Vector vector) {
    VectorStore.Vector other = known.get(entry.text());
    return other == null ? Stream.of() : Stream.of(new Hits.Hit(entry, vector.similarity(other)));
  }

  /// A text whose vector is requested on a separate thread, which may be abandoned.
  private final class Question {
    private final long until = time.nanos() + PATIENCE.toNanos();
    private final String text;
    private final Time.Signal answered = new Time.Signal();
    private final AtomicReference<VectorStore.@Nullable Vector> vector = new AtomicReference<>();
    private final Thread asking;

    Question(String text) {
      this.text = text;
      asking = Thread.ofVirtual().name("switchboard-embeddings").start(this::ask);
    }

    private void ask() {
      try {
        vector.set(embedder.vectors(List.of(text)).getFirst());
      } catch (Throwable thrown) {
        // Also an Error: the search uses words only.
        warnings.warn(LOG, "searched by words alone", thrown);
      } finally {
        answered.give();
      }
    }

    /// The vector; null if it does not arrive in time.
    VectorStore.@Nullable Vector answer() {
      time.await(answered, until);
      if (!answered.given()) {
        asking.interrupt();
      }
      return vector.get();
    }
  }

  @Override
  public boolean insert(Entry entry) {
    boolean kept = store.insert(entry);
    embedder.wake(entry.agent());
    return kept;
  }

  @Override
  public int insertAll(List<Entry> entries) {
    int kept = store.insertAll(entries);
    entries.stream().map(Entry::agent).distinct().forEach(embedder::wake);
    return kept;
  }

  @Override
  public void close() {
    embedder.close();
    super.close();
  }
}
