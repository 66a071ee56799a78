package dev.switchboard.state;

import dev.switchboard.ruling.Tallies;
import java.time.LocalDate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The state of an agent's rules, consents and budget over all its conversations: a value, to be
/// stored and restored.
///
/// @param uses of tools whose rules count over all conversations, such as a cooldown
/// @param grants lasting consents
/// @param day what models have used on the latest day, null if that is not counted
public record AgentState(Tallies uses, Grants grants, Spending.@Nullable Day day) {
  /// The state of an agent without conversations.
  public static final AgentState NEW = new AgentState(Tallies.NONE, Grants.NONE);

  /// A state that counts nothing by the day.
  public AgentState(Tallies uses, Grants grants) {
    this(uses, grants, null);
  }

  /// This state with that sum of a day.
  public AgentState withDay(LocalDate date, Spending.Sum sum) {
    return new AgentState(uses, grants, new Spending.Day(date, sum));
  }

  /// This state with those uses.
  public AgentState withUses(Tallies next) {
    return new AgentState(next, grants, day);
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
    return new AgentState(uses, next, day);
  }
}
