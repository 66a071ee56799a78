package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import dev.switchboard.harness.Vectors;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesOfAFileTest {
  private static final String HEADER = "[[agent.tool_rules]]\n";

  @TempDir private Path folder;

  @Test
  void readsTheSeedsDataProcessor() {
    AgentFile agent =
        folder()
            .read(
                """
                [agent]
                name = "DataProcessor"
                tools = ["load_data", "validate", "process", "save_results"]
                [[agent.tool_rules]]
                tool_name = "load_data"
                rule_type = "StartConstraint"
                priority = 10
                [[agent.tool_rules]]
                tool_name = "validate"
                rule_type = "RequiresPreceding"
                conditions = ["load_data"]
                priority = 8
                [[agent.tool_rules]]
                tool_name = "process"
                rule_type = { MaxCalls = 3 }
                priority = 5
                [[agent.tool_rules]]
                tool_name = "save_results"
                rule_type = "ExitLoop"
                priority = 9
                """);

    assertThat(agent.rules())
        .containsExactly(
            ToolRule.startWith("load_data").priority(10),
            ToolRule.after("validate", "load_data").priority(8),
            ToolRule.maxCalls("process", 3),
            ToolRule.exitAfter("save_results").priority(9));
    assertThat(agent.warnings()).isEmpty();
  }

  @Test
  void readsTheSeedsPipeline() {
    List<ToolRule> rules =
        folder()
            .read(
                """
                [[agent.tool_rules]]
                tool_name = "connect_db"
                rule_type = "StartConstraint"
                priority = 10
                [[agent.tool_rules]]
                tool_name = "extract_data"
                rule_type = "RequiresPreceding"
                conditions = ["connect_db"]
                priority = 8
                [[agent.tool_rules]]
                tool_name = "transform_data"
                rule_type = "RequiresPreceding"
                conditions = ["extract_data"]
                priority = 7
                [[agent.tool_rules]]
                tool_name = "load_warehouse"
                rule_type = "RequiresPreceding"
                conditions = ["transform_data"]
                priority = 6
                [[agent.tool_rules]]
                tool_name = "disconnect_db"
                rule_type = "ExitLoop"
                priority = 10
                """)
            .rules();

    assertThat(rules)
        .containsExactly(
            ToolRule.startWith("connect_db").priority(10),
            ToolRule.after("extract_data", "connect_db").priority(8),
            ToolRule.after("transform_data", "extract_data").priority(7),
            ToolRule.after("load_warehouse", "transform_data").priority(6),
            ToolRule.exitAfter("disconnect_db").priority(10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"R214", "R216"})
  void readsTheNameOfATypeInEverySpelling(String id) {
    assertThat(only(vector(id)).type()).isEqualTo(new RuleType.StartConstraint(null, true));
  }

  @Test
  void readsTheTypesOfTheVectors() {
    assertThat(only(vector("R222"))).isEqualTo(ToolRule.cooldown("t", Duration.ofSeconds(30)));
    assertThat(only(vector("R223"))).isEqualTo(ToolRule.cooldown("t", Duration.ofMillis(1500)));
    assertThat(only(vector("R224"))).isEqualTo(ToolRule.allowedOperations("t", "read", "append"));
    assertThat(only(vector("R225")).type())
        .isEqualTo(new RuleType.ExclusiveGroups(List.of(Set.of("a", "b"), Set.of("c"))));
    assertThat(only(vector("R226"))).isEqualTo(ToolRule.consent("t"));
  }

  @ParameterizedTest
  @EnumSource(RuleKind.class)
  void knowsEveryKindByItsNames(RuleKind kind) {
    String conditions = "\nconditions = [\"a\"]";
    String value =
        switch (kind.form()) {
          case COUNT, LENGTH -> "3";
          case MAPPING -> "{ mapping = { yes = 'a' } }";
          case NOTHING, TOOLS, OPERATIONS, GROUPS, START, CONSENT, CHILDREN -> "";
        };
    for (String name : List.of(kind.pascal(), kind.kebab(), kind.name().toLowerCase(Locale.ROOT))) {
      String type = value.isEmpty() ? "\"" + name + "\"" : "{ \"" + name + "\" = " + value + " }";
      String bare = "rule_type = " + type;
      boolean bareIsFaulty =
          folder().all(rule(bare)).stream().anyMatch(f -> f.severity() == Severity.ERROR);
      assertThat(RuleKind.of(only(rule(bareIsFaulty ? bare + conditions : bare)).type()))
          .isEqualTo(kind);
    }
  }

  @Test
  void readsListsAtEitherPlaceAndASingleNameAsOne() {
    RuleType preceding = new RuleType.RequiresPreceding(List.of("a", "b"));
    assertThat(typeOf("{ RequiresPreceding = [\"a\", \"b\"] }")).isEqualTo(preceding);
    assertThat(typeOf("{ type = \"requires-preceding-tools\", value = [\"a\", \"b\"] }"))
        .isEqualTo(preceding);
    assertThat(typeOf("\"RequiresPrecedingTools\"\nconditions = [\"a\", \"b\"]"))
        .isEqualTo(preceding);
    assertThat(typeOf("{ RequiresFollowing = \"a\" }"))
        .isEqualTo(new RuleType.RequiresFollowing(List.of("a")));
    assertThat(typeOf("\"RequiredBeforeExitIf\"\nconditions = \"a\""))
        .isEqualTo(new RuleType.RequiredBeforeExitIf(List.of("a")));
    assertThat(typeOf("\"AllowedOperations\"\nconditions = [\"read\"]"))
        .isEqualTo(new RuleType.AllowedOperations(List.of("read")));
  }

  @Test
  void readsGroups() {
    RuleType one = new RuleType.ExclusiveGroups(List.of(Set.of("a", "b")));
    assertThat(typeOf("{ ExclusiveGroups = [\"a\", \"b\"] }")).isEqualTo(one);
    assertThat(typeOf("\"ExclusiveGroups\"\nconditions = [[\"a\", \"b\"]]")).isEqualTo(one);
  }

  @Test
  void readsWhatIsNext() {
    RuleType next = new RuleType.Child(Set.of("a", "b"), Map.of());
    assertThat(typeOf("{ Child = [\"a\", \"b\"] }")).isEqualTo(next);
    assertThat(typeOf("\"Child\"\nconditions = [\"a\", \"b\"]")).isEqualTo(next);
    assertThat(typeOf("{ Child = { children = [\"b\", \"a\"] } }")).isEqualTo(next);
    assertThat(typeOf("{ Child = { children = [\"a\"], args = { a = { n = 1 } } } }"))
        .isEqualTo(new RuleType.Child(Set.of("a"), Map.of("a", Json.text("{\"n\":1}"))));
    assertThat(typeOf("{ Parent = { children = \"a\" } }"))
        .isEqualTo(new RuleType.Parent(Set.of("a")));
    assertThat(
            typeOf(
                "{ Conditional = { mapping = { yes = \"a\" }, at = \"/x\", default = \"b\","
                    + " require_match = true } }"))
        .isEqualTo(new RuleType.Conditional(Map.of("yes", "a"), "/x", "b", true));
  }

  @Test
  void r090HasAToolThatOnlyARuleNames() {
    String tool = Vectors.byId("R090").given().at("/rules/0/tool").stringValue();
    String type = Vectors.byId("R090").given().at("/rules/0/type").stringValue();
    AgentFile agent =
        folder()
            .read(
                """
                [agent]
                tools = []
                [[agent.tool_rules]]
                tool_name = "%1$s"
                rule_type = "%2$s"
                [[tools]]
                name = "%1$s"
                webhook_url = "https://example.com/edit"
                """
                    .formatted(tool, type));

    assertThat(agent.tools())
        .extracting(Tool::name)
        .containsExactly(Vectors.byId("R090").expect().path("contains").stringValue());
  }

  @Test
  void hasToolsThatARuleNeeds() {
    AgentFile agent =
        folder()
            .read(
                """
                [agent]
                tools = ["t"]
                [[agent.tool_rules]]
                tool_name = "u"
                rule_type = "Needed"
                [[agent.tool_rules]]
                tool_name = "block"
                rule_type = "Needed"
                [[tools]]
                name = "t"
                webhook_url = "https://example.com/t"
                [[tools]]
                name = "u"
                webhook_url = "https://example.com/u"
                [[tools]]
                name = "v"
                webhook_url = "https://example.com/v"
                """);
    assertThat(agent.tools()).extracting(Tool::name).containsExactly("t", "u");
    assertThat(agent.builtIns()).containsExactly("block");
  }

  @Test
  void readsConsentAndStartWithTheirTables() {
    assertThat(
            typeOf(
                "{ RequiresConsent = { scope = \"money\", when = '{\"required\":[\"amount\"]}',"
                    + " bind = [\"amount\"] } }"))
        .isEqualTo(
            new RuleType.RequiresConsent(
                "money", Json.text("{\"required\":[\"amount\"]}"), List.of("amount")));
    assertThat(typeOf("{ RequiresConsent = { when = { minProperties = 1 } } }"))
        .isEqualTo(
            new RuleType.RequiresConsent(null, Json.text("{\"minProperties\":1}"), List.of()));
    assertThat(typeOf("{ StartConstraint = { args = { day = 1 }, auto = false } }"))
        .isEqualTo(new RuleType.StartConstraint(Json.text("{\"day\":1}"), false));
  }

  @Test
  void readsPriorityScopeAndMetadata() {
    assertThat(
            only(
                rule(
                    "rule_type = { MaxCalls = 0 }\npriority = 1\nscope = \"turn\"\n"
                        + "[agent.tool_rules.metadata]\nwhy = \"slow\"")))
        .isEqualTo(
            new ToolRule(
                "t",
                new RuleType.MaxCalls(0),
                1,
                ToolRule.Scope.TURN,
                Json.text("{\"why\":\"slow\"}")));
  }

  @Test
  void r032AContinueLoopOfAllToolsHoldsForThoseItNames() {
    String toml =
        HEADER
            + "tool_name = \"*\"\nrule_type = \"ContinueLoop\"\nconditions = [\"fast\","
            + " \"quick\"]";

    assertThat(folder().read(toml).rules())
        .extracting(ToolRule::tool)
        .containsExactly("fast", "quick");
  }

  @Test
  void previewsATextWithoutItsEnvironment() {
    AgentFile agent =
        AgentFile.preview(
            folder.resolve("Agent.toml"),
            "[[tools]]\nname = \"t\"\nwebhook_url = \"https://api.example.com/t\"\n"
                + "secret_env = \"NOT_SET\"\n"
                + rule("rule_type = \"ExitLoop\""));

    assertThat(agent.agent().name()).isEqualTo("Agent");
    assertThat(agent.rules()).containsExactly(ToolRule.exitAfter("t"));
    assertThat(agent.tools()).extracting(Tool::name).containsExactly("t");
  }

  private RuleType typeOf(String type) {
    return only(rule("rule_type = " + type)).type();
  }

  private ToolRule only(String toml) {
    List<ToolRule> rules = folder().read(toml).rules();
    assertThat(rules).singleElement(type(ToolRule.class)).isNotNull();
    return rules.getFirst();
  }

  private static String vector(String id) {
    return Vectors.byId(id).given().path("toml").stringValue();
  }

  private static String rule(String keys) {
    return HEADER + "tool_name = \"t\"\n" + keys + "\n";
  }

  private AgentFolder folder() {
    return new AgentFolder(folder);
  }
}
