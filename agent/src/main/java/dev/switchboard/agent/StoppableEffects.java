package dev.switchboard.agent;

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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Effects of a process that ends: it stops between two of them, and another process continues the
/// turn.
///
/// @param effects the effects
/// @param stopping whether the process ends
record StoppableEffects(Effects effects, BooleanSupplier stopping) implements Effects {
  /// Another process continues the turn.
  static final class StoppedException extends RuntimeException {
    StoppedException() {
      super("another process continues the turn", null, false, false);
    }
  }

  private Effects next() {
    if (stopping.getAsBoolean()) {
      throw new StoppedException();
    }
    return effects;
  }

  @Override
  public TranscriptEntry.Said begin(String key, Input.Said said) {
    return next().begin(key, said);
  }

  @Override
  public void start(String key) {
    next().start(key);
  }

  @Override
  public Spend spend(String key, int turn, int round, int number) {
    return next().spend(key, turn, round, number);
  }

  @Override
  public TranscriptEntry.ModelOutcome ask(String key, int turn, int round) {
    return next().ask(key, turn, round);
  }

  @Override
  public TranscriptEntry.@Nullable ModelOutcome asked(String key) {
    return next().asked(key);
  }

  @Override
  public List<CallStep> runAll(String key, List<ToolCall> calls) {
    return next().runAll(key, calls);
  }

  @Override
  public void answer(String key, String request, Answer answer) {
    next().answer(key, request, answer);
  }

  @Override
  public List<ConsentRequest> waiting(String key) {
    return next().waiting(key);
  }

  @Override
  public void hangUp(String key) {
    next().hangUp(key);
  }

  @Override
  public TranscriptEntry.Ended endRound(
      String key,
      TranscriptEntry.Replied replied,
      List<ToolResult> results,
      @Nullable StopReason stop) {
    return next().endRound(key, replied, results, stop);
  }

  @Override
  public void finish(String key) {
    next().finish(key);
  }

  @Override
  public TranscriptEntry.Closed close(String key, TranscriptEntry.Closed closed) {
    return next().close(key, closed);
  }

  @Override
  public boolean cancelled(String key) {
    return next().cancelled(key);
  }

  @Override
  public boolean hasListeners() {
    return effects.hasListeners();
  }

  @Override
  public void show(String key, Event event) {
    next().show(key, event);
  }

  @Override
  public void rest(String key, List<ConsentRequest> waiting, Event event) {
    next().rest(key, waiting, event);
  }
}
