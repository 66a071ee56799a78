package dev.switchboard.state;

import dev.switchboard.json.Json.Fault;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.rule.StopReason;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of the loop in a conversation: a small value, to be stored and restored. Messages and
/// outcomes are in the transcript; the state of rules and consents is in the [ConversationState].
///
/// @param turn the number of its latest turn, from 1; 0 before the first
/// @param round the number of the turn's latest round, from 1
/// @param waiting whether the turn waits for a person's consent
/// @param inputs the ids of the latest inputs, at most [#INPUTS]
/// @param last how the latest turn ended, null before the first end and while it waits
public record LoopState(
    int turn, int round, boolean waiting, List<String> inputs, @Nullable Last last) {
  /// How many inputs are remembered, so that one delivered twice is processed once.
  public static final int INPUTS = 100;

  /// The end of the key of a turn's first reply, after its turn.
  public static final String FIRST_REPLY = "round1/model";

  /// The state of a new conversation.
  public static final LoopState NEW = new LoopState(0, 0, false, List.of(), null);

  public LoopState {
    inputs = List.copyOf(inputs);
  }

  /// How a turn ended.
  ///
  /// @param unmet the required tools that have not succeeded
  /// @param cause why the model failed, null for another reason
  /// @param faults of a reply that did not have the requested format
  public record Last(
      StopReason reason,
      String text,
      List<String> unmet,
      @Nullable Kind cause,
      List<Fault> faults) {
    public Last {
      unmet = List.copyOf(unmet);
      faults = List.copyOf(faults);
    }

    /// An end for another reason than an invalid reply.
    public Last(StopReason reason, String text, List<String> unmet, @Nullable Kind cause) {
      this(reason, text, unmet, cause, List.of());
    }
  }

  /// The key of an effect in its turn, unique in the conversation.
  public String turnKey(String what) {
    return turnKey(turn, what);
  }

  /// The key of an effect in a turn.
  public static String turnKey(int turn, String what) {
    return "turn" + turn + "/" + what;
  }

  /// The key of an effect in its round, unique in the conversation.
  public String roundKey(String what) {
    return roundKey(turn, round, what);
  }

  /// The key of an effect in a round.
  public static String roundKey(int turn, int round, String what) {
    return "turn" + turn + "/round" + round + "/" + what;
  }

  /// Whether an input of that id was processed before.
  public boolean knows(String input) {
    int hash = input.hashCode();
    for (String known : inputs) {
      // Ids often have the same length and prefix; their hashes are cached.
      if (known.hashCode() == hash && known.equals(input)) {
        return true;
      }
    }
    return false;
  }

  /// The state that knows the input of that id.
  public LoopState withInput(String input) {
    int from = Math.max(0, inputs.size() + 1 - INPUTS);
    String[] all = inputs.toArray(new String[0]);
    String[] latest = Arrays.copyOfRange(all, from, all.length + 1);
    latest[latest.length - 1] = input;
    return new LoopState(turn, round, waiting, List.of(latest), last);
  }

  /// This state, whose next turn has the number after that one.
  public LoopState after(int number) {
    return number == turn ? this : new LoopState(number, round, waiting, inputs, last);
  }

  /// The state in the next turn.
  public LoopState nextTurn() {
    return new LoopState(turn + 1, 0, false, inputs, null);
  }

  /// The state in that round of the turn.
  public LoopState inRound(int number) {
    return new LoopState(turn, number, false, inputs, null);
  }

  /// The state of a turn that waits for a person.
  public LoopState pending() {
    return new LoopState(turn, round, true, inputs, null);
  }

  /// The state of a turn that has ended.
  public LoopState closed(Last how) {
    return new LoopState(turn, round, false, inputs, how);
  }
}
