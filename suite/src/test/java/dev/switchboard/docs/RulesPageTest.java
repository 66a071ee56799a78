package dev.switchboard.docs;

import static dev.switchboard.rule.ToolRule.after;
import static dev.switchboard.rule.ToolRule.allowedOperations;
import static dev.switchboard.rule.ToolRule.before;
import static dev.switchboard.rule.ToolRule.consent;
import static dev.switchboard.rule.ToolRule.cooldown;
import static dev.switchboard.rule.ToolRule.every;
import static dev.switchboard.rule.ToolRule.exitAfter;
import static dev.switchboard.rule.ToolRule.forbidden;
import static dev.switchboard.rule.ToolRule.maxCalls;
import static dev.switchboard.rule.ToolRule.needed;
import static dev.switchboard.rule.ToolRule.next;
import static dev.switchboard.rule.ToolRule.nextBy;
import static dev.switchboard.rule.ToolRule.oneOf;
import static dev.switchboard.rule.ToolRule.onlyAfter;
import static dev.switchboard.rule.ToolRule.requiredBeforeExit;
import static dev.switchboard.rule.ToolRule.requiredBeforeExitIf;
import static dev.switchboard.rule.ToolRule.startWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.RuleFault;
import dev.switchboard.ruling.RuleKind;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.RuleText;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.ruling.Violation;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds `docs/reference/rules.md` to what the rules say and decide.
class RulesPageTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /// One rule of each type, in the order of the page.
  private static final List<ToolRule> SAMPLES =
      List.of(
          startWith("load"),
          after("process", "load", "validate"),
          before("prepare", "run"),
          maxCalls("search", 3),
          cooldown("search", Duration.ofSeconds(2)),
          oneOf("json", "xml"),
          exitAfter("save"),
          ToolRule.of("search", new RuleType.ContinueLoop()),
          requiredBeforeExit("cleanup"),
          requiredBeforeExitIf("close", "open"),
          consent("pay"),
          forbidden("wipe"),
          allowedOperations("file", "read", "append"),
          next("search", "save"),
          onlyAfter("search", "save"),
          ToolRule.of(
              "search", new RuleType.Conditional(Map.of("none", "save"), null, "load", false)),
          every("search", Duration.ofMinutes(5)),
          needed("block"));

  private static final List<Set<String>> CHILD = List.of(Set.of("save"));
  private static final List<Set<String>> NONE = List.of(Set.of());

  private static final List<ToolDefinition> TOOLS =
      Stream.of("load", "validate", "search", "save", "pay", "file")
          .map(RulesPageTest::tool)
          .toList();

  private static ToolDefinition tool(String name) {
    String schema =
        switch (name) {
          case "pay" ->
              "\"properties\":{\"amount\":{\"type\":\"integer\"}},\"required\":[\"amount\"]";
          case "file" -> "\"properties\":{\"op\":{\"enum\":[\"read\",\"append\",\"delete\"]}}";
          default -> "\"properties\":{}";
        };
    Json parameters = Json.text("{\"type\":\"object\"," + schema + "}");
    return new ToolDefinition(
        name, "", parameters, false, ToolMode.EXTERNAL, null, null, List.of(), null);
  }

  private static List<List<String>> rows(int cells, String head) throws IOException {
    return Page.named("docs/reference/rules.md").rows().stream()
        .filter(row -> row.size() == cells && !row.getFirst().equals(head))
        .toList();
  }

  private static List<List<String>> refusals() throws IOException {
    return rows(3, "`violation`").stream()
        .filter(row -> !row.get(1).matches("is|error|warning"))
        .toList();
  }

  private static List<List<String>> faults() throws IOException {
    return rows(3, "class").stream().filter(row -> row.get(1).matches("error|warning")).toList();
  }

  @Test
  void listsEveryTypeWithItsSpellingsAndItsScope() throws IOException {
    List<List<String>> rows = rows(5, "type");

    assertThat(rows.stream().map(row -> row.subList(0, 2)))
        .containsExactlyElementsOf(
            Arrays.stream(RuleKind.values())
                .map(kind -> List.of("`" + kind.pascal() + "`", "`" + kind.kebab() + "`"))
                .toList());
    for (int i = 0; i < rows.size(); i++) {
      RuleKind kind = RuleKind.values()[i];
      String scope = rows.get(i).getLast();
      assertThat(scope).isIn("-", ToolRule.defaultScope(SAMPLES.get(i).type()).word());
      for (String spelling :
          List.of(kind.pascal(), kind.kebab(), kind.name().toLowerCase(Locale.ROOT))) {
        assertThat(RuleKind.of(spelling)).isEqualTo(kind);
      }
    }
  }

  @Test
  void showsTheLineThatEachRuleIsInThePrompt() throws IOException {
    assertThat(SAMPLES.stream().map(rule -> RuleKind.of(rule.type())))
        .containsExactly(RuleKind.values());
    List<List<String>> rows = rows(2, "rule");

    assertThat(rows.stream().map(List::getLast))
        .containsExactlyElementsOf(SAMPLES.stream().map(RuleText::sentence).toList());
    for (int i = 0; i < rows.size(); i++) {
      assertThat(rows.get(i).getFirst())
          .contains(
              RuleKind.of(SAMPLES.get(i).type()).pascal(), "of `" + SAMPLES.get(i).tool() + "`");
    }
  }

  @Test
  void theValueOfEachTypeIsReadAgain() {
    assertThat(SAMPLES.stream().map(ToolRule::type))
        .allSatisfy(type ->
            assertThat(RuleKind.of(type).given(Json.text(type.value().text()))).isEqualTo(type));
  }

  @Test
  void showsTheSentenceOfEachRefusal() throws IOException {
    RuleState ran = RuleState.NEW;
    for (String tool : List.of("load", "run", "xml", "search", "search", "search")) {
      ran = ran.started(tool, NOW).ended(tool, true);
    }
    RuleState failed = ran.started("validate", NOW).ended("validate", false);

    assertThat(refusals().stream().map(row -> List.of(row.get(0), row.get(2))))
        .containsExactly(
            refusal(SAMPLES.get(0), RuleState.NEW, "process"),
            refusal(SAMPLES.get(1), ran, "process"),
            refusal(SAMPLES.get(1), failed, "process"),
            refusal(SAMPLES.get(2), ran, "prepare"),
            refusal(SAMPLES.get(3), ran, "search"),
            refusal(SAMPLES.get(4), ran, "search"),
            refusal(SAMPLES.get(5), ran, "json"),
            refusal(SAMPLES.get(12), ran, "file"),
            refusal(SAMPLES.get(13), ran.succeeded("search", CHILD).stepEnded(), "load"),
            refusal(SAMPLES.get(13), ran.succeeded("search", NONE).stepEnded(), "load"),
            refusal(SAMPLES.get(14), ran, "save"),
            refusal(onlyAfter("*", "save"), RuleState.NEW, "save"),
            refusal(SAMPLES.get(11), ran, "wipe"));
    assertThat(refusals().stream().map(row -> row.getFirst().replace("`", "")).distinct())
        .containsExactlyElementsOf(Arrays.stream(Violation.values()).map(Violation::name).toList());
  }

  private static List<String> refusal(ToolRule rule, RuleState state, String tool) {
    Tallies agent = Tallies.NONE.started(tool, NOW.minusMillis(500));
    Decision decision =
        RuleSet.of(List.of(rule), List.of(), Map.of())
            .checks(tool)
            .evaluate(state, agent, ToolCall.of(tool, "{\"op\":\"delete\"}"), NOW);
    return switch (decision) {
      case Decision.Allowed allowed -> List.of();
      case Decision.Denied denied -> List.of("`" + denied.violation() + "`", denied.sentence());
    };
  }

  @Test
  void showsAFaultOfEveryClass() throws IOException {
    List<RuleFault> made =
        Stream.of(
                List.of(maxCalls("serch", 3)),
                List.of(allowedOperations("file", "raed")),
                List.of(consent("pay", "amuont")),
                List.of(after("load", "validate"), after("validate", "load")),
                List.of(startWith("load"), after("load", "search")),
                List.of(exitAfter("save"), ToolRule.of("save", new RuleType.ContinueLoop())),
                List.of(startWith("pay", Json.text("{\"amount\":\"much\"}"))),
                List.of(startWith("pay", Json.text("{\"amuont\":3}"))),
                List.of(
                    ToolRule.of(
                        "search",
                        new RuleType.Child(Set.of("save"), Map.of("load", Json.EMPTY_OBJECT)))),
                List.of(nextBy("search", Map.of())),
                List.of(after("save")),
                List.of(allowedOperations("search", "read")),
                List.of(maxCalls("search", 0)),
                List.of(startWith("pay")),
                List.of(maxCalls("search", 3), maxCalls("search", 5)))
            .map(rules -> RuleLint.faults(rules, TOOLS).getFirst())
            .toList();

    assertThat(made.stream().map(RuleFault::kind)).containsExactly(RuleFault.Kind.values());
    assertThat(faults())
        .containsExactlyElementsOf(
            made.stream()
                .map(fault ->
                    List.of(
                        "`" + fault.kind() + "`",
                        fault.kind().isError() ? "error" : "warning",
                        fault.message()))
                .toList());
  }
}
