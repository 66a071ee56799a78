package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that speak of tools made in Java.
class JavaToolsTest {
  private static final String MIXED =
      """
      [agent]
      tools = ["good", "lookup"]
      tool_rules = [
        { tool_name = "good", rule_type = { RequiresPreceding = ["lookup"] } },
        { tool_name = "lookup", rule_type = { AllowedOperations = ["read"] } }]
      """
          + AgentFolder.GOOD_TOOL;

  @TempDir private Path folder;

  @Test
  void aFileThatNamesThemBesideItsOwnIsWarnedOf() {
    assertThat(folder().faults(MIXED))
        .containsExactly(
            "agent.toml:2:18: warning: agent.tools names 'lookup', which no tool of the file has:"
                + " it has to be made in Java");
    assertThat(folder().read(MIXED).javaTools()).containsExactly("lookup");
  }

  @Test
  void aSlipOfTheKeyIsAskedAbout() {
    assertThat(folder().faults(MIXED.replace("\"good\", ", "\"goood\", ")))
        .contains(
            "agent.toml:2:10: warning: agent.tools names 'goood', which no tool of the file has: it"
                + " has to be made in Java; did you mean 'good'?");
  }

  @Test
  void rulesMayNameThemWhereTheAgentHasAllTools() {
    String toml =
        """
        [[agent.tool_rules]]
        tool_name = "lookup"
        rule_type = "ExitLoop"
        """
            + AgentFolder.GOOD_TOOL;

    assertThat(folder().faults(toml))
        .containsExactly(
            "agent.toml:2:1: warning: ExitLoop is for 'lookup', but no tool has that name");
    assertThat(folder().read(toml).javaTools()).containsExactly("lookup");
    assertThat(folder().read(AgentFolder.GOOD_TOOL).javaTools()).isEmpty();
  }

  @Test
  void rulesMayNameTheToolsOfACall() {
    String rules =
        """
        [[agent.tool_rules]]
        tool_name = "end_call"
        rule_type = { RequiresPreceding = ["good"] }
        [[agent.tool_rules]]
        tool_name = "transfer_call"
        rule_type = { RequiresConsent = { bind = ["number"] } }
        """;

    for (String mcp :
        List.of("", "[[agent.mcp]]\nname = \"m\"\ncommand = \"m\"\nprefix = false\n")) {
      String toml = rules + mcp + AgentFolder.GOOD_TOOL;
      assertThat(folder().faults(toml)).allMatch(fault -> fault.contains("mcp is not read"));
      assertThat(folder().read(toml).javaTools()).isEmpty();
      assertThat(folder().read(toml).rules()).hasSize(2);
      assertThat(faults(toml, JavaTools.named(List.of("lookup"))))
          .allMatch(fault -> fault.contains("mcp is not read"));
    }
    assertThat(folder().faults(rules + AgentFolder.GOOD_TOOL + "mod = 1\n")).hasSize(1);
  }

  @Test
  void theToolsOfACallAreNotAnAgents() {
    assertThat(
            folder()
                .faults("[agent]\ntools = [\"good\", \"transfer_call\"]\n" + AgentFolder.GOOD_TOOL))
        .containsExactly(
            "agent.toml:2:18: error: agent.tools names 'transfer_call', which is a reserved name: a"
                + " call has that tool");
  }

  @Test
  void aFileWithoutToolsOfItsOwnNamesThemWithoutAWarning() {
    String toml =
        """
        [agent]
        tools = ["load_data", "block"]
        [[agent.tool_rules]]
        tool_name = "load_data"
        rule_type = "StartConstraint"
        [[agent.tool_rules]]
        tool_name = "save"
        rule_type = { RequiresPreceding = ["load_data"] }
        """;

    assertThat(folder().faults(toml)).isEmpty();
    assertThat(folder().read(toml).javaTools()).containsExactly("load_data", "save");
  }

  @Test
  void whereAllAreKnownAnotherNameIsAnError() {
    assertThat(faults(MIXED, JavaTools.named(List.of("lookup")))).isEmpty();
    assertThat(faults(MIXED, JavaTools.named(List.of("lokup"))))
        .containsExactly(
            "agent.toml:2:18: error: agent.tools names 'lookup', which no tool has; did you mean"
                + " 'lokup'?",
            "agent.toml:5:5: error: agent.tool_rules[1] is for 'lookup', but no tool has that name;"
                + " did you mean 'lokup'?");
    assertThat(faults(MIXED, JavaTools.of(List.of())))
        .anyMatch(fault -> fault.contains("error: agent.tools names 'lookup', which no tool has"));
    assertThat(faults("[agent]\ntools = [\"load\"]", JavaTools.of(List.of())))
        .containsExactly("agent.toml:2:10: error: agent.tools names 'load', which no tool has");
  }

  @Test
  void aRuleForANameThatIsNotStatedIsAnErrorToo() {
    String rule = "[[agent.tool_rules]]\ntool_name = \"lokup\"\nrule_type = \"ExitLoop\"\n";

    assertThat(faults(MIXED.replaceFirst("(?s)tool_rules.*?}]\n", "") + rule, named("lookup")))
        .anyMatch(fault ->
            fault.endsWith(
                "error: ExitLoop is for 'lokup', but no tool has that name; did you mean"
                    + " 'lookup'?"));
  }

  @Test
  void aNameThatTheFileHasTooIsDefinedTwice() {
    assertThat(faults(MIXED, named("lookup", "good")))
        .containsExactly("agent.toml:7:1: error: tool 'good' is defined twice, here and in Java");
  }

  @Test
  void toolsThatAreThereAreNotMissing() {
    Tool lookup = Tool.dynamic("lookup").handler(arguments -> "found");

    assertThat(folder().read(MIXED.replaceFirst(",\n.*Operations.*]\n", "]\n"), lookup).javaTools())
        .isEmpty();
  }

  private static JavaTools named(String... names) {
    return JavaTools.named(List.of(names));
  }

  private List<String> faults(String toml, JavaTools java) {
    try {
      return folder().reader(toml, java).read().warnings().stream()
          .map(ConfigException.Fault::toString)
          .toList();
    } catch (ConfigException e) {
      return e.faults().stream().map(fault -> fault.toString().replace(folder + "/", "")).toList();
    }
  }

  private AgentFolder folder() {
    return new AgentFolder(folder);
  }
}
