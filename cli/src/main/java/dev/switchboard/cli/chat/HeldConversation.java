package dev.switchboard.cli.chat;

import dev.switchboard.agent.Conversation;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Waits for a conversation that another process holds, or one that died.
///
/// @param cut whether the wait was cancelled
record HeldConversation(View view, BooleanSupplier cut) {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration SAY = Duration.ofSeconds(10);
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  /// Waits, and returns whether the conversation has become free. The remaining time is shown from
  /// time to time.
  boolean free(Conversation conversation) {
    Duration left = conversation.held();
    if (left == null) {
      return true;
    }
    view.say(
        "Held until %s by another process, or one that died; waiting."
            .formatted(
                LocalTime.ofInstant(Time.SYSTEM.now().plus(left), ZoneId.systemDefault())
                    .format(CLOCK)));
    return waitedFor(conversation, left);
  }

  private boolean waitedFor(Conversation conversation, Duration first) {
    Time.Signal never = new Time.Signal();
    Duration said = first;
    Duration before = first;
    boolean alive = false;
    for (@Nullable Duration left = first; left != null; left = conversation.held()) {
      if (cut.getAsBoolean() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (left.compareTo(before) > 0 && !alive) {
        alive = true;
        view.say("Another process is continuing it; waiting for the end of its turn.");
      } else if (!alive && said.minus(left).compareTo(SAY) >= 0) {
        said = left;
        view.say("%d s left.".formatted(left.plusMillis(999).toSeconds()));
      }
      before = left;
      Time.SYSTEM.pause(never, LOOK);
    }
    return true;
  }
}
