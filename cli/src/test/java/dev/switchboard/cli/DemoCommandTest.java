package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DemoCommandTest {
  @Test
  void showsRuleProgressRetryBreakerAndConsent() {
    Cli run = Cli.run("demo", "--offline");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("Agent 'Reservations', model recorded.")
        .contains("Hi! Shall I find you a table?\n\n> Do you have a table for four")
        .contains("rule_violation: Tool rule violation: Tool 'make_reservation'")
        .contains("/party_size: expected integer, found string \"four\"")
        .contains("  check_availability ... Let me check the book...")
        .contains("\nYes! T5 on the patio and T12 inside are free at 19:30.\n")
        .contains("  make_reservation ... attempt 1 failed (HTTP 503")
        .contains("  suggest_menu ... Asking the chef...")
        .contains("circuit_open")
        .contains("cancel_reservation needs your approval (rule)")
        .contains("> approve\n  cancel_reservation {\"reservation\":\"R1\"} ok")
        .contains("9 calls, 9 results, one for each.")
        .doesNotContain("\u001b");
  }

  @Test
  void printsTheSameAsEvents() {
    Cli run = Cli.run("demo", "--offline", "--json");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    List<JsonNode> events = run.json();
    assertThat(events).filteredOn(is("tool_call")).hasSize(9);
    assertThat(events).filteredOn(is("tool_result")).hasSize(9);
    assertThat(events).filteredOn(is("done")).hasSize(5);
    assertThat(events.getLast().path("type").asString()).isEqualTo("done");
    assertThat(
            events.stream()
                .filter(is("content"))
                .map(event -> event.path("content").asString())
                .collect(Collectors.joining()))
        .startsWith("Hi! Shall I find you a table?Let me look.Yes!")
        .endsWith("R1 is cancelled. I hope to see you another time!");
  }

  @Test
  void aModelIsNamedAsProviderAndName() {
    assertThat(Cli.run("demo", "--model", "gpt"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: A model must be provider:name, such as \"openai:gpt-6-luna\", not"
                    + " 'gpt'.\n"));
    assertThat(Cli.run("demo", "--model", "openai:gpt", "--offline").err())
        .isEqualTo("switchboard: --model and --offline do not go together.\n");
  }

  @Test
  void showsModulesThatAnswerAndOneThatIsStopped() {
    Cli run = Cli.run("demo", "--wasm");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("{\"total\":\"12.60\",\"currency\":\"EUR\"}")
        .contains("{\"words\":6,\"different\":4,\"most\":\"be\"}")
        .contains("the module ran longer than 200ms and was stopped")
        .contains("exit code 1: that item is not on the list")
        .contains("{\"total\":\"11.00\",\"currency\":\"EUR\"}");
    assertThat(Cli.run("demo", "--wasm", "--json").err())
        .isEqualTo("switchboard: --wasm goes with neither --json, --model nor --cluster.\n");
  }

  @Test
  @Tag("slow")
  void showsAWorkerThatGoesOnWhereAnotherIsKilled() {
    Cli run = Cli.run("demo", "--cluster");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .containsPattern("worker [12] sends key (\\w+): charged P1\n")
        .containsPattern("kill -9  worker [12] dies")
        .containsPattern("worker [12] sends key (\\w+): charged before, receipt P1\n")
        .contains("agent    The deposit of 40 euros is paid, Ada: receipt P1.")
        .contains("asked for twice under one key, and charged once");
  }

  @Test
  void showsWorkersAlone() {
    assertThat(Cli.run("demo", "--cluster", "--json").err())
        .isEqualTo("switchboard: --cluster goes with neither --json nor --model.\n");
  }

  private static Predicate<JsonNode> is(String type) {
    return event -> event.path("type").asString().equals(type);
  }
}
