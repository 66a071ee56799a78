package dev.switchboard.loop;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The effects of the loop, which its driver implements.
///
/// Each has its own key. An effect that has an outcome under a key returns it whenever it is
/// requested again, without acting again: so an interrupted turn is resumed by requesting all its
/// effects again.
public interface Effects {
  /// Begins a turn with the user's message.
  ///
  /// @return it after the guardrails, with what these say instead of a reply
  TranscriptEntry.Said begin(String key, Input.Said said);

  /// Makes the calls that are required at the beginning of the conversation.
  void start(String key);

  /// Checks the budget before the model is asked.
  ///
  /// @param turn its number
  /// @param round its number
  /// @param number of the check in the round, from 1; each asks a person at most once
  Spend spend(String key, int turn, int round, int number);

  /// Asks the model.
  ///
  /// @param turn its number, part of the ids of its calls
  /// @param round its number, part of the ids too
  TranscriptEntry.ModelOutcome ask(String key, int turn, int round);

  /// What [#ask] has returned under that key, null if the model was not asked; a turn that was cut
  /// off answers the calls of a reply even if it is cancelled before it continues.
  TranscriptEntry.@Nullable ModelOutcome asked(String key);

  /// Runs the calls of a round, under their own ids; each has a result or waits for a person, in
  /// the order of the calls. A round with waiting calls is run again later, under another key.
  List<CallStep> runAll(String key, List<ToolCall> calls);

  /// Settles a waiting call by a person's answer; without effect if it no longer waits.
  ///
  /// @throws IllegalArgumentException when changed arguments are not valid
  void answer(String key, String request, Answer answer);

  /// The requests that are unanswered and have not expired.
  List<ConsentRequest> waiting(String key);

  /// Ends the conversation: no more calls start, and waiting requests are denied.
  void hangUp(String key);

  /// Ends a round: its results are stored, and the rules decide how the loop continues.
  ///
  /// @param stop why there can be no further round, null if there can
  TranscriptEntry.Ended endRound(
      String key,
      TranscriptEntry.Replied replied,
      List<ToolResult> results,
      @Nullable StopReason stop);

  /// Makes the calls that are required before the end of a turn and need no arguments.
  void finish(String key);

  /// Ends the turn; the returned line has the unmet tools and the usage.
  TranscriptEntry.Closed close(String key, TranscriptEntry.Closed closed);

  /// Whether the turn, or the conversation, was ended from outside.
  boolean cancelled(String key);

  /// Whether anyone receives events; nothing else depends on it.
  default boolean hasListeners() {
    return true;
  }

  /// Shows an event. The log has it once for each key; other receivers may see it again.
  void show(String key, Event event);

  /// Shows that the turn waits for these requests. The log has it once each time that they begin to
  /// wait.
  default void rest(String key, List<ConsentRequest> waiting, Event event) {
    show(key + "/" + waiting.size(), event);
  }
}
