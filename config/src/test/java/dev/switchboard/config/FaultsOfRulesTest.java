package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.harness.Vectors;
import dev.switchboard.ruling.RuleFault;
import dev.switchboard.ruling.RuleKind;
import dev.switchboard.webhook.GuardedHttp;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What is wrong with the rules of a file, and where.
class FaultsOfRulesTest {
  private static final String HEADER = "[[agent.tool_rules]]\n";
  private static final String TYPES =
      Arrays.stream(RuleKind.values()).map(RuleKind::pascal).collect(Collectors.joining(", "));

  @TempDir private Path folder;

  @Test
  void r227ANegativeLimitIsAFaultWithItsPlace() {
    assertThat(folder().faults(HEADER + vector("R227")))
        .containsExactly(
            "agent.toml:3:34: error: agent.tool_rules[0].rule_type.value must not be negative, and"
                + " is -1");
  }

  @Test
  void r229AnUnknownKeyIsAFaultWithASuggestion() {
    String key = vector("R229").replace("... ", "");

    assertThat(folder().faults(rule("rule_type = \"ExitLoop\"\n" + key)))
        .containsExactly(
            "agent.toml:4:1: error: unknown key 'priorty' in agent.tool_rules[0]; did you mean"
                + " 'priority'?");
  }

  @Test
  void listsTheTypesForAWordThatIsLikeNone() {
    assertThat(folder().all(rule("rule_type = \"Whenever\"")))
        .extracting(ConfigException.Fault::message)
        .containsExactly("there is no rule type 'Whenever'; there are " + TYPES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "MaxCall"                    | UNKNOWN_RULE_TYPE | there is no rule type 'MaxCall'; did you mean 'MaxCalls'? There are {types}
          { Periodic = 0 }             | BAD_VALUE  | agent.tool_rules[0].rule_type: Periodic needs more than 0 between two calls
          "Periodic"                   | BAD_VALUE  | agent.tool_rules[0].rule_type: Periodic needs a duration such as "500ms", "30s", "5m" or a number of seconds
          { Child = { children = ["a"], arg = {} } } | UNKNOWN_KEY | unknown key 'arg' in agent.tool_rules[0].rule_type.Child; did you mean 'args'?
          { Child = { children = ["a"], args = { a = 1 } } } | WRONG_TYPE | agent.tool_rules[0].rule_type.Child.args must be a table of arguments by child, such as { send = { to = "me" } }
          { Parent = { children = ["a"], args = {} } } | BAD_VALUE | agent.tool_rules[0].rule_type.Parent.args must be left out: only Child sets arguments
          "Conditional"                | BAD_VALUE  | agent.tool_rules[0].rule_type: Conditional needs a mapping, such as { mapping = { yes = "book" } }
          { Conditional = { at = "/x" } } | BAD_VALUE | agent.tool_rules[0].rule_type: Conditional needs a mapping, such as { mapping = { yes = "book" } }
          { Conditional = { mapping = { yes = 1 } } } | WRONG_TYPE | agent.tool_rules[0].rule_type.Conditional.mapping must be a table of tools by result, such as { yes = "book" }
          { Conditional = { mapping = { yes = "a" }, fallback = "a" } } | UNKNOWN_KEY | unknown key 'fallback' in agent.tool_rules[0].rule_type.Conditional; did you mean 'default'?
          { Conditional = { mapping = { yes = "a" }, system_prompt = "a" } } | UNKNOWN_KEY | unknown key 'system_prompt' in agent.tool_rules[0].rule_type.Conditional
          { Conditional = { mapping = {} } } | EMPTY_MAPPING | Conditional of 't' maps no result to a tool
          { Conditional = { mapping = { yes = "a" }, at = "x" } } | BAD_VALUE | Conditional of 't' reads 'x', which is not a JSON pointer such as /status
          { Needed = 1 }               | BAD_VALUE  | agent.tool_rules[0].rule_type.Needed must be left out: Needed takes no value
          7                            | WRONG_TYPE | agent.tool_rules[0].rule_type must be a name or a table, such as { MaxCalls = 3 }, not an integer
          {}                           | BAD_VALUE  | agent.tool_rules[0].rule_type must hold one name, such as { MaxCalls = 3 }
          { MaxCalls = 3, ExitLoop = 1 } | BAD_VALUE | agent.tool_rules[0].rule_type must hold one name, such as { MaxCalls = 3 }
          { type = "MaxCalls", value = 3, max = 3 } | UNKNOWN_KEY | unknown key 'max' in agent.tool_rules[0].rule_type
          "MaxCalls"                   | BAD_VALUE  | agent.tool_rules[0].rule_type: MaxCalls needs a number of calls, such as { MaxCalls = 3 }
          { MaxCalls = 1.5 }           | WRONG_TYPE | agent.tool_rules[0].rule_type.MaxCalls must be an integer, not 1.5
          { Cooldown = "soon" }        | BAD_VALUE  | agent.tool_rules[0].rule_type.Cooldown must be a duration such as "500ms", "30s", "5m" or a number of seconds, not "soon"
          "Cooldown"                   | BAD_VALUE  | agent.tool_rules[0].rule_type: Cooldown needs a duration such as "500ms", "30s", "5m" or a number of seconds
          { ExitLoop = true }          | BAD_VALUE  | agent.tool_rules[0].rule_type.ExitLoop must be left out: ExitLoop takes no value
          "RequiresPreceding"          | BAD_VALUE  | agent.tool_rules[0].rule_type: RequiresPreceding needs conditions = [..]
          { RequiresPreceding = [1] }  | WRONG_TYPE | agent.tool_rules[0].rule_type.RequiresPreceding[0] must be a string, not an integer
          { RequiresPreceding = 1 }    | WRONG_TYPE | agent.tool_rules[0].rule_type.RequiresPreceding must be a list, not an integer
          { ExclusiveGroups = [["a"], "b"] } | WRONG_TYPE | agent.tool_rules[0].rule_type.ExclusiveGroups[1] must be a list, not a string
          { RequiresConsent = "x" }    | WRONG_TYPE | agent.tool_rules[0].rule_type.RequiresConsent must be a table, not a string
          { RequiresConsent = { when = "x" } } | BAD_VALUE | agent.tool_rules[0].rule_type.RequiresConsent.when must be a JSON Schema: a table, or its JSON text, but is not JSON: the syntax is broken (line 1, column 1)
          { RequiresConsent = { when = { type = "objct" } } } | BAD_VALUE | agent.tool_rules[0].rule_type.RequiresConsent.when is not a JSON Schema: `when['type']` is "objct", which is not a type (did you mean 'object'?)
          { StartConstraint = { args = [] } } | BAD_VALUE | agent.tool_rules[0].rule_type.StartConstraint.args must be a table of arguments, or its JSON text
          { StartConstraint = { arg = {} } } | UNKNOWN_KEY | unknown key 'arg' in agent.tool_rules[0].rule_type.StartConstraint; did you mean 'args'?
          """)
  void namesWhatIsWrongWithAType(String type, FaultClass kind, String message) {
    assertThat(folder().all(rule("rule_type = " + type)))
        .singleElement()
        .satisfies(
            fault -> assertThat(fault.message()).isEqualTo(message.replace("{types}", TYPES)),
            fault -> assertThat(fault.kind()).isEqualTo(kind),
            fault -> assertThat(fault.severity()).isEqualTo(Severity.ERROR),
            fault -> assertThat(fault.line()).isEqualTo(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          conditions = ["a"]  | agent.tool_rules[0].conditions must be left out: MaxCalls takes no conditions
          priority = 0        | agent.tool_rules[0].priority must be 1 to 10, not 0
          priority = 11       | agent.tool_rules[0].priority must be 1 to 10, not 11
          scope = "trun"      | agent.tool_rules[0].scope must be one of 'turn', 'conversation', 'agent', not 'trun'; did you mean 'turn'?
          tool_name = ""      | agent.tool_rules[0].tool_name must not be empty
          """)
  void namesWhatIsWrongWithAKey(String key, String message) {
    String tool = key.startsWith("tool_name") ? "" : "\ntool_name = \"t\"";

    assertThat(folder().all(HEADER + key + "\nrule_type = { MaxCalls = 1 }" + tool))
        .singleElement()
        .satisfies(
            fault -> assertThat(fault.message()).isEqualTo(message),
            fault -> assertThat(fault.line()).isEqualTo(2));
  }

  @Test
  void aRuleOfNoTypeForNoToolIsFaultyTwice() {
    String rule = HEADER + "tool_name = \"god\"\nrule_type = \"MaxCall\"\n";

    assertThat(folder().faults(rule + AgentFolder.GOOD_TOOL))
        .containsExactly(
            "agent.toml:2:1: error: agent.tool_rules[0] is for 'god', but no tool has that name;"
                + " did you mean 'good'?",
            "agent.toml:3:1: error: there is no rule type 'MaxCall'; did you mean 'MaxCalls'? There"
                + " are "
                + TYPES);
  }

  @Test
  void aRuleNeedsAToolAndAType() {
    assertThat(folder().faults("[agent]\ntool_rules = [{}]"))
        .containsExactly(
            "agent.toml:2:15: error: agent.tool_rules[0] needs 'tool_name'",
            "agent.toml:2:15: error: agent.tool_rules[0] needs 'rule_type'");
    assertThat(folder().faults("[agent.tool_rules]"))
        .containsExactly("agent.toml:1:1: error: agent.tool_rules must be a list, not a table");
  }

  @Test
  void aListAtBothPlacesIsAFault() {
    assertThat(
            folder()
                .faults(rule("rule_type = { RequiresPreceding = [\"a\"] }\nconditions = [\"b\"]")))
        .containsExactly(
            "agent.toml:4:1: error: agent.tool_rules[0].conditions must be left out: rule_type"
                + " holds the list already");
  }

  @Test
  void whatTheLintFindsStandsWhereTheFileHasIt() {
    FaultList faults = new FaultList();
    String toml =
        """
        agent.tool_rules = [
          { tool_name = "*", rule_type = "ContinueLoop", conditions = ["a", "b"] },
          { tool_name = "c", rule_type = { MaxCalls = 0 } },
        ]
        """;
    Source source = Objects.requireNonNull(Source.read("agent.toml", toml, faults));

    Value root = Value.root(source);
    FileContext file =
        new FileContext(
            root,
            Path.of("agent.toml"),
            Environment.of(name -> null),
            Severity.ERROR,
            GuardedHttp.strict());
    RuleList.of(new FileTables(root, file).rules())
        .report(
            List.of(
                fault(1, RuleFault.Part.TOOL_NAME, RuleFault.Kind.UNKNOWN_TOOL),
                fault(1, RuleFault.Part.CONDITIONS, RuleFault.Kind.RULE_CYCLE),
                fault(2, RuleFault.Part.CONDITIONS, RuleFault.Kind.TOOL_NEVER_CALLABLE),
                fault(2, RuleFault.Part.RULE_TYPE, RuleFault.Kind.RULE_CONFLICT)));

    assertThat(faults.found())
        .extracting(fault -> fault.kind() + " " + fault)
        .containsExactly(
            "UNKNOWN_TOOL agent.toml:2:5: error: so",
            "RULE_CYCLE agent.toml:2:50: error: so",
            "TOOL_NEVER_CALLABLE agent.toml:3:22: warning: so",
            "RULE_CONFLICT agent.toml:3:22: error: so");
  }

  @ParameterizedTest
  @EnumSource(RuleFault.Kind.class)
  void everyKindOfTheLintHasItsClass(RuleFault.Kind kind) {
    assertThat(FaultClass.valueOf(kind.name()).name()).isEqualTo(kind.name());
  }

  private static RuleFault fault(int rule, RuleFault.Part part, RuleFault.Kind kind) {
    return new RuleFault(rule, part, kind, "so.");
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
