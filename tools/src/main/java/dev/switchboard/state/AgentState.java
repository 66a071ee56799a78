package dev.switchboard.state;

import dev.switchboard.ruling.Tallies;
import java.util.function.UnaryOperator;

/// The state of an agent's rules and consents over all its conversations: a value, to be stored and
/// restored.
///
/// @param uses of tools whose rules count over all conversations, such as a cooldown
/// @param grants lasting consents
public record AgentState(Tallies uses, Grants grants) {
  /// The state of an agent without conversations.
  public static final AgentState NEW = new AgentState(Tallies.NONE, Grants.NONE);

  /// This state with those uses.
  public AgentState withUses(Tallies next) {
    return new AgentState(next, grants);
  }

  /// Changes the stored grants; false if that leaves them as they are.
  public static boolean changeGrants(Cell<AgentState> stored, UnaryOperator<Grants> change) {
    while (true) {
      Cell.Version<AgentState> known = stored.load();
      Grants next = change.apply(known.value().grants);
      if (next.equals(known.value().grants)) {
        return false;
      }
      if (stored.replace(known, known.value().withGrants(next))) {
        return true;
      }
    }
  }

  /// This state with those grants.
  public AgentState withGrants(Grants next) {
    return new AgentState(uses, next);
  }
}
