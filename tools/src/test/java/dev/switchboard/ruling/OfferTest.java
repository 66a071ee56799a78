package dev.switchboard.ruling;

import static dev.switchboard.rule.ToolRule.after;
import static dev.switchboard.rule.ToolRule.allowedOperations;
import static dev.switchboard.rule.ToolRule.forbidden;
import static dev.switchboard.rule.ToolRule.maxCalls;
import static dev.switchboard.rule.ToolRule.oneOf;
import static dev.switchboard.rule.ToolRule.startWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OfferTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final ToolDefinition FILE =
      tool(
          "file", "{\"type\":\"object\",\"properties\":{\"op\":{\"enum\":[\"read\",\"delete\"]}}}");

  private RuleState state = RuleState.NEW;

  private static ToolDefinition tool(String name, String parameters) {
    return new ToolDefinition(
        name,
        "Does " + name,
        Json.text(parameters),
        false,
        ToolMode.READ,
        null,
        null,
        List.of(Json.text("{\"op\":\"read\"}"), Json.text("{\"op\":\"delete\"}")),
        null);
  }

  private Offer offer(List<ToolRule> rules, ToolDefinition... tools) {
    return RuleSet.of(rules, List.of(), Map.of()).offer(List.of(tools), state, Tallies.NONE, NOW);
  }

  private List<String> names(ToolRule... rules) {
    ToolDefinition[] tools =
        Stream.of("a", "b", "c").map(name -> tool(name, "{}")).toArray(ToolDefinition[]::new);
    return offer(List.of(rules), tools).tools().stream().map(ToolDefinition::name).toList();
  }

  @Test
  void leavesOutWhatCannotRunNow() {
    assertThat(names()).containsExactly("a", "b", "c");
    assertThat(names(forbidden("b"), after("c", "a"))).containsExactly("a");
    state = state.started("a", NOW).ended("a", true);
    assertThat(names(after("c", "a"), maxCalls("a", 1), oneOf("a", "b"))).containsExactly("c");
  }

  @Test
  void forcesAChoiceWhileOnlyStartToolsMayRun() {
    List<ToolRule> rules = List.of(startWith("file"));
    assertThat(offer(List.of(), FILE).choice()).isEqualTo(ModelRequest.ToolChoice.AUTO);
    assertThat(offer(rules, FILE).choice()).isEqualTo(ModelRequest.ToolChoice.REQUIRED);
    assertThat(offer(rules, tool("other", "{}")).choice()).isEqualTo(ModelRequest.ToolChoice.NONE);
    state = state.started("file", NOW).ended("file", true);
    assertThat(offer(rules, FILE).choice()).isEqualTo(ModelRequest.ToolChoice.AUTO);
  }

  @Test
  void neverFallsBackToAll() {
    Offer offer = offer(List.of(forbidden("*")), FILE);
    assertThat(offer.tools()).isEmpty();
    assertThat(offer.choice()).isEqualTo(ModelRequest.ToolChoice.NONE);
  }

  @Test
  void showsTheAllowedOperationsAlone() {
    ToolDefinition offered =
        offer(List.of(allowedOperations("file", "read")), FILE).tools().getFirst();
    assertThat(offered.parameters().tree().at("/properties/op/enum"))
        .isEqualTo(Json.text("[\"read\"]").tree());
    assertThat(offered.examples()).containsExactly(Json.text("{\"op\":\"read\"}"));
    assertThat(offered.description()).isEqualTo("Does file");
    assertThat(offer(List.of(allowedOperations("file", "move")), FILE).tools()).isEmpty();
    assertThat(offer(List.of(), FILE).tools().getFirst()).isSameAs(FILE);
  }
}
