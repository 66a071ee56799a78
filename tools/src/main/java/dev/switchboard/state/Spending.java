package dev.switchboard.state;

import dev.switchboard.model.ModelReply.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What models have used in a conversation: a value, to be stored and restored.
///
/// @param all in the whole conversation
/// @param turn in its latest turn
public record Spending(Sum all, Sum turn) {
  /// That of a new conversation.
  public static final Spending NONE = new Spending(Sum.NONE, Sum.NONE);

  private static final int DECIMALS = 6;

  /// This spending after another request.
  public Spending plus(Sum used) {
    return new Spending(all.plus(used), turn.plus(used));
  }

  /// This spending when a turn begins.
  public Spending nextTurn() {
    return turn.equals(Sum.NONE) ? this : new Spending(all, Sum.NONE);
  }

  /// A cost as it is shown: to six decimals.
  public static BigDecimal shown(BigDecimal cost) {
    BigDecimal rounded = cost.setScale(DECIMALS, RoundingMode.HALF_UP).stripTrailingZeros();
    return rounded.scale() < 1 ? rounded.setScale(1) : rounded;
  }

  /// What one model has used.
  ///
  /// @param cost of the requests that had a price, null for nothing
  public record Used(Usage usage, @Nullable BigDecimal cost) {
    public Used {
      cost = cost == null || cost.signum() == 0 ? null : cost.stripTrailingZeros();
    }

    /// Both together.
    Used plus(Used other) {
      BigDecimal both =
          cost == null || other.cost == null
              ? cost == null ? other.cost : cost
              : cost.add(other.cost);
      return new Used(usage.plus(other.usage), both);
    }
  }

  /// A sum of what models have used, and the consents to more than the limit of it.
  ///
  /// @param models by name
  /// @param approvals the ids of the calls by which a person agreed to the limit once more
  public record Sum(Map<String, Used> models, List<String> approvals) {
    /// Nothing.
    public static final Sum NONE = new Sum(Map.of(), List.of());

    public Sum {
      models = Map.copyOf(models);
      approvals = List.copyOf(approvals);
    }

    /// The sum of one request to that model.
    public static Sum of(String model, Used used) {
      return new Sum(Map.of(model, used), List.of());
    }

    /// Whether no model has used anything.
    public boolean isEmpty() {
      return models.isEmpty();
    }

    /// Both together.
    public Sum plus(Sum other) {
      Map<String, Used> both = new HashMap<>(models);
      other.models.forEach((name, used) -> both.merge(name, used, Used::plus));
      return new Sum(both, approvals);
    }

    /// This sum with that consent, which counts once.
    public Sum approved(String id) {
      if (approvals.contains(id)) {
        return this;
      }
      List<String> more = new ArrayList<>(approvals);
      more.add(id);
      return new Sum(models, more);
    }

    /// The usage of all models.
    public Usage usage() {
      return models.values().stream().map(Used::usage).reduce(Usage.NONE, Usage::plus);
    }

    /// The tokens of all models, read and written.
    public long tokens() {
      Usage usage = usage();
      return usage.input() + usage.output();
    }

    /// The cost of all requests that had a price.
    public BigDecimal cost() {
      BigDecimal cost = BigDecimal.ZERO;
      for (Used used : models.values()) {
        cost = used.cost == null ? cost : cost.add(used.cost);
      }
      return cost;
    }
  }

  /// What the models of an agent have used on one day, in UTC.
  public record Day(LocalDate date, Sum sum) {
    /// The sum of that day.
    public static Sum sum(@Nullable Day latest, LocalDate date) {
      return latest != null && latest.date.equals(date) ? latest.sum : Sum.NONE;
    }
  }
}
