package dev.switchboard.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.StopReason;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.LoopControl;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.ruling.LoopStep;
import dev.switchboard.ruling.Offer;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.ruling.RuleFault;
import dev.switchboard.ruling.RuleLint;
import dev.switchboard.ruling.RuleSet;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.RuleText;
import dev.switchboard.ruling.StartCall;
import dev.switchboard.ruling.Tallies;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolResult;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Areas rules/*, by their ids: what the rules decide by themselves.
class RuleVectorsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static CaseRules rules(String id) {
    return new CaseRules(Vectors.byId(id).given());
  }

  private static RuleSet ruleSet(String id) {
    return RuleSet.of(rules(id).rules(), rules(id).declared(), Map.of());
  }

  private static JsonNode expect(String id) {
    return Vectors.byId(id).expect();
  }

  private static List<String> names(JsonNode list) {
    return CaseRules.strings(list);
  }

  private static RuleState after(String tool) {
    return RuleState.NEW.started(tool, NOW).ended(tool, true);
  }

  private static List<String> startCalls(String id, boolean takesNoArguments) {
    return LoopControl.startCalls(
            ruleSet(id), RuleState.NEW, Tallies.NONE, tool -> takesNoArguments)
        .stream()
        .map(StartCall::tool)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "R003", "R005", "R009", "R010", "R011", "R012", "R013", "R017", "R020", "R023", "R024",
        "R025", "R028", "R030", "R037", "R040", "R041", "R042", "R045", "R046", "R048", "R049",
        "R051", "R052", "R053", "R058", "R059", "R064", "R065", "R066", "R068", "R069", "R072",
        "R074", "R075", "R076", "R077", "R080", "R087", "R092", "R094", "R096", "R038", "R089",
        "R099", "R102", "R103", "R104", "R105", "R107", "R113"
      })
  void decidesEachStep(String id) {
    Vector vector = Vectors.byId(id);
    new CaseRun(vector.given()).steps(Json.text(vector.when()).tree(), vector.expect());
  }

  @ParameterizedTest
  @ValueSource(strings = {"R007", "R016", "R021", "R060", "R085", "R106", "R108", "R109", "R112"})
  void findsTheFaultAtBuild(String id) {
    JsonNode expect = expect(id);
    String kind =
        expect.path("error_class").asString("")
            + expect.path("warning").asString("")
            + expect.path("warning_or_error").asString("");
    List<RuleFault> faults = RuleLint.faults(rules(id).rules(), rules(id).tools());

    assertThat(faults)
        .singleElement()
        .satisfies(fault -> {
          assertThat(fault.kind().name()).isEqualTo(kind);
          assertThat(fault.kind().isError()).isEqualTo(expect.has("error_class"));
          names(expect.path("names")).forEach(name -> assertThat(fault.message()).contains(name));
          assertThat(fault.message())
              .contains(
                  expect.path("operation").asString(""),
                  expect.path("suggest").asString(""),
                  expect.path("argument").asString(""));
        });
  }

  @Test
  void r015CallsTheStartToolItself() {
    assertThat(startCalls("R015", true)).isEqualTo(names(expect("R015").path("runtime_executes")));
  }

  @Test
  void r016LeavesAStartToolWithArgumentsToTheModel() {
    assertThat(startCalls("R016", false)).isEmpty();
    assertThat(ruleSet("R016").checks("work").dependsOn(Set.of("init"))).isTrue();
  }

  @Test
  void r018KeepsTheGateClosedAfterAForcedStartThatFailed() {
    RuleState failed = RuleState.NEW.started("init", NOW).ended("init", false);

    assertThat(
            ruleSet("R018")
                .checks("work")
                .evaluate(failed, Tallies.NONE, ToolCall.of("work", "{}"), NOW))
        .isInstanceOf(Decision.Denied.class);
  }

  @Test
  void r022OffersTheStartToolAndFillsItsArgumentsIn() {
    RuleSet rules = ruleSet("R022");
    Offer offer =
        rules.offer(
            List.of(CaseRules.definition("beta", null), CaseRules.definition("alpha", null)),
            RuleState.NEW,
            Tallies.NONE,
            NOW);

    assertThat(offer.tools().stream().map(tool -> tool.name()).toList())
        .isEqualTo(names(expect("R022").path("allowed")));
    assertThat(offer.choice()).isEqualTo(ModelRequest.ToolChoice.REQUIRED);
    assertThat(LoopControl.startCalls(rules, RuleState.NEW, Tallies.NONE, tool -> false))
        .containsExactly(
            new StartCall("alpha", Json.of(expect("R022").at("/prefilled_args/alpha"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"R033", "R036"})
  void namesWhatIsUnmetAtALimit(String id) {
    RoundEnd end = RoundEnd.stopped(StopReason.MAX_ITERATIONS);
    LoopStep step = LoopControl.decide(ruleSet(id), RuleState.NEW, end, tool -> true);

    assertThat(step.decision())
        .isEqualTo(
            new LoopDecision.Exit(StopReason.MAX_ITERATIONS, names(expect(id).path("unmet"))));
  }

  @Test
  void r035TellsTheModelWhatIsRequired() {
    LoopStep step = LoopControl.decide(ruleSet("R035"), RuleState.NEW, RoundEnd.TEXT, tool -> true);

    assertThat(step.decision())
        .isInstanceOfSatisfying(
            LoopDecision.Remind.class,
            remind -> {
              assertThat(remind.tools()).isEqualTo(names(expect("R035").path("model_told")));
              assertThat(remind.text()).contains(remind.tools());
            });
  }

  @Test
  void r039ListsWhatIsStillRequired() {
    assertThat(ruleSet("R039").unmet(RuleState.NEW))
        .isEqualTo(names(expect("R039").path("before")));
    assertThat(ruleSet("R039").unmet(after("cleanup")))
        .isEqualTo(names(expect("R039").path("after")));
  }

  @Test
  void r061And063OfferWhatIsLeft() {
    assertThat(offered("R061", after("a"))).isEqualTo(List.of("a"));
    assertThat(offered("R063", after("a")))
        .isEqualTo(names(expect("R063").path("offered_to_model")));
  }

  private static List<String> offered(String id, RuleState state) {
    return ruleSet(id).offer(rules(id).tools(), state, Tallies.NONE, NOW).tools().stream()
        .map(tool -> tool.name())
        .toList();
  }

  @Test
  void r071RefusesWhenTheClockWasSetBack() {
    Tallies agent = Tallies.NONE.started("t", NOW).ended("t", true);
    Decision decision =
        ruleSet("R071")
            .checks("t")
            .evaluate(RuleState.NEW, agent, ToolCall.of("t", "{}"), NOW.minus(Duration.ofHours(1)));

    assertThat(decision)
        .isInstanceOfSatisfying(
            Decision.Denied.class,
            denied -> assertThat(denied.sentence()).isEqualTo("cooling down, retry in 60000 ms"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"R082", "R083"})
  void narrowsTheOperationInTheSchema(String id) {
    Vector vector = Vectors.byId(id);
    Json schema = Json.of(vector.given().path("schema"));
    String[] operations = names(vector.given().path("ops")).toArray(String[]::new);
    RuleSet rules =
        RuleSet.of(List.of(ToolRule.allowedOperations("t", operations)), List.of(), Map.of());
    Json narrowed = rules.checks("t").narrowed(schema);

    if (vector.expect().path("schema").asString("").equals("unchanged")) {
      assertThat(narrowed).isSameAs(schema);
    } else {
      assertThat(narrowed.tree().at("/properties/op")).isEqualTo(vector.expect());
    }
  }

  @Test
  void r098ChecksFastEnough() {
    RuleSet rules =
        RuleSet.of(
            List.of(
                ToolRule.startWith("init"),
                ToolRule.after("t", "init"),
                ToolRule.before("t", "end"),
                ToolRule.maxCalls("t", 3),
                ToolRule.cooldown("t", Duration.ofSeconds(1))),
            List.of(),
            Map.of());
    ThreadMXBean processor = ManagementFactory.getThreadMXBean();
    long start = processor.getCurrentThreadCpuTime();
    for (int i = 0; i < 10_000; i++) {
      Decision decision =
          rules.checks("t").evaluate(after("init"), Tallies.NONE, ToolCall.of("t", "{}"), NOW);
      assertThat(decision).isSameAs(Decision.ALLOWED);
    }
    // Of the processor, which others that run beside this one do not take.
    double seconds = (processor.getCurrentThreadCpuTime() - start) / 1e9;

    assertThat(10_000 / seconds).isGreaterThan(expect("R098").path("at_least_per_second").asInt());
  }

  @Test
  void r101OffersNothingWhereTheChildrenHaveNoneInCommon() {
    RuleState state = after("a");
    state = ruleSet("R101").checks("a").ended(state, "a", ToolResult.ok("done")).stepEnded();

    assertThat(offered("R101", state)).isEqualTo(names(expect("R101").path("allowed")));
    assertThat(RuleLint.faults(rules("R101").rules(), rules("R101").tools()))
        .singleElement()
        .satisfies(fault -> assertThat(fault.kind()).isEqualTo(RuleFault.Kind.RULE_CONFLICT));
  }

  @Test
  void r110TakesAnIntegerForANumberAndNoBoolean() {
    ObjectNode schema = Codec.object().put("type", "object");
    schema.set("properties", Vectors.byId("R110").given().path("schema"));
    List<ToolDefinition> tools = List.of(CaseRules.definition("t", Json.of(schema)));

    assertThat(RuleLint.faults(List.of(ToolRule.startWith("t", Json.text("{\"n\":true}"))), tools))
        .singleElement()
        .satisfies(fault ->
            assertThat(fault.kind().name())
                .isEqualTo(expect("R110").path("error_class").stringValue()));
    assertThat(RuleLint.faults(List.of(ToolRule.startWith("t", Json.text("{\"n\":4}"))), tools))
        .isEmpty();
  }

  @Test
  void r114CountsEqualRulesOnce() {
    assertThat(ruleSet("R114").rules()).hasSize(expect("R114").path("count").intValue());
  }

  @Test
  void r115RendersTheRulesInOrder() {
    String prompt = RuleText.prompt(ruleSet("R115"));

    assertThat(prompt).startsWith("# Tool rules\n");
    assertThat(prompt.lines()).hasSize(1 + rules("R115").rules().size());
    names(expect("R115").path("contains_facts")).forEach(fact -> assertThat(prompt).contains(fact));
  }
}
