package dev.switchboard.mcp.client;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.text.InvisibleCharacters;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The progress of a call that a server reports. A separate thread shows it, so that the reader
/// does not wait, and at a rate that a person can read.
///
/// Thread-safe.
final class CallProgress {
  private static final Duration PACE = Duration.ofMillis(100);
  private static final int LONGEST = 200;

  private final ToolContext call;
  private final Deadline pace;
  private @Nullable String latest; // guarded by this
  private @Nullable Thread showing; // guarded by this

  CallProgress(ToolContext call) {
    this.call = call;
    pace = Deadline.none(call.time());
  }

  /// Accepts the parameters of a `notifications/progress`.
  void accept(JsonNode params) {
    call.alive();
    String message = params.path("message").asString("");
    JsonNode done = params.path("progress");
    JsonNode total = params.path("total");
    if (!message.isBlank()) {
      show(InvisibleCharacters.shown(message.substring(0, Math.min(message.length(), LONGEST))));
    } else if (done.isNumber() && total.isNumber()) {
      show(done.asString() + " of " + total.asString());
    }
  }

  private synchronized void show(String text) {
    latest = text;
    if (showing == null) {
      showing = Thread.ofVirtual().name("mcp progress").start(this::run);
    }
  }

  private void run() {
    for (String text = next(); text != null; text = next()) {
      call.progress(text);
      pace.forget();
      pace.rest(PACE);
    }
  }

  private synchronized @Nullable String next() {
    String next = latest;
    latest = null;
    if (next == null) {
      showing = null;
    }
    return next;
  }

  /// Waits until the latest progress is shown.
  void end() {
    pace.end();
    Thread last;
    synchronized (this) {
      last = showing;
    }
    try {
      if (last != null) {
        last.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
