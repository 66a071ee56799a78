package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.model.ModelReply.Usage;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.Spending;
import dev.switchboard.state.Spending.Sum;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.time.Time;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What the models of an agent use, over all its conversations: their prices, the budget, and the
/// sum of the day.
///
/// Thread-safe.
final class AgentSpending {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  private final Budget budget;
  private final Prices prices;
  private final Time time;
  private final Ledger<AgentState> state;
  private final List<Consumer<Prices.Use>> listeners = new CopyOnWriteArrayList<>();

  AgentSpending(Budget budget, Prices prices, @Nullable ConversationStore store, Time time) {
    this.budget = budget;
    this.prices = prices;
    this.time = time;
    state =
        store == null || budget.day() == null
            ? Ledger.inProcess(AgentState.NEW)
            : Ledger.of(store.agent());
  }

  Budget budget() {
    return budget;
  }

  Prices prices() {
    return prices;
  }

  void listen(Consumer<Prices.Use> listener) {
    listeners.add(listener);
  }

  /// The sum of what a request has used, with its cost.
  Sum priced(Map<String, Usage> models) {
    Sum sum = Sum.NONE;
    for (Map.Entry<String, Usage> used : models.entrySet()) {
      String name = used.getKey();
      Usage usage = used.getValue();
      if (!usage.equals(Usage.NONE)) {
        sum = sum.plus(Sum.of(name, new Spending.Used(usage, prices.cost(name, usage))));
      }
    }
    return sum;
  }

  /// Counts what a request has used, once it is stored with its conversation. The sum of the day
  /// may lose it if the process dies or the store fails.
  void count(Sum used) {
    if (used.isEmpty()) {
      return;
    }
    used.models()
        .forEach((name, part) -> {
          Prices.Use use = new Prices.Use(name, part.usage(), prices.cost(name, part.usage()));
          listeners.forEach(listener -> listener.accept(use));
        });
    try {
      changeToday(sum -> sum.plus(used));
    } catch (RuntimeException thrown) {
      ExceptionLog.warn(LOG, "the use of a model was not counted for the day", thrown);
    }
  }

  private LocalDate date() {
    return LocalDate.ofInstant(time.now(), ZoneOffset.UTC);
  }

  /// The sum of this day, over all processes.
  Sum today() {
    return budget.day() == null ? Sum.NONE : Spending.Day.sum(state.refresh().day(), date());
  }

  /// Counts a person's consent to the limit of the day once more, once for each id.
  void approveToday(String id) {
    changeToday(sum -> sum.approved(id));
  }

  private void changeToday(UnaryOperator<Sum> change) {
    if (budget.day() == null) {
      return;
    }
    LocalDate today = date();
    Sum unused =
        state.change(latest -> {
          Sum sum = Spending.Day.sum(latest.day(), today);
          Sum next = change.apply(sum);
          return new Ledger.Step<>(next.equals(sum) ? latest : latest.withDay(today, next), next);
        });
  }
}
