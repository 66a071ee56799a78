package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
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

  private static final long MOST_TOKENS = 1_000_000_000_000L; // of a request

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
      Usage usage = bounded(used.getValue());
      if (!usage.equals(Usage.NONE)) {
        sum = sum.plus(Sum.of(name, new Spending.Used(usage, prices.cost(name, usage))));
      }
    }
    return sum;
  }

  /// What a provider may have stated: no sum of it overflows.
  private static Usage bounded(Usage stated) {
    return new Usage(
        bounded(stated.input()),
        bounded(stated.output()),
        bounded(stated.cacheRead()),
        bounded(stated.cacheWritten()),
        bounded(stated.reasoning()));
  }

  /// That number of tokens, if it can be one of a request.
  static long bounded(long tokens) {
    return Math.clamp(tokens, 0, MOST_TOKENS);
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
          listeners.forEach(listener -> tell(listener, use));
        });
    try {
      changeToday(sum -> sum.plus(used));
    } catch (RuntimeException thrown) {
      ExceptionLog.warn(LOG, "the use of a model was not counted for the day", thrown);
    }
  }

  private static void tell(Consumer<Prices.Use> listener, Prices.Use use) {
    try {
      listener.accept(use);
    } catch (RuntimeException thrown) {
      ExceptionLog.warn(LOG, "a listener of what models use failed", thrown);
    }
  }

  private LocalDate date() {
    return LocalDate.ofInstant(time.now(), ZoneOffset.UTC);
  }

  /// The sum of this day, over all processes.
  Sum today() {
    return budget.day() == null ? Sum.NONE : Spending.Day.sum(state.refresh().day(), date());
  }

  /// Counts a person's consent to the limit of the day once more, once for each call. No id of a
  /// conversation is left there, which may be deleted.
  void approveToday(String conversation, String call) {
    String id = Json.of(conversation + "/" + call).digest();
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
