package dev.switchboard.loop;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.state.LoopState;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The loop of every conversation, as a step function: it takes a state and an input, requests
/// effects in order, and returns a state and the turn's outcome. It does no I/O and keeps nothing,
/// so its driver may stop after any effect and start again with the same state and input.
///
/// @param iterations the maximum rounds of a turn
/// @param denyPending whether a new message of the user denies waiting calls, instead of being
///   refused
public record AgentLoop(int iterations, boolean denyPending) {
  private static final Answer CUT_OFF = Answer.deny("the turn was cancelled");
  private static final Answer OVERTAKEN = Answer.deny("the user went on to something else");

  /// Advances the conversation from that input until the turn ends or waits.
  public Step advance(Effects effects, LoopState state, Input input) {
    if (state.knows(input.id())) {
      return atRest(effects, state, key(input));
    }
    Step step = handle(effects, state, input);
    if (!step.waiting().isEmpty()) {
      if (step.state().knows(input.id())) {
        effects.rest(step.state().roundKey("pending"), step.waiting(), Sentences.PENDING);
      } else {
        // It was refused.
        effects.show(key(input) + "/pending", Sentences.PENDING);
      }
    }
    return step;
  }

  private Step handle(Effects effects, LoopState state, Input input) {
    String at = key(input);
    return switch (input) {
      case Input.Said said -> said(effects, state, said);
      case Input.Answered(String id, String request, Answer answer) -> {
        effects.answer(at + "/answer", request, answer);
        yield resume(effects, state.withInput(input.id()), null, at);
      }
      case Input.Resumed resumed -> {
        effects
            .waiting(at + "/waiting")
            .forEach(one -> effects.show("consent_request/" + one.id(), Sentences.asking(one)));
        yield resume(effects, state.withInput(input.id()), null, at);
      }
      case Input.Cancelled(String id, String by) ->
          denied(effects, state.withInput(id), CUT_OFF.by(by), at);
      case Input.HungUp hungUp -> {
        effects.hangUp(at + "/hang_up");
        yield resume(effects, state.withInput(input.id()), StopReason.CANCELLED, at);
      }
    };
  }

  private static Step atRest(Effects effects, LoopState state, String at) {
    return new Step(state, state.last() == null ? effects.waiting(at + "/rest") : List.of());
  }

  private Step said(Effects effects, LoopState state, Input.Said said) {
    LoopState rested = state;
    if (state.waiting()) {
      String at = key(said);
      Step resumed = resume(effects, state, null, at);
      if (denyPending && resumed.state().waiting()) {
        resumed = denied(effects, resumed.state(), OVERTAKEN, at);
      }
      if (!resumed.waiting().isEmpty()) {
        return refused(effects, resumed, key(said));
      }
      rested = resumed.state();
    }
    LoopState begun = rested.withInput(said.id()).nextTurn();
    String refusal = effects.begin(begun.turnKey("input"), said).refusal();
    if (refusal != null) {
      effects.show(begun.turnKey("words"), new Event.Content(refusal));
      return close(effects, begun, TranscriptEntry.Closed.of(StopReason.END_TURN, refusal));
    }
    effects.start(begun.turnKey("start"));
    return rounds(effects, begun, key(said));
  }

  /// Refuses the message: it is added neither to the history nor to the inputs.
  private static Step refused(Effects effects, Step step, String at) {
    String tools =
        step.waiting().stream()
            .map(request -> request.call().name())
            .distinct()
            .collect(Collectors.joining("', '"));
    String message = "Answer the request for consent to '" + tools + "' first.";
    effects.show(at + "/refused", new Event.Failed(message, "consent_pending", Map.of()));
    return step;
  }

  private Step denied(Effects effects, LoopState state, Answer deny, String at) {
    String key = at + "/denied";
    effects.waiting(key).forEach(one -> effects.answer(key + "/" + one.id(), one.id(), deny));
    return resume(effects, state, StopReason.CANCELLED, at);
  }

  /// Continues a waiting turn, if it need not wait any longer.
  private Step resume(Effects effects, LoopState state, @Nullable StopReason stop, String at) {
    if (!state.waiting()) {
      return atRest(effects, state, at);
    }
    Step step = request(effects, state, stop, at);
    return step == null ? rounds(effects, state, at) : step;
  }

  private Step rounds(Effects effects, LoopState begun, String at) {
    for (int round = begun.round() + 1; round <= iterations; round++) {
      LoopState state = begun.inRound(round);
      String model = state.roundKey("model");
      boolean cancelled = effects.cancelled(state.roundKey("begin"));
      if (cancelled && effects.asked(model) == null) {
        return close(effects, begun, Sentences.stopped(StopReason.CANCELLED, iterations));
      }
      Step step = request(effects, state, null, at);
      if (step != null) {
        return step;
      }
    }
    return close(effects, begun, Sentences.stopped(StopReason.MAX_ITERATIONS, iterations));
  }

  /// Asks the model, if the budget allows it; null for another round.
  private @Nullable Step request(
      Effects effects, LoopState state, @Nullable StopReason stop, String at) {
    String model = state.roundKey("model");
    if (stop != null && effects.asked(model) == null) {
      return cut(effects, state);
    }
    for (int number = 1; ; number++) {
      String key = at + "/" + state.roundKey("spend/" + number);
      switch (effects.spend(key, state.turn(), state.round(), number)) {
        case Spend.Allowed allowed -> {
          TranscriptEntry.ModelOutcome outcome = effects.ask(model, state.turn(), state.round());
          return afterOutcome(effects, state, outcome, stop, at);
        }
        case Spend.Raised raised -> {
          if (effects.cancelled(key + "/cut")) {
            return cut(effects, state);
          }
        }
        case Spend.Asks(ConsentRequest request) -> {
          if (!effects.cancelled(key + "/cut")) {
            return new Step(state.pending(), List.of(request));
          }
          effects.answer(key + "/deny", request.id(), CUT_OFF);
          return cut(effects, state);
        }
        case Spend.Over(Exhausted limit) -> {
          return effects.cancelled(key + "/cut")
              ? cut(effects, state)
              : close(effects, state, Sentences.exhausted(limit));
        }
      }
    }
  }

  /// The end of a turn that is cancelled before its model is asked.
  private Step cut(Effects effects, LoopState state) {
    return close(effects, state, Sentences.stopped(StopReason.CANCELLED, iterations));
  }

  /// The consequence of asking the model; null for another round.
  private @Nullable Step afterOutcome(
      Effects effects,
      LoopState state,
      TranscriptEntry.ModelOutcome outcome,
      @Nullable StopReason stop,
      String at) {
    return switch (outcome) {
      case TranscriptEntry.Failed(StopReason reason, String text, Kind cause, var used) ->
          close(effects, state, new TranscriptEntry.Closed(reason, text, cause, List.of()));
      case TranscriptEntry.Replied replied -> afterReply(effects, state, replied, stop, at);
    };
  }

  private @Nullable Step afterReply(
      Effects effects,
      LoopState state,
      TranscriptEntry.Replied replied,
      @Nullable StopReason stop,
      String at) {
    // The calls of a round that waits are run again by a later input, or after a denial.
    String key = at + "/" + state.roundKey("calls") + (stop == null ? "" : "/" + stop.word());
    List<ConsentRequest> open = new ArrayList<>();
    List<ToolResult> results = new ArrayList<>();
    for (CallStep step : effects.runAll(key, replied.calls())) {
      switch (step) {
        case CallStep.Settled(ToolResult result) -> results.add(result);
        case CallStep.Pending(ConsentRequest request) -> open.add(request);
      }
    }
    boolean cancelled = effects.cancelled(key + "/cut");
    if (!open.isEmpty() && cancelled && stop != StopReason.CANCELLED) {
      open.forEach(one -> effects.answer(key + "/deny/" + one.id(), one.id(), CUT_OFF));
      return afterReply(effects, state, replied, StopReason.CANCELLED, at);
    }
    if (!open.isEmpty()) {
      return new Step(state.pending(), open);
    }
    StopReason ended = cancelled ? StopReason.CANCELLED : stop;
    TranscriptEntry.Ended end = effects.endRound(state.roundKey("end"), replied, results, ended);
    return follow(effects, state, end.decision(), replied);
  }

  /// The consequence of the end of a round; null for another round.
  private @Nullable Step follow(
      Effects effects, LoopState state, LoopDecision decision, TranscriptEntry.Replied replied) {
    return switch (decision) {
      case LoopDecision.Continue more -> null;
      case LoopDecision.Remind reminder -> null;
      case LoopDecision.Correct correct -> {
        effects.show(state.roundKey("invalid"), Sentences.asksForForm(correct));
        yield null;
      }
      case LoopDecision.Reject(List<Fault> faults, List<String> tools) -> {
        if (!tools.isEmpty()) {
          effects.finish(state.turnKey("finish"));
        }
        yield close(effects, state, Sentences.invalid(faults));
      }
      case LoopDecision.Force(
              List<String> tools,
              StopReason then,
              String message,
              Boolean said) -> {
        effects.finish(state.turnKey("finish"));
        yield leave(effects, state, closed(then, message, said, replied), said, replied);
      }
      case LoopDecision.Exit(StopReason reason, List<String> unmet, String message, Boolean said) ->
          reason == StopReason.CANCELLED
              ? close(effects, state, Sentences.stopped(reason, iterations))
              : leave(effects, state, closed(reason, message, said, replied), said, replied);
    };
  }

  /// The end of a turn, with the text of a result, or else the model's text of the last round.
  private static TranscriptEntry.Closed closed(
      StopReason reason,
      @Nullable String message,
      @Nullable Boolean said,
      TranscriptEntry.Replied replied) {
    String words = replied.reply().text();
    return TranscriptEntry.Closed.of(
        reason, message == null || said != null && !words.isBlank() ? words : message);
  }

  /// Ends the turn, and shows the last text if the user may not have seen it.
  private static Step leave(
      Effects effects,
      LoopState state,
      TranscriptEntry.Closed end,
      @Nullable Boolean said,
      TranscriptEntry.Replied replied) {
    boolean isNew = said == null && !end.text().equals(replied.reply().text());
    if ((isNew || replied.held()) && !end.text().isBlank()) {
      effects.show(state.turnKey("words"), new Event.Content(end.text()));
    }
    return close(effects, state, end);
  }

  private static Step close(Effects effects, LoopState state, TranscriptEntry.Closed closing) {
    return new Step(end(effects, state, closing), List.of());
  }

  /// The state after the end of its turn, which is stored and shown.
  public static LoopState end(Effects effects, LoopState state, TranscriptEntry.Closed closing) {
    String key = state.turnKey("end");
    TranscriptEntry.Closed closed = effects.close(key, closing);
    if (effects.hasListeners()) {
      List<Event> events = Sentences.events(closed);
      for (int i = 0; i < events.size(); i++) {
        effects.show(key + "/" + i, events.get(i));
      }
    }
    return state.closed(
        new LoopState.Last(
            closed.reason(), closed.text(), closed.unmet(), closed.cause(), closed.faults()));
  }

  private static String key(Input input) {
    return "input/" + input.id();
  }
}
