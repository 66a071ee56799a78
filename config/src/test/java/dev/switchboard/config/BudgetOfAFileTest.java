package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Budget;
import dev.switchboard.agent.Budget.Limit;
import dev.switchboard.agent.Prices;
import dev.switchboard.config.AgentFile.AgentSettings;
import dev.switchboard.model.ModelReply.Usage;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BudgetOfAFileTest {
  private static final String MODEL = "[agent]\nmodel = \"openai:gpt-6-luna\"\n";
  private static final String PRICE =
      """

      [agent.prices]
      "openai:gpt-6-luna" = { input = 0.10, cached = 0.01, cache_write = 0.125, output = 0.50, over = { tokens = 272_000, input = 0.20, output = 0.75 } }
      """;

  @TempDir private Path folder;

  private AgentFolder agent() {
    return new AgentFolder(folder);
  }

  private List<String> faults(String toml) {
    return agent().faults(toml);
  }

  @Test
  void readsBudgetAndPrices() {
    AgentSettings settings =
        agent()
            .read(
                MODEL
                    + """
                    [agent.budget]
                    turn = { tokens = 5000 }
                    day = { tokens = 1_000_000, cost = 1.0 }
                    then = "ask"
                    """
                    + PRICE)
            .agent();
    assertThat(settings.budget())
        .isEqualTo(
            Budget.NONE
                .withTurn(Limit.ofTokens(5000))
                .withDay(new Limit(1_000_000L, new BigDecimal("1.0")))
                .withThen(Budget.Then.ASK));
    Prices prices = settings.prices();
    assertThat(prices.cost("openai:gpt-6-luna", new Usage(100_000, 10_000, 50_000, 10_000)))
        .isEqualByComparingTo("0.01075");
    assertThat(prices.cost("openai:gpt-6-luna", new Usage(1_000_000, 100_000, 0, 0)))
        .isEqualByComparingTo("0.275");
  }

  @Test
  void stopsByDefaultAndHasNoLimits() {
    assertThat(agent().read(MODEL).agent().budget()).isEqualTo(Budget.NONE);
    assertThat(agent().read(MODEL + "budget = { turn = { tokens = 1 } }").agent().budget())
        .isEqualTo(Budget.NONE.withTurn(Limit.ofTokens(1)));
  }

  @Test
  void aCostNeedsAPriceForEachModel() {
    assertThat(
            faults(
                MODEL
                    + """
                    fallback = ["anthropic:claude-haiku-5-5"]
                    budget = { day = { cost = 1 } }
                    prices = { "openai:gpt-6-lunar" = { input = 1, output = 2 } }
                    """))
        .containsExactly(
            "agent.toml:4:20: error: agent.budget.day.cost needs a price for 'openai:gpt-6-luna' in"
                + " agent.prices; did you mean 'openai:gpt-6-lunar'?",
            "agent.toml:4:20: error: agent.budget.day.cost needs a price for"
                + " 'anthropic:claude-haiku-5-5' in agent.prices");
  }

  @Test
  void reportsEveryFault() {
    assertThat(
            faults(
                MODEL
                    + """
                    [agent.budget]
                    turn = { tokens = 0 }
                    conversation = {}
                    day = { cost = 0.0 }
                    week = { tokens = 1 }
                    then = "wait"

                    [agent.prices]
                    a = { input = -1, output = 1 }
                    b = { input = 1 }
                    c = { input = 1, output = 1, over = { input = 2 } }
                    """))
        .containsExactly(
            "agent.toml:4:10: error: agent.budget.turn.tokens must be at least 1, not 0",
            "agent.toml:5:1: error: agent.budget.conversation needs 'tokens' or 'cost'",
            "agent.toml:6:9: error: agent.budget.day.cost must be more than 0",
            "agent.toml:7:1: error: unknown key 'week' in agent.budget",
            "agent.toml:8:1: error: agent.budget.then must be one of 'stop', 'ask', not 'wait'",
            "agent.toml:11:7: error: agent.prices.a.input must be at least 0, not -1",
            "agent.toml:12:1: error: agent.prices.b needs 'output'",
            "agent.toml:13:30: error: agent.prices.c.over needs 'tokens'");
  }

  @Test
  void noToolHasTheNameOfTheQuestion() {
    assertThat(
            faults(
                """
                [[tools]]
                name = "continue_spending"
                webhook_url = "https://api.example.com/x"
                """))
        .containsExactly("agent.toml:2:1: error: 'continue_spending' is a reserved name");
  }
}
