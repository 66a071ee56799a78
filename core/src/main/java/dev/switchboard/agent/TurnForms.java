package dev.switchboard.agent;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The forms that the last words of a conversation's turns have to have: the agent's, or that of
/// the sentence with which a turn began. How often a turn has asked for another reply stands in its
/// transcript.
///
/// Not safe for use by several threads.
final class TurnForms {
  private final @Nullable ReplyForm ofAgent;
  private final Transcript transcript;
  private @Nullable Expected expected;

  /// The form of the reply to an input.
  private record Expected(String input, ReplyForm form) {}

  /// @param ofAgent null for any
  TurnForms(@Nullable ReplyForm ofAgent, Transcript transcript) {
    this.ofAgent = ofAgent;
    this.transcript = transcript;
  }

  /// Has the reply to that input be of that form.
  void expect(String input, ReplyForm form) {
    expected = new Expected(input, form);
  }

  /// The form of the turn that runs, null for any.
  @Nullable ReplyForm now() {
    TranscriptEntry.Said said = transcript.said();
    Json stated = said == null ? null : said.reply();
    if (said == null || stated == null) {
      return ofAgent;
    }
    Expected known = expected;
    if (known == null || !known.input.equals(said.input())) {
      // The turn was begun by a process that is gone.
      known = new Expected(said.input(), ReplyForm.of(stated));
      expected = known;
    }
    return known.form;
  }

  /// That decision, unless it ends the turn with words that are not of its form: these are asked
  /// for again, and in the end not taken.
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
