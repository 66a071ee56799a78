package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DemoCommandTest {
  @Test
  void showsARefusalProgressARetryAndTheBreaker() {
    Cli run = Cli.run("demo");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("/party_size: expected integer, found string \"four\"")
        .contains("... Let me check the book...")
        .contains("attempt 1 failed (HTTP 503")
        .contains("circuit_open")
        .contains("rule_violation: Tool rule violation: Tool 'make_reservation'")
        .contains("ask    cancel_reservation: A rule asks for consent")
        .contains("9 calls, 9 results, one for each.")
        .doesNotContain("\u001b");
  }

  @Test
  void printsTheSameAsEvents() {
    Cli run = Cli.run("demo", "--json");
    List<JsonNode> events = run.out().lines().map(line -> Json.text(line).tree()).toList();
    assertThat(events).filteredOn(is("tool_call")).hasSize(9);
    assertThat(events).filteredOn(is("tool_result")).hasSize(9);
    assertThat(events).filteredOn(is("done")).hasSize(4);
    assertThat(events.getLast().path("type").asString()).isEqualTo("done");
  }

  private static java.util.function.Predicate<JsonNode> is(String type) {
    return event -> event.path("type").asString().equals(type);
  }
}
