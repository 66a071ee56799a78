package dev.switchboard.config;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.agent.Budget;
import dev.switchboard.agent.Prices;
import dev.switchboard.config.AgentFile.ModelSettings;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what an agent may spend on models, and their prices.
final class BudgetReader {
  private final AgentToml.Agent agent;

  BudgetReader(AgentToml.Agent agent) {
    this.agent = agent;
  }

  Prices prices() {
    Map<String, Prices.Price> prices = new LinkedHashMap<>();
    agent
        .prices()
        .forEach((name, table) -> {
          Prices.Price price = price(table);
          if (price != null) {
            prices.put(name, price);
          }
        });
    return new Prices(prices);
  }

  private static Prices.@Nullable Price price(AgentToml.Price table) {
    BigDecimal input = decimal(table.input());
    BigDecimal output = decimal(table.output());
    if (input == null || output == null) {
      return null;
    }
    BigDecimal cached = decimal(table.cached());
    BigDecimal written = decimal(table.cacheWrite());
    AgentToml.Over longer = table.over();
    Integer tokens = longer == null ? null : longer.tokens();
    if (longer == null || tokens == null) {
      return new Prices.Price(input, cached, written, output, null);
    }
    Prices.Price over =
        new Prices.Price(
            requireNonNullElse(decimal(longer.input()), input),
            longer.cached() == null ? cached : decimal(longer.cached()),
            longer.cacheWrite() == null ? written : decimal(longer.cacheWrite()),
            requireNonNullElse(decimal(longer.output()), output),
            null);
    return new Prices.Price(input, cached, written, output, new Prices.Over(tokens, over));
  }

  private static @Nullable BigDecimal decimal(@Nullable Double number) {
    return number == null ? null : BigDecimal.valueOf(number);
  }

  /// @param models the agent's model and its fallbacks
  Budget budget(List<ModelSettings> models) {
    AgentToml.Budget table = agent.budget();
    if (table == null) {
      return Budget.NONE;
    }
    boolean asks = table.then() == AgentToml.AtLimit.ASK;
    return new Budget(
        limit(table.turn(), models),
        limit(table.conversation(), models),
        limit(table.day(), models),
        asks ? Budget.Then.ASK : Budget.Then.STOP);
  }

  private Budget.@Nullable Limit limit(
      AgentToml.@Nullable BudgetLimit table, List<ModelSettings> models) {
    if (table == null) {
      return null;
    }
    Double cost = table.cost();
    if (cost != null && cost <= 0) {
      table.at().member("cost").bad("must be more than 0");
      return null;
    }
    if (cost != null) {
      models.forEach(model -> checkPrice(table.at(), model.provider() + ":" + model.name()));
    }
    Integer tokens = table.tokens();
    if (tokens == null && cost == null) {
      if (!table.at().has("tokens") && !table.at().has("cost")) {
        table.at().bad("needs 'tokens' or 'cost'");
      }
      return null;
    }
    return new Budget.Limit(tokens == null ? null : tokens.longValue(), decimal(cost));
  }

  private void checkPrice(Value limit, String model) {
    if (!agent.prices().containsKey(model)) {
      Value cost = limit.member("cost");
      cost.bad(
          "needs a price for '%s' in agent.prices%s"
              .formatted(model, cost.closest(model, agent.prices().keySet())));
    }
  }
}
