package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the rules remember of a conversation: a value that can be stored and restored. What they
/// remember of the agent over all its conversations is a separate [Tallies].
///
/// @param turn uses since the user's last sentence
/// @param conversation uses since the beginning
/// @param startRefusals calls of this turn that were refused because a start tool had not run
/// @param reminders how often this turn was reminded of tools it still needs
/// @param held the end of the loop that was held back, while a tool was still required before
/// @param following what the last step of this turn with a success says about the next one, null
///   before the first
/// @param running what the step that runs says so far, null if none of its calls has succeeded
public record RuleState(
    Tallies turn,
    Tallies conversation,
    int startRefusals,
    int reminders,
    RoundEnd.@Nullable Exit held,
    @Nullable Following following,
    @Nullable Following running) {
  /// The state of a conversation that begins.
  public static final RuleState NEW =
      new RuleState(Tallies.NONE, Tallies.NONE, 0, 0, null, null, null);

  /// After the start of a call.
  public RuleState started(String tool, Instant now) {
    return withTallies(turn.started(tool, now), conversation.started(tool, now));
  }

  /// After the end of a call that had started.
  public RuleState ended(String tool, boolean success) {
    return withTallies(turn.ended(tool, success), conversation.ended(tool, success));
  }

  /// After a start was taken back, because the call did not run after all.
  ///
  /// @param before the state that the call started in
  public RuleState withdrawn(String tool, Instant start, RuleState before) {
    return withTallies(
        turn.withdrawn(tool, start, before.turn),
        conversation.withdrawn(tool, start, before.conversation));
  }

  private RuleState withTallies(Tallies ofTurn, Tallies ofConversation) {
    return new RuleState(
        ofTurn, ofConversation, startRefusals, reminders, held, following, running);
  }

  /// After a call was refused because a start tool had not run.
  public RuleState startRefused() {
    return new RuleState(
        turn, conversation, startRefusals + 1, reminders, held, following, running);
  }

  /// After a reminder of tools that are still needed.
  public RuleState reminded() {
    return reminded(reminders + 1);
  }

  /// After at least that many reminders.
  public RuleState reminded(int times) {
    int most = Math.max(reminders, times);
    return new RuleState(turn, conversation, startRefusals, most, held, following, running);
  }

  /// While an end of the loop is held back; the first one stays.
  public RuleState holding(RoundEnd.Exit exit) {
    RoundEnd.Exit first = RoundEnd.Exit.first(held, exit);
    return new RuleState(turn, conversation, startRefusals, reminders, first, following, running);
  }

  /// After a call of the loop's has succeeded.
  ///
  /// @param limits of the tools that may follow it, each of which holds
  public RuleState succeeded(String tool, List<Set<String>> limits) {
    Following now = Following.of(running, tool, limits);
    return new RuleState(turn, conversation, startRefusals, reminders, held, following, now);
  }

  /// After the end of a step; without effect where none of its calls has succeeded.
  public RuleState stepEnded() {
    return running == null
        ? this
        : new RuleState(turn, conversation, startRefusals, reminders, held, running, null);
  }

  /// From that moment on, where the time of what is counted has not begun before.
  public RuleState begun(Instant now) {
    return turn.since() != null ? this : withTallies(turn.begun(now), conversation.begun(now));
  }

  /// At the beginning of the next turn.
  public RuleState nextTurn() {
    return new RuleState(Tallies.NONE, conversation, 0, 0, null, null, null);
  }

  /// What is counted at that scope.
  ///
  /// @param agent what is counted over all conversations of the agent
  Tallies tallies(ToolRule.Scope scope, Tallies agent) {
    return switch (scope) {
      case TURN -> turn;
      case CONVERSATION -> conversation;
      case AGENT -> agent;
    };
  }
}
