package dev.switchboard.server;

import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Notices about conversations that run in other processes, for pages and for the receiver of
/// requests. They are read from the store after an announcement, on a thread that lasts while there
/// is something to read.
///
/// Thread-safe.
final class WorkerNotices {
  private static final System.Logger LOG = System.getLogger(WorkerNotices.class.getName());
  private static final int MOST_WAITING = 10_000;
  private static final int MOST_KNOWN = 10_000;
  private static final int EVENTS = 256;

  private final RateLimitedLog warnings;
  private final ServedAgent agent;
  // Whether a request or an answer was announced for it; guarded by this.
  private final Map<String, Boolean> waiting = new LinkedHashMap<>();
  private boolean reading; // guarded by this
  // The numbers of the latest reported events, least recently used first; used by the thread.
  private final Map<String, Long> reported =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  WorkerNotices(ServedAgent agent, Time time) {
    this.agent = agent;
    warnings = new RateLimitedLog(time::nanos);
  }

  /// Handles an announcement, which is read soon.
  void handle(Announcement what) {
    switch (what.topic()) {
      case ASKED -> read(what.conversation(), true);
      case DUE, RESTED -> {
        if (agent.isWatched()) {
          read(what.conversation(), false);
        }
      }
      case EVENTS, CANCEL -> {}
    }
  }

  private synchronized void read(String conversation, boolean asked) {
    if (waiting.size() < MOST_WAITING) {
      waiting.merge(conversation, asked, Boolean::logicalOr);
    }
    if (!reading) {
      reading = true;
      Thread unused = Thread.ofVirtual().name("news-" + agent.name()).start(this::readAll);
    }
  }

  private synchronized Map.@Nullable Entry<String, Boolean> next() {
    Map.Entry<String, Boolean> next =
        waiting.isEmpty() ? null : Map.entry(first(), waiting.get(first()));
    reading = next != null;
    if (next != null) {
      Boolean unused = waiting.remove(next.getKey());
    }
    return next;
  }

  private String first() {
    return waiting.keySet().iterator().next();
  }

  private void readAll() {
    for (Map.Entry<String, Boolean> next = next(); next != null; next = next()) {
      try {
        if (next.getValue()) {
          report(next.getKey());
        }
        agent.changed(next.getKey());
      } catch (RuntimeException e) {
        warnings.warn(LOG, "a page was not notified of events of other processes", e);
      }
    }
  }

  /// Reports new requests and answers among the latest events.
  private void report(String conversation) {
    Summary known = agent.find(conversation);
    if (known == null) {
      return;
    }
    long before = reported.getOrDefault(conversation, 0L);
    long after = Math.max(before, known.events() - EVENTS);
    List<Event.Logged> events = agent.store().events(conversation, after, EVENTS);
    for (Event.Logged event : events) {
      String key = event.key();
      if (key != null && key.startsWith("consent_")) {
        agent.watch(conversation, event);
      } else if (key != null && key.startsWith("given_up/")) {
        agent.counts(conversation, event);
      }
      Long unused = reported.put(conversation, event.number());
    }
  }
}
