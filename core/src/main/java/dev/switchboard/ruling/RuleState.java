package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the rules remember of a conversation: a value that can be stored and restored. What they
/// remember of the agent over all its conversations is a separate [Tallies].
///
/// @param turn uses since the user's last sentence
/// @param conversation uses since the beginning
/// @param startRefusals calls of this turn that were refused because a start tool had not run
/// @param reminders how often this turn was reminded of tools it still needs
/// @param held the end of the loop that was held back, while a tool was still required before
public record RuleState(
    Tallies turn,
    Tallies conversation,
    int startRefusals,
    int reminders,
    RoundEnd.@Nullable Exit held) {
  /// The state of a conversation that begins.
  public static final RuleState NEW = new RuleState(Tallies.NONE, Tallies.NONE, 0, 0, null);

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
    return new RuleState(ofTurn, ofConversation, startRefusals, reminders, held);
  }

  /// After a call was refused because a start tool had not run.
  public RuleState startRefused() {
    return new RuleState(turn, conversation, startRefusals + 1, reminders, held);
  }

  /// After a reminder of tools that are still needed.
  public RuleState reminded() {
    return reminded(reminders + 1);
  }

  /// After at least that many reminders.
  public RuleState reminded(int times) {
    return new RuleState(turn, conversation, startRefusals, Math.max(reminders, times), held);
  }

  /// While an end of the loop is held back; the first one stays.
  public RuleState holding(RoundEnd.Exit exit) {
    RoundEnd.Exit first = RoundEnd.Exit.first(held, exit);
    return new RuleState(turn, conversation, startRefusals, reminders, first);
  }

  /// At the beginning of the next turn.
  public RuleState nextTurn() {
    return new RuleState(Tallies.NONE, conversation, 0, 0, null);
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
