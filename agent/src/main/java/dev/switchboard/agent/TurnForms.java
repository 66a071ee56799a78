package dev.switchboard.agent;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The forms that replies must have: the agent's, or that of the message with which a turn began.
/// The number of corrections of a turn is in its transcript.
///
/// Not thread-safe.
final class TurnForms {
  private final @Nullable ReplyForm ofAgent;
  private final Transcript transcript;
  private @Nullable Expected expected;

  /// The form of the reply to an input.
  private record Expected(String input, ReplyForm form) {}

  /// @param ofAgent null if any reply is allowed
  TurnForms(@Nullable ReplyForm ofAgent, Transcript transcript) {
    this.ofAgent = ofAgent;
    this.transcript = transcript;
  }

  /// Requires the reply to that input to have that form.
  void expect(String input, ReplyForm form) {
    expected = new Expected(input, form);
  }

  /// The form of the running turn, null if any reply is allowed.
  @Nullable ReplyForm now() {
    TranscriptEntry.Said said = transcript.said();
    Json stated = said == null ? null : said.reply();
    if (said == null || stated == null) {
      return ofAgent;
    }
    Expected current = expected;
    if (current == null || !current.input.equals(said.input())) {
      // A dead process began the turn.
      current = new Expected(said.input(), ReplyForm.of(stated));
      expected = current;
    }
    return current.form;
  }

  /// The decision, unless it ends the turn with a reply that does not have its form: then the model
  /// is asked again, and finally the reply is rejected.
  ///
  /// @param key of the round's end
  LoopDecision judged(String key, ModelReply reply, LoopDecision decision) {
    ReplyForm form = now();
    boolean ends =
        switch (decision) {
          case LoopDecision.Exit exit -> exit.reason() == StopReason.END_TURN;
          case LoopDecision.Force force -> force.then() == StopReason.END_TURN;
          case LoopDecision.Continue more -> false;
          case LoopDecision.Remind remind -> false;
          case LoopDecision.Correct correct -> false;
          case LoopDecision.Reject reject -> false;
        };
    List<Fault> faults = form == null || !ends ? List.of() : form.faults(reply);
    if (faults.isEmpty()) {
      return decision;
    }
    long before = transcript.latestTurn(key).stream().filter(TurnForms::corrects).count();
    if (before < ReplyForm.CORRECTIONS && reply.finish() != ModelReply.FinishReason.FILTERED) {
      return new LoopDecision.Correct((int) before + 1, faults, ReplyForm.correction(faults));
    }
    List<String> forced =
        decision instanceof LoopDecision.Force force ? force.tools() : List.<String>of();
    return new LoopDecision.Reject(faults, forced);
  }

  private static boolean corrects(TranscriptEntry entry) {
    return entry instanceof TranscriptEntry.Ended ended
        && ended.decision() instanceof LoopDecision.Correct;
  }
}
