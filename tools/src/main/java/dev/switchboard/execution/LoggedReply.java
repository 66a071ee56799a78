package dev.switchboard.execution;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import java.util.List;

/// A reply whose text a dead process has logged, as far as it came.
final class LoggedReply {
  private static final int PAGE = 1_000;

  private final String key;
  private final EventLog log;
  private final StringBuilder text = new StringBuilder();
  private long from; // the number of its first event that is not void, 0 for none
  private int pieces; // the number of its events, including void ones

  /// Reads the reply of that key, after all events are stored.
  LoggedReply(String key, EventLog log) {
    this.key = key;
    this.log = log;
    log.awaitShown();
    List<Event.Logged> page;
    long after = 0;
    do {
      page = log.events(after, PAGE);
      page.forEach(this::read);
      after = page.isEmpty() ? after : page.getLast().number();
    } while (page.size() == PAGE);
  }

  private void read(Event.Logged event) {
    String own = event.key() == null ? "" : event.key();
    if (own.startsWith(key + "/restart/")) {
      from = 0;
      text.setLength(0);
    } else if (own.startsWith(key + "/")) {
      from = from == 0 ? event.number() : from;
      pieces++;
      text.append(event.event().tree().path("content").asString(""));
    }
  }

  /// Voids its text, before the reply is requested again.
  void restart() {
    log.beginReply(key, pieces);
    if (from > 0) {
      Json payload = Json.of(Codec.object().put("from", from));
      log.append(key + "/restart/" + from, new Event.AgentEvent("reply_restarted", payload));
    }
  }

  /// Logs what is missing of its whole text.
  void complete(String whole) {
    boolean continues = whole.startsWith(text.toString());
    if (continues) {
      log.beginReply(key, pieces);
    } else {
      restart();
    }
    String missing = continues ? whole.substring(text.length()) : whole;
    if (!missing.isEmpty()) {
      log.appendText(key, missing);
    }
  }
}
