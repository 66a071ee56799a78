package dev.switchboard.ruling;

import dev.switchboard.rule.ToolRule;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the rules remember of a conversation: a value, to be stored and restored. A separate
/// [Tallies] counts over all conversations.
///
/// @param turn uses since the user's last message
/// @param conversation uses since the beginning
/// @param startRefusals calls of this turn that were refused because a start tool had not run
/// @param reminders of this turn about tools that it still needs
/// @param held the delayed end of the loop, null for none
/// @param following what the last step with a success requires of the next, null before the first
/// @param running what the current step requires so far, null before its first success
public record RuleState(
    Tallies turn,
    Tallies conversation,
    int startRefusals,
    int reminders,
    RoundEnd.@Nullable Exit held,
    @Nullable Following following,
    @Nullable Following running) {
  /// The state of a new conversation.
  public static final RuleState NEW =
      new RuleState(Tallies.NONE, Tallies.NONE, 0, 0, null, null, null);

  /// The state after the start of a call.
  public RuleState started(String tool, Instant now) {
    return withTallies(turn.started(tool, now), conversation.started(tool, now));
  }

  /// The state after the end of a call that had started.
  public RuleState ended(String tool, boolean success) {
    return withTallies(turn.ended(tool, success), conversation.ended(tool, success));
  }

  /// The state after a start was withdrawn, because the call did not run.
  ///
  /// @param before the state before the start
  public RuleState withdrawn(String tool, Instant start, RuleState before) {
    return withTallies(
        turn.withdrawn(tool, start, before.turn),
        conversation.withdrawn(tool, start, before.conversation));
  }

  private RuleState withTallies(Tallies ofTurn, Tallies ofConversation) {
    return new RuleState(
        ofTurn, ofConversation, startRefusals, reminders, held, following, running);
  }

  /// The state after a call was refused because a start tool had not run.
  public RuleState startRefused() {
    return new RuleState(
        turn, conversation, startRefusals + 1, reminders, held, following, running);
  }

  /// The state after a reminder of needed tools.
  public RuleState reminded() {
    return reminded(reminders + 1);
  }

  /// The state after at least so many reminders.
  public RuleState reminded(int times) {
    int most = Math.max(reminders, times);
    return new RuleState(turn, conversation, startRefusals, most, held, following, running);
  }

  /// The state with that delayed end of the loop, unless it has an earlier one.
  public RuleState holding(RoundEnd.Exit exit) {
    RoundEnd.Exit first = RoundEnd.Exit.first(held, exit);
    return new RuleState(turn, conversation, startRefusals, reminders, first, following, running);
  }

  /// The state after a success of a call of the loop.
  ///
  /// @param limits of the tools that may follow; all of them apply
  public RuleState succeeded(String tool, List<Set<String>> limits) {
    Following now = Following.of(running, tool, limits);
    return new RuleState(turn, conversation, startRefusals, reminders, held, following, now);
  }

  /// The state after the end of a step; unchanged without a success.
  public RuleState stepEnded() {
    return running == null
        ? this
        : new RuleState(turn, conversation, startRefusals, reminders, held, running, null);
  }

  /// The state of scopes that began at that moment, unless they began before.
  public RuleState begun(Instant now) {
    return turn.since() != null ? this : withTallies(turn.begun(now), conversation.begun(now));
  }

  /// The state at the beginning of the next turn.
  public RuleState nextTurn() {
    return new RuleState(Tallies.NONE, conversation, 0, 0, null, null, null);
  }

  /// The uses in that scope.
  ///
  /// @param agent those over all conversations
  Tallies tallies(ToolRule.Scope scope, Tallies agent) {
    return switch (scope) {
      case TURN -> turn;
      case CONVERSATION -> conversation;
      case AGENT -> agent;
    };
  }
}
