package dev.switchboard.cli.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.config.AgentFile;
import dev.switchboard.json.Json;
import dev.switchboard.rule.RuleType;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.ruling.RuleKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleFileTest {
  private static final List<ToolRule> RULES =
      List.of(
          ToolRule.exitAfter("new"),
          ToolRule.maxCalls("new", 7).priority(2).scope(ToolRule.Scope.TURN),
          ToolRule.after("new", "a \"quoted\"\nname", "\\"),
          ToolRule.cooldown("new", Duration.ofMillis(1500)),
          ToolRule.of("new", new RuleType.ExclusiveGroups(List.of(Set.of("y", "x"), Set.of("z")))),
          ToolRule.startWith("new", Json.text("{\"a\":[1,null]}")),
          ToolRule.consentWhen("new", Json.text("{\"title\":\"it's\"}"), "x"));

  @TempDir private Path folder;

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void addedRulesAreReadAndRemovedOnesLeaveNoTrace(int seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < 50; i++) {
      String before = RandomFile.of(random).text();
      ToolRule rule = RULES.get(random.nextInt(RULES.size()));
      List<ToolRule> rules = new ArrayList<>(read(before).rules());
      rules.add(rule);

      String added = added(before, rule);

      assertThat(read(added).rules()).as(before).isEqualTo(rules);
      assertThat(gap(before, added)).as(before).isEqualTo(added.length() - before.length());
      assertThat(removed(added, "new")).as(added).isEqualTo(before);
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(ints = {5, 6, 7, 8})
  void takesOutTheRuleWithItsCommentsAndBlankLinesAroundIt(int seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < 50; i++) {
      RandomFile file = RandomFile.of(random);
      for (String tool : Set.copyOf(file.tools())) {
        String before = file.text();
        String after = removed(before, tool);

        assertThat(filled(after)).as(before).isEqualTo(filled(file.without(tool).text()));
        assertThat(read(after).rules())
            .as(before)
            .isEqualTo(
                read(before).rules().stream().filter(rule -> !rule.tool().equals(tool)).toList());
      }
    }
  }

  private static List<String> filled(String text) {
    return text.lines().filter(line -> !line.isBlank()).toList();
  }

  /// How many characters of the longer text stand between what both begin and end with.
  private static int gap(String shorter, String longer) {
    int same = 0;
    while (same < shorter.length() && shorter.charAt(same) == longer.charAt(same)) {
      same++;
    }
    return longer.endsWith(shorter.substring(same)) ? longer.length() - shorter.length() : -1;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[agent]\ntool_rules = []\n",
        "[agent]\ntool_rules = [ # none yet\n]\n",
        "[agent]\ntool_rules = [{ tool_name = \"a\", rule_type = \"ExitLoop\" }] # one\n",
        "[agent]\ntool_rules = [ { tool_name = \"a\", rule_type = \"ExitLoop\" }, ]",
        "agent = { name = \"A\", tool_rules = [{ tool_name = \"a\", rule_type = \"ExitLoop\" }] }",
        """
        agent.tool_rules = [
          { tool_name = "a", rule_type = "ExitLoop" }, # a, b
          # end
        ]
        """,
        "[agent]\ntool_rules = [\r\n\t{ tool_name = \"a\", rule_type = \"ExitLoop\" } # a\r\n]\r\n",
      })
  void rulesInBracketsAreAddedToAndTakenFrom(String before) throws Exception {
    for (ToolRule rule : RULES) {
      List<ToolRule> rules = new ArrayList<>(read(before).rules());
      rules.add(rule);

      String added = added(before, rule);

      assertThat(read(added).rules()).isEqualTo(rules);
      assertThat(removed(added, "new")).isEqualTo(before);
      if (rules.size() > 1) {
        String less = removed(added, "a");
        assertThat(read(less).rules()).isEqualTo(rules.subList(1, rules.size()));
      }
    }
  }

  @Test
  void keepsEachRuleInBracketsOnItsLine() throws Exception {
    String list =
        """
        [agent]
        tool_rules = [
          # The end.
          { tool_name = "a", rule_type = "ExitLoop" }, # a

          { tool_name = "b", rule_type = "ExitLoop" }  # b
        ]
        """;

    assertThat(added(list, ToolRule.forbidden("c")))
        .isEqualTo(
            """
            [agent]
            tool_rules = [
              # The end.
              { tool_name = "a", rule_type = "ExitLoop" }, # a

              { tool_name = "b", rule_type = "ExitLoop" },  # b
              { tool_name = "c", rule_type = "Forbidden" }
            ]
            """);
    assertThat(removed(list, "a"))
        .isEqualTo(
            """
            [agent]
            tool_rules = [
              { tool_name = "b", rule_type = "ExitLoop" }  # b
            ]
            """);
    assertThat(removed(list, "b"))
        .isEqualTo(
            """
            [agent]
            tool_rules = [
              # The end.
              { tool_name = "a", rule_type = "ExitLoop" } # a
            ]
            """);
  }

  @Test
  void givesTheClosingBracketOfSeveralLinesALineOfItsOwn() throws Exception {
    String list =
        """
        [agent]
        tool_rules = [ { tool_name = "a", rule_type = "ExitLoop" }
         , { tool_name = "b", rule_type = "ExitLoop" } ]
        """;

    String added = added(list, ToolRule.forbidden("c"));

    assertThat(added)
        .isEqualTo(
            """
            [agent]
            tool_rules = [ { tool_name = "a", rule_type = "ExitLoop" }
             , { tool_name = "b", rule_type = "ExitLoop" },
              { tool_name = "c", rule_type = "Forbidden" }
            ]
            """);
    assertThat(removed(added, "c")).isEqualTo(list.replace(" ]", "\n]"));
  }

  @Test
  void addsToAnAgentInBracesOrOfDottedKeys() throws Exception {
    assertThat(added("agent = { name = \"A\" }\n", ToolRule.exitAfter("a")))
        .isEqualTo(
            "agent = { name = \"A\", tool_rules = [{ tool_name = \"a\", rule_type = \"ExitLoop\" }]"
                + " }\n");
    assertThat(added("agent = {}", ToolRule.exitAfter("a")))
        .isEqualTo("agent = { tool_rules = [{ tool_name = \"a\", rule_type = \"ExitLoop\" }] }");
    assertThat(added("agent.name = \"A\"", ToolRule.exitAfter("a")))
        .isEqualTo(
            "agent.name = \"A\"\nagent.tool_rules = [{ tool_name = \"a\", rule_type = \"ExitLoop\""
                + " }]");
  }

  @Test
  void commentsBelongToWhatFollowsThemWithoutABlankLine() throws Exception {
    String file =
        """
        [agent]
        name = "A"
        # pending = "deny"

        # About a.

        # The end of a.
        [[agent.tool_rules]]
        tool_name = "a"
        # Why it ends.
        rule_type = "ExitLoop"
        # priority = 9

        # The tools.
        [[tools]]
        name = "a"
        webhook_url = "https://api.example.com/a"
        """;

    assertThat(removed(file, "a"))
        .isEqualTo(
            """
            [agent]
            name = "A"
            # pending = "deny"

            # About a.
            # priority = 9

            # The tools.
            [[tools]]
            name = "a"
            webhook_url = "https://api.example.com/a"
            """);
    assertThat(added(file, ToolRule.maxCalls("a", 1)))
        .contains("# priority = 9\n\n[[agent.tool_rules]]\ntool_name = \"a\"\n")
        .contains("rule_type = { MaxCalls = 1 }\n\n# The tools.\n[[tools]]\n");
  }

  @Test
  void keepsTheByteOrderMark() throws Exception {
    Path file = write("\uFEFF[agent]\n");

    RuleFile.open(file).add(ToolRule.exitAfter("a"));

    assertThat(Files.readString(file)).startsWith("\uFEFF[agent]\n\n[[agent.tool_rules]]\n");
    RuleFile.open(file).remove("a", null);
    assertThat(Files.readString(file)).isEqualTo("\uFEFF[agent]\n");
  }

  @Test
  void knowsTheSameRuleInAnotherSpelling() throws Exception {
    Path file =
        write(
            """
            [[agent.tool_rules]]
            tool_name = "a"
            rule_type = { requires_consent = { when = { minProperties = 1, type = "object" } } }
            scope = "conversation"
            """);
    Json when = Json.text("{ \"type\": \"object\", \"minProperties\": 1 }");

    assertThat(RuleFile.open(file).add(ToolRule.consentWhen("a", when)).changed()).isFalse();
    assertThat(RuleFile.open(file).add(ToolRule.consentWhen("a", when).priority(6)).changed())
        .isTrue();
  }

  @Test
  void removesOnlyRulesOfTheKind() throws Exception {
    Path file = write("");
    RuleFile.open(file).add(ToolRule.exitAfter("a"));
    RuleFile.open(file).add(ToolRule.maxCalls("a", 1));

    assertThat(RuleFile.open(file).remove("a", RuleKind.COOLDOWN)).isZero();
    assertThat(RuleFile.open(file).remove("a", RuleKind.EXIT_LOOP)).isEqualTo(1);
    assertThat(RuleFile.open(file).rules()).containsExactly(ToolRule.maxCalls("a", 1));
  }

  @Test
  void refusesAFileThatIsNotToml() throws Exception {
    Path file = write("[agent\n");

    assertThatThrownBy(() -> RuleFile.open(file).remove("a", null))
        .isInstanceOf(EditRefusedException.class)
        .hasMessageContaining("agent.toml:1:7: error: ");
  }

  private String added(String text, ToolRule rule) throws EditRefusedException, IOException {
    Path file = write(text);
    assertThat(RuleFile.open(file).add(rule).changed()).isTrue();
    return Files.readString(file);
  }

  private String removed(String text, String tool) throws EditRefusedException, IOException {
    Path file = write(text);
    assertThat(RuleFile.open(file).remove(tool, null)).isPositive();
    return Files.readString(file);
  }

  private AgentFile read(String text) {
    return AgentFile.preview(folder.resolve("agent.toml"), text);
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("agent.toml"), text);
  }
}
