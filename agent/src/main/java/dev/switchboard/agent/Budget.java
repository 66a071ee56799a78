package dev.switchboard.agent;

import dev.switchboard.model.ChatModel;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the conversations of an agent may spend on language models. It is checked before each
/// request, by what was used so far and the size of the request.
///
/// @param turn the limit of each turn, null for none
/// @param conversation the limit of each conversation, null for none
/// @param day the limit of all conversations on a day, in UTC; null for none
/// @param then what happens at a limit
public record Budget(
    @Nullable Limit turn, @Nullable Limit conversation, @Nullable Limit day, Then then) {
  /// No limit.
  public static final Budget NONE = new Budget(null, null, null, Then.STOP);

  /// What happens at a limit.
  public enum Then {
    /// The turn ends.
    STOP,
    /// A person is asked whether the limit counts once more; otherwise the turn ends.
    ASK
  }

  /// A limit: of tokens read and written, cached ones too, of the cost, or of both.
  ///
  /// @param cost in the currency of the [Prices]
  public record Limit(@Nullable Long tokens, @Nullable BigDecimal cost) {
    /// @throws IllegalArgumentException when neither is stated, or one is not positive
    public Limit {
      if (tokens == null && cost == null) {
        throw new IllegalArgumentException("a limit of a budget needs tokens or a cost");
      }
      if (tokens != null && tokens < 1 || cost != null && cost.signum() <= 0) {
        throw new IllegalArgumentException("a limit of a budget must be positive");
      }
    }

    /// A limit of tokens.
    public static Limit ofTokens(long most) {
      return new Limit(most, null);
    }

    /// A limit of the cost.
    public static Limit ofCost(double most) {
      return new Limit(null, BigDecimal.valueOf(most));
    }
  }

  /// This budget with that limit of each turn.
  public Budget withTurn(Limit most) {
    return new Budget(most, conversation, day, then);
  }

  /// This budget with that limit of each conversation.
  public Budget withConversation(Limit most) {
    return new Budget(turn, most, day, then);
  }

  /// This budget with that limit of each day.
  public Budget withDay(Limit most) {
    return new Budget(turn, conversation, most, then);
  }

  /// This budget, at whose limits that happens.
  public Budget withThen(Then action) {
    return new Budget(turn, conversation, day, action);
  }

  /// Whether it has no limit.
  public boolean isEmpty() {
    return turn == null && conversation == null && day == null;
  }

  /// Whether some limit is one of the cost.
  public boolean limitsCost() {
    return hasCost(turn) || hasCost(conversation) || hasCost(day);
  }

  /// This budget, if every model has a price that needs one.
  ///
  /// @param agent its name
  /// @param first the agent's first model, null if a host brings one
  Budget checked(
      String agent, @Nullable ChatModel first, List<ChatModel> fallbacks, Prices prices) {
    Stream.concat(Stream.ofNullable(first), fallbacks.stream())
        .filter(model -> limitsCost() && !prices.has(model.name()))
        .findFirst()
        .ifPresent(model -> {
          throw new IllegalArgumentException(
              "agent '%s': the cost limit of its budget needs a price for model '%s'"
                  .formatted(agent, model.name()));
        });
    return this;
  }

  private static boolean hasCost(@Nullable Limit limit) {
    return limit != null && limit.cost != null;
  }
}
