package dev.switchboard.memory;

import dev.switchboard.memory.VectorStore.Unembedded;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Computes the vectors of entries in the background. Its queue is the entries without a vector in
/// the store, so no work is lost when the process dies or the model is unavailable.
final class Embedder {
  private static final System.Logger LOG = System.getLogger(SemanticMemory.class.getName());
  private static final int BATCH = 64;
  // An entry may become visible after one with a higher number.
  private static final long LATE_NUMBERS = 1_000;
  private static final int MOST_CHARACTERS = 8_000;
  // Models count tokens; a character may have several.
  private static final int FEWER_CHARACTERS = 2_000;
  private static final long QUIET_NANOS = Duration.ofSeconds(30).toNanos();
  static final Duration LAST_WORK = Duration.ofSeconds(1);
  // A text that any available model accepts.
  private static final String PLAIN_TEXT = "a";

  private final VectorStore store;
  private final Embeddings embeddings;
  private final Time time;
  // The last entry of each agent that was checked in this process.
  private final Map<String, Long> reached = new ConcurrentHashMap<>();
  // Entries that the model rejected; the next process tries them again.
  private final Set<Long> refused = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final SequencedSet<String> waiting = new LinkedHashSet<>(); // guarded by lock
  private final Set<String> looked = new HashSet<>(); // agents, guarded by lock
  private @Nullable Thread worker; // guarded by lock
  private Time.@Nullable Signal ended; // of the worker, for who closes; guarded by lock
  private long quietUntil; // guarded by lock
  private volatile boolean closed;

  Embedder(VectorStore store, Embeddings embeddings, Time time) {
    this.store = store;
    this.embeddings = embeddings;
    this.time = time;
    this.quietUntil = time.nanos();
  }

  /// Schedules the agent's new entries.
  void wake(String agent) {
    lock.lock();
    try {
      looked.add(agent);
      waiting.addLast(agent);
      begin();
    } finally {
      lock.unlock();
    }
  }

  /// Schedules all of the agent's entries, once in a process since that takes time in proportion to
  /// their number, and continues the entries that had to wait.
  void wakeFirst(String agent) {
    lock.lock();
    try {
      if (looked.add(agent)) {
        waiting.addLast(agent);
      }
      begin();
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    if (!waiting.isEmpty() && worker == null && !closed && time.nanos() - quietUntil >= 0) {
      worker = Thread.ofVirtual().name("switchboard-embedder").start(this::work);
    }
  }

  private void work() {
    for (String agent = next(); agent != null; agent = next()) {
      try {
        long unused = embedAll(agent, count -> {});
      } catch (Throwable thrown) {
        // Also an Error: the next worker continues.
        away(agent, thrown);
        return;
      }
    }
  }

  private @Nullable String next() {
    lock.lock();
    try {
      if (waiting.isEmpty() || closed) {
        end();
        return null;
      }
      return waiting.removeFirst();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    worker = null;
    if (ended != null) {
      ended.give();
    }
  }

  /// Pauses the use of the model; the work stays in the store.
  private void away(String agent, Throwable thrown) {
    lock.lock();
    try {
      waiting.addFirst(agent);
      quietUntil = time.nanos() + QUIET_NANOS;
      end();
    } finally {
      lock.unlock();
    }
    if (!closed) {
      ExceptionLog.warn(LOG, "entries have no vectors yet", thrown);
    }
  }

  /// Embeds all of the agent's entries that have no vector and that the model accepts; returns
  /// their number.
  ///
  /// @param progress receives the number done after each batch
  /// @throws Exception when the model or the store fails
  long embedAll(String agent, LongConsumer progress) throws Exception {
    long count = 0;
    long after = Math.max(0, reached.getOrDefault(agent, 0L) - LATE_NUMBERS);
    while (!closed) {
      List<Unembedded> batch = store.unembedded(agent, embeddings.name(), after, BATCH);
      if (batch.isEmpty()) {
        return count;
      }
      count += embed(batch.stream().filter(this::isOpen).toList());
      after = batch.getLast().number();
      reached.merge(agent, after, Math::max);
      progress.accept(count);
    }
    return count;
  }

  private boolean isOpen(Unembedded one) {
    return !one.entry().text().isBlank() && !refused.contains(one.number());
  }

  private int embed(List<Unembedded> batch) throws Exception {
    if (batch.isEmpty()) {
      return 0;
    }
    List<VectorStore.Vector> vectors;
    try {
      vectors = vectors(batch.stream().map(one -> one.entry().text()).toList());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return oneByOne(batch);
    }
    for (int i = 0; i < batch.size(); i++) {
      store.embed(batch.get(i).number(), embeddings.name(), vectors.get(i));
    }
    return batch.size();
  }

  /// A text that the model rejects must not delay the others.
  private int oneByOne(List<Unembedded> batch) throws Exception {
    int kept = 0;
    for (Unembedded one : batch) {
      VectorStore.Vector vector = vector(one);
      if (vector != null) {
        store.embed(one.number(), embeddings.name(), vector);
        kept++;
      }
    }
    if (kept < batch.size()) {
      LOG.log(
          Level.WARNING,
          (batch.size() - kept) + " entries have no vector: the model rejected them");
    }
    return kept;
  }

  /// The vector of the entry, null if the model rejects its text.
  ///
  /// @throws Exception when the model rejects every text
  private VectorStore.@Nullable Vector vector(Unembedded one) throws Exception {
    for (int most : List.of(MOST_CHARACTERS, FEWER_CHARACTERS)) {
      try {
        return vectors(List.of(beginning(one.entry().text(), most))).getFirst();
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        List<VectorStore.Vector> unused = vectors(List.of(PLAIN_TEXT));
      }
    }
    refused.add(one.number());
    return null;
  }

  /// The vectors of these texts; very long ones are cut.
  ///
  /// @throws Exception when the model does not answer, or not correctly
  List<VectorStore.Vector> vectors(List<String> texts) throws Exception {
    List<float[]> answer =
        embeddings.of(texts.stream().map(text -> beginning(text, MOST_CHARACTERS)).toList());
    if (answer.size() != texts.size()) {
      throw new IllegalStateException(
          answer.size() + " vectors came for " + texts.size() + " texts");
    }
    List<VectorStore.Vector> vectors = new ArrayList<>();
    answer.forEach(numbers -> vectors.add(VectorStore.Vector.of(numbers)));
    return vectors;
  }

  private static String beginning(String text, int most) {
    return text.length() <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, most)));
  }

  /// Ends the work soon, after the current batch if the model is quick. Another process or the next
  /// one does the rest.
  void close() {
    Time.Signal end = new Time.Signal();
    Thread last;
    lock.lock();
    try {
      closed = true;
      ended = end;
      last = worker;
    } finally {
      lock.unlock();
    }
    if (last != null) {
      time.await(end, time.nanos() + LAST_WORK.toNanos());
      if (!end.given()) {
        last.interrupt();
        time.await(end, time.nanos() + LAST_WORK.toNanos());
      }
    }
  }
}
