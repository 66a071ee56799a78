package dev.switchboard.ruling;

import static dev.switchboard.rule.ToolRule.after;
import static dev.switchboard.rule.ToolRule.allowedOperations;
import static dev.switchboard.rule.ToolRule.before;
import static dev.switchboard.rule.ToolRule.consent;
import static dev.switchboard.rule.ToolRule.consentWhen;
import static dev.switchboard.rule.ToolRule.cooldown;
import static dev.switchboard.rule.ToolRule.exitAfter;
import static dev.switchboard.rule.ToolRule.forbidden;
import static dev.switchboard.rule.ToolRule.maxCalls;
import static dev.switchboard.rule.ToolRule.oneOf;
import static dev.switchboard.rule.ToolRule.requiredBeforeExit;
import static dev.switchboard.rule.ToolRule.requiredBeforeExitIf;
import static dev.switchboard.rule.ToolRule.startWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RuleLintTest {
  private static final List<ToolDefinition> TOOLS =
      Stream.concat(
              Stream.of("load", "validate", "save", "end").map(name -> tool(name, "{}")),
              Stream.of(
                  tool("file", "{\"op\":{\"enum\":[\"read\",\"append\"]}}"),
                  tool("free", "{\"operation\":{\"type\":\"string\"}}"),
                  tool("key", "{\"verb\":{\"enum\":[\"get\"]}}"),
                  tool("pay", "{\"amount\":{\"type\":\"integer\"}}", "amount")))
          .toList();

  private static ToolDefinition tool(String name, String properties, String... required) {
    Json schema =
        Json.of(
            Map.of(
                "type",
                "object",
                "properties",
                Json.text(properties).tree(),
                "required",
                List.of(required)));
    return new ToolDefinition(
        name, "", schema, false, ToolMode.EXTERNAL, null, null, List.of(), null);
  }

  private static ToolDefinition withOperationKey(ToolDefinition tool, String key) {
    return new ToolDefinition(
        tool.name(),
        tool.description(),
        tool.parameters(),
        tool.strict(),
        tool.mode(),
        tool.output(),
        tool.usageRule(),
        tool.examples(),
        key);
  }

  private static ToolRule continueAfter(String tool) {
    return ToolRule.of(tool, new RuleType.ContinueLoop());
  }

  /// Each fault as `index class: sentence`.
  private static List<String> faults(ToolRule... rules) {
    return RuleLint.faults(List.of(rules), TOOLS).stream()
        .map(fault -> "%d %s: %s".formatted(fault.rule(), fault.kind(), fault.message()))
        .toList();
  }

  @Test
  void findsNothingInTheRulesOfTheSeed() {
    assertThat(
            faults(
                startWith("load").priority(10),
                after("validate", "load").priority(8),
                maxCalls("save", 3),
                exitAfter("end").priority(9)))
        .isEmpty();
    assertThat(RuleLint.faults(List.of(), List.of())).isEmpty();
  }

  @Test
  void namesUnknownToolsWithASuggestion() {
    assertThat(faults(maxCalls("sav", 3)))
        .containsExactly(
            "0 UNKNOWN_TOOL: MaxCalls is for 'sav', but no tool has that name; did you mean"
                + " 'save'?");
    assertThat(faults(after("save", "load", "xyzzy")))
        .containsExactly(
            "0 UNKNOWN_TOOL: RequiresPreceding of 'save' names 'xyzzy', but no tool has that"
                + " name.");
    assertThat(faults(oneOf("save", "lod"), requiredBeforeExitIf("save", "lod")))
        .hasSize(2)
        .allMatch(fault -> fault.contains("did you mean 'load'?"));
    assertThat(RuleLint.faults(List.of(maxCalls("sav", 3)), null)).isEmpty();
  }

  @Test
  void knowsTheToolsThatACallAdds() {
    assertThat(
            faults(after("end_call", "load"), consent("transfer_call"), before("save", "end_call")))
        .isEmpty();
    assertThat(faults(after("end_call", "lod")))
        .containsExactly(
            "0 UNKNOWN_TOOL: RequiresPreceding of 'end_call' names 'lod', but no tool has that"
                + " name; did you mean 'load'?");
  }

  @Test
  void besideToolsThatAreNotKnownItJudgesThoseThatAre() {
    assertThat(
            RuleLint.faultsBeside(
                List.of(after("sav", "lod"), maxCalls("*", 3), startWith("save")), TOOLS))
        .allMatch(fault -> fault.kind() != RuleFault.Kind.UNKNOWN_TOOL);
    assertThat(RuleLint.faultsBeside(List.of(ToolRule.allowedOperations("file", "raed")), TOOLS))
        .extracting(RuleFault::kind)
        .containsExactly(RuleFault.Kind.UNKNOWN_OPERATION);
  }

  @Test
  void pointsAtThePartThatIsWrong() {
    assertThat(RuleLint.faults(List.of(maxCalls("sav", 3)), TOOLS).getFirst().part())
        .isEqualTo(RuleFault.Part.TOOL_NAME);
    assertThat(RuleLint.faults(List.of(after("save", "lod")), TOOLS).getFirst().part())
        .isEqualTo(RuleFault.Part.CONDITIONS);
  }

  @Test
  void knowsTheOperationsOfATool() {
    assertThat(faults(allowedOperations("file", "raed")))
        .containsExactly(
            "0 UNKNOWN_OPERATION: AllowedOperations of 'file' names the operation 'raed', which is"
                + " not one of ['read', 'append']; did you mean 'read'?");
    assertThat(faults(allowedOperations("free", "whatever"))).isEmpty();
    assertThat(faults(allowedOperations("save", "read")))
        .containsExactly(
            "0 TOOL_HAS_NO_OPERATIONS: AllowedOperations of 'save' changes nothing: there are no"
                + " operations.");
    assertThat(faults(allowedOperations("key", "get"))).hasSize(1);
    List<ToolRule> rules = List.of(allowedOperations("key", "get", "put"));
    List<ToolDefinition> stated =
        TOOLS.stream()
            .map(tool -> tool.name().equals("key") ? withOperationKey(tool, "verb") : tool)
            .toList();
    assertThat(RuleLint.faults(rules, stated))
        .extracting(RuleFault::kind)
        .containsExactly(RuleFault.Kind.UNKNOWN_OPERATION);
  }

  @Test
  void namesTheToolsOfACycleOnce() {
    assertThat(faults(after("load", "validate"), after("validate", "save"), after("save", "load")))
        .containsExactly(
            "0 RULE_CYCLE: 'load' waits for 'validate', which waits for 'save', which waits for"
                + " 'load': none of them can ever run.");
    assertThat(faults(after("save", "save")))
        .containsExactly("0 RULE_CYCLE: 'save' waits for 'save': it can never run.");
    assertThat(faults(after("*", "load"), after("load", "save")))
        .containsExactly(
            "0 RULE_CYCLE: 'load' waits for 'save', which waits for 'load': none of them can ever"
                + " run.");
    assertThat(faults(after("save", "load"), after("validate", "load", "save"))).isEmpty();
  }

  @Test
  void findsAStartToolThatWaitsForWhatItHoldsBack() {
    assertThat(faults(startWith("load"), after("load", "save")))
        .containsExactly(
            "1 RULE_DEADLOCK: 'load' has to come first, but waits for 'save', which waits for it.");
    assertThat(faults(startWith("load"), startWith("save"), after("save", "load"))).isEmpty();
  }

  @Test
  void findsToolsThatAreNeededAndNeverRun() {
    assertThat(faults(after("save", "load"), forbidden("load")))
        .containsExactly(
            "0 RULE_DEADLOCK: 'save' waits for 'load', which never runs: it is forbidden.");
    assertThat(faults(requiredBeforeExit("load"), maxCalls("load", 0)))
        .containsExactly(
            "0 RULE_DEADLOCK: 'load' is required before the end, but never runs: its limit is 0"
                + " calls.",
            "1 TOOL_NEVER_CALLABLE: MaxCalls of 'load' is 0, so that it can never be called.");
    assertThat(faults(startWith("load"), forbidden("load")))
        .containsExactly(
            "0 RULE_DEADLOCK: 'load' has to come first, but never runs: it is forbidden.");
    assertThat(faults(requiredBeforeExitIf("load", "save"), forbidden("load"))).hasSize(1);
    assertThat(faults(after("save", "load"), forbidden("save"))).isEmpty();
  }

  @Test
  void findsGroupsOfWhichMoreThanOneIsNeeded() {
    assertThat(faults(oneOf("load", "save"), after("end", "load", "save")))
        .containsExactly(
            "0 RULE_DEADLOCK: 'end' can never run: it needs more than one of the group ['load',"
                + " 'save']: ['load', 'save'].");
    assertThat(faults(oneOf("load", "save"), after("save", "load")))
        .containsExactly(
            "0 RULE_DEADLOCK: 'save' can never run: it needs more than one of the group ['load',"
                + " 'save']: ['load', 'save'].");
    assertThat(
            faults(oneOf("load", "save"), requiredBeforeExit("load"), requiredBeforeExit("save")))
        .containsExactly(
            "0 RULE_DEADLOCK: ['load', 'save'] are required before the end, but only one of the"
                + " group ['load', 'save'] can be used.");
    assertThat(faults(oneOf("load", "save"), startWith("load"), startWith("save"))).hasSize(1);
    assertThat(
            faults(oneOf("load", "save").scope(ToolRule.Scope.TURN), after("end", "load", "save")))
        .isEmpty();
    assertThat(faults(oneOf("load", "save"), requiredBeforeExit("load"), after("end", "save")))
        .isEmpty();
  }

  @Test
  void findsAToolThatHasToComeBeforeWhatItWaitsFor() {
    assertThat(faults(before("save", "load"), after("save", "load")))
        .containsExactly(
            "0 RULE_CONFLICT: 'save' has to come before 'load', but cannot run until 'load' has"
                + " succeeded.");
    assertThat(faults(startWith("load"), before("save", "load"))).hasSize(1);
    assertThat(faults(before("end", "load"), after("end", "save"), after("save", "load")))
        .hasSize(1);
    assertThat(faults(before("save", "load").scope(ToolRule.Scope.TURN), after("save", "load")))
        .isEmpty();
    assertThat(faults(before("save", "load"), after("load", "save"))).isEmpty();
  }

  @Test
  void findsContradictions() {
    assertThat(faults(exitAfter("save"), continueAfter("save")))
        .containsExactly(
            "1 RULE_CONFLICT: the loop cannot both end (ExitLoop) and go on (ContinueLoop) after"
                + " 'save'.");
    assertThat(faults(exitAfter("*"), continueAfter("save"))).isEmpty();
    assertThat(faults(allowedOperations("file", "read"), allowedOperations("file", "append")))
        .containsExactly(
            "1 RULE_CONFLICT: no operation of 'file' is left: its AllowedOperations have none in"
                + " common.");
    assertThat(faults(allowedOperations("*", "read"), allowedOperations("file", "append")))
        .hasSize(1);
    assertThat(faults(ToolRule.of("*", new RuleType.StartConstraint(null, true))))
        .containsExactly(
            "0 RULE_CONFLICT: StartConstraint needs the name of one tool: not every tool can be the"
                + " first.");
    assertThat(faults(requiredBeforeExit("save").scope(ToolRule.Scope.AGENT)))
        .containsExactly(
            "0 BAD_VALUE: RequiredBeforeExit of 'save' has the scope agent, but only a turn or a"
                + " conversation ends.");
  }

  @Test
  void checksWhatConsentReads() {
    assertThat(faults(consent("pay", "amuont")))
        .containsExactly(
            "0 BAD_VALUE: RequiresConsent of 'pay' reads the argument 'amuont', which the tool does"
                + " not take; did you mean 'amount'?");
    assertThat(faults(consent("pay", "/amount"), consent("pay", "amount"))).isEmpty();
    Json good =
        Json.text("{\"properties\":{\"amount\":{\"minimum\":100}},\"required\":[\"amount\"]}");
    assertThat(faults(consentWhen("pay", good))).isEmpty();
    Json unknown = Json.text("{\"required\":[\"sum\"]}");
    assertThat(faults(consentWhen("pay", unknown)))
        .containsExactly(
            "0 BAD_VALUE: RequiresConsent of 'pay' reads the argument 'sum', which the tool does"
                + " not take.");
    Json wrong = Json.text("{\"properties\":{\"amount\":{\"type\":\"integr\"}}}");
    assertThat(faults(consentWhen("pay", wrong)))
        .containsExactly(
            "0 BAD_VALUE: RequiresConsent of 'pay' has a `when` that is not a JSON Schema:"
                + " `when.properties.amount['type']` is \"integr\", which is not a type (did you"
                + " mean 'integer'?).");
    assertThat(RuleLint.faults(List.of(consentWhen("pay", Json.text("{"))), null)).hasSize(1);
    assertThat(RuleLint.faults(List.of(consentWhen("pay", Json.text("7"))), null)).hasSize(1);
  }

  @Test
  void checksTheArgumentsOfAStartTool() {
    assertThat(faults(startWith("pay", Json.text("{\"amount\":\"much\"}"))))
        .containsExactly(
            "0 PREFILL_TYPE_MISMATCH: StartConstraint of 'pay' sets args that 'pay' does not take:"
                + " /amount: expected integer, found string \"much\".");
    assertThat(faults(startWith("pay", Json.text("{\"amount\":3}")))).isEmpty();
    assertThat(faults(startWith("pay")))
        .containsExactly(
            "0 START_TOOL_NEEDS_ARGS: StartConstraint of 'pay' states no args, and the tool needs"
                + " some: the model has to call it first itself.");
    assertThat(faults(ToolRule.of("pay", new RuleType.StartConstraint(null, false)))).isEmpty();
  }

  @Test
  void warnsOfRulesThatSayNothing() {
    assertThat(faults(after("save"), before("save"), requiredBeforeExitIf("save")))
        .containsExactly(
            "0 EMPTY_CONDITION: RequiresPreceding of 'save' names no tool.",
            "1 EMPTY_CONDITION: RequiresFollowing of 'save' names no tool.",
            "2 EMPTY_CONDITION: RequiredBeforeExitIf of 'save' names no tool.");
    assertThat(faults(allowedOperations("file")))
        .containsExactly(
            "0 EMPTY_CONDITION: AllowedOperations of 'file' names no operation, so that none is"
                + " allowed.");
    assertThat(faults(oneOf("save")))
        .containsExactly(
            "0 EMPTY_CONDITION: ExclusiveGroups of 'save' has a group of fewer than two tools:"
                + " ['save'].");
    ToolRule none = ToolRule.of("save", new RuleType.ExclusiveGroups(List.<Set<String>>of()));
    assertThat(faults(none))
        .containsExactly("0 EMPTY_CONDITION: ExclusiveGroups of 'save' names no group.");
  }

  @Test
  void warnsOfRulesThatAnotherMakesVoid() {
    assertThat(faults(maxCalls("save", 3), maxCalls("save", 10)))
        .containsExactly(
            "1 DUPLICATE_RULE: MaxCalls of 'save' changes nothing: another such rule is at least as"
                + " strict.");
    assertThat(faults(maxCalls("save", 10), maxCalls("*", 3)))
        .containsExactly(
            "0 DUPLICATE_RULE: MaxCalls of 'save' changes nothing: MaxCalls of every tool is at"
                + " least as strict.");
    assertThat(faults(maxCalls("save", 3), maxCalls("*", 10))).isEmpty();
    assertThat(faults(maxCalls("save", 3), maxCalls("save", 10).scope(ToolRule.Scope.AGENT)))
        .isEmpty();
    assertThat(
            faults(
                cooldown("save", Duration.ofSeconds(1)), cooldown("save", Duration.ofSeconds(2))))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("0 ");
    assertThat(faults(forbidden("save"), forbidden("save"), exitAfter("end"), exitAfter("end")))
        .hasSize(2);
    assertThat(faults(after("*", "load"), after("save", "load"))).hasSize(1);
  }
}
