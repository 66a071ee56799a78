package dev.switchboard.restate;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.loop.Effects;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.Spend;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.rule.StopReason;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The loop's effects with writes to the engine's journal between them: before an effect may act
/// outside, the outcomes of the earlier ones are in the journal.
///
/// @param journal writes the outcomes that are missing in the journal, if they were costly
record JournalledEffects(Effects here, Runnable journal) implements Effects {
  @Override
  public TranscriptEntry.Said begin(String key, Input.Said said) {
    return here.begin(key, said);
  }

  @Override
  public void start(String key) {
    journal.run();
    here.start(key);
  }

  @Override
  public Spend spend(String key, int turn, int round, int number) {
    journal.run();
    return here.spend(key, turn, round, number);
  }

  @Override
  public TranscriptEntry.ModelOutcome ask(String key, int turn, int round) {
    journal.run();
    return here.ask(key, turn, round);
  }

  @Override
  public TranscriptEntry.@Nullable ModelOutcome asked(String key) {
    return here.asked(key);
  }

  @Override
  public List<CallStep> runAll(String key, List<ToolCall> calls) {
    if (!calls.isEmpty()) {
      journal.run();
    }
    return here.runAll(key, calls);
  }

  @Override
  public void answer(String key, String request, Answer answer) {
    journal.run();
    here.answer(key, request, answer);
  }

  @Override
  public List<ConsentRequest> waiting(String key) {
    return here.waiting(key);
  }

  @Override
  public void hangUp(String key) {
    journal.run();
    here.hangUp(key);
  }

  @Override
  public TranscriptEntry.Ended endRound(
      String key,
      TranscriptEntry.Replied replied,
      List<ToolResult> results,
      @Nullable StopReason stop) {
    if (!results.isEmpty()) {
      journal.run();
    }
    return here.endRound(key, replied, results, stop);
  }

  @Override
  public void finish(String key) {
    journal.run();
    here.finish(key);
  }

  @Override
  public TranscriptEntry.Closed close(String key, TranscriptEntry.Closed closed) {
    return here.close(key, closed);
  }

  @Override
  public boolean cancelled(String key) {
    return here.cancelled(key);
  }

  @Override
  public boolean hasListeners() {
    return here.hasListeners();
  }

  @Override
  public void show(String key, Event event) {
    here.show(key, event);
  }

  @Override
  public void rest(String key, List<ConsentRequest> waiting, Event event) {
    here.rest(key, waiting, event);
  }
}
