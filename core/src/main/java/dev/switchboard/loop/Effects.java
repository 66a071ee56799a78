package dev.switchboard.loop;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.CallStep;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the loop does to the world, and learns of it: the port to whoever drives the loop.
///
/// Each has a key of its own. An effect that has come to something under a key comes to the same
/// whenever it is asked for again, without touching the world once more: so a turn that broke off
/// is taken up by asking for all of it again.
public interface Effects {
  /// Begins a turn with the user's words.
  ///
  /// @return them as the guardrails leave them, and what these say in the place of a reply
  TranscriptEntry.Said begin(String key, Input.Said said);

  /// Makes the calls that the conversation has to begin with.
  void start(String key);

  /// Asks the model.
  ///
  /// @param turn its number, which stands in the ids of its calls
  /// @param round the number of the round, which stands there too
  TranscriptEntry.Asked ask(String key, int turn, int round);

  /// Runs the calls of a round, under their own ids: each has its result, or waits for a person. In
  /// the order of the calls. A round whose calls wait is run again later, under another key.
  List<CallStep> runAll(String key, List<ToolCall> calls);

  /// Settles a call that waits by a person's answer; without effect where it no longer does.
  ///
  /// @throws IllegalArgumentException when the arguments put in are not good ones
  void answer(String key, String request, Answer answer);

  /// The requests that nobody has answered, now, and in time.
  List<ConsentRequest> waiting(String key);

  /// Ends the conversation: nothing starts any more, and what waits is denied.
  void hangUp(String key);

  /// Ends a round: its results are written down, and the rules say how the loop goes on.
  ///
  /// @param stop why there can be no further round, null while there can
  TranscriptEntry.Ended endRound(
      String key,
      TranscriptEntry.Replied replied,
      List<ToolResult> results,
      @Nullable StopReason stop);

  /// Makes the calls that are required before the end and need no arguments.
  void finish(String key);

  /// Ends the turn; whatever ended it, what comes back says which tools are unmet and what it has
  /// cost.
  TranscriptEntry.Closed close(String key, TranscriptEntry.Closed closed);

  /// Whether the turn, or the conversation, was ended from outside.
  boolean cancelled(String key);

  /// Whether anybody sees what is shown; nothing else depends on it.
  default boolean heard() {
    return true;
  }

  /// Shows an event; a log tells it once for each key, anybody else may see it again.
  void show(String key, Event event);

  /// Shows that the turn waits for these requests; a log tells it once for each time that they
  /// began to wait, however often the turn is looked after in between.
  default void rest(String key, List<ConsentRequest> waiting, Event event) {
    show(key + "/" + waiting.size(), event);
  }
}
