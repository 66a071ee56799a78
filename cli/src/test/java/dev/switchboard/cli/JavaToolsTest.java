package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What commands do with a file whose tools are made in Java.
class JavaToolsTest {
  private static final String FILE =
      """
      [agent]
      name = "DataProcessor"
      tools = ["load_data"]
      [[agent.tool_rules]]
      tool_name = "load_data"
      rule_type = "StartConstraint"
      """;
  private static final String SENTENCE =
      "switchboard: FILE names tools that are made in Java ('load_data'); this command runs only"
          + " those of the file.\n";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tool list",
        "tool schema",
        "tool call FILE load_data {}",
        "exec",
        "chat FILE -m Hello --model ollama:none",
        "chat"
      })
  void aCommandThatNeedsThemSaysSo(String command) {
    assertThat(run(FILE, command)).isEqualTo(new Cli(2, "", SENTENCE));
  }

  @Test
  void threeOfThemAreNamed() {
    String pipeline =
        """
        [[agent.tool_rules]]
        tool_name = "connect_db"
        rule_type = "StartConstraint"
        [[agent.tool_rules]]
        tool_name = "extract_data"
        rule_type = { RequiresPreceding = ["connect_db"] }
        [[agent.tool_rules]]
        tool_name = "transform_data"
        rule_type = { RequiresPreceding = ["extract_data"] }
        [[agent.tool_rules]]
        tool_name = "load_to_warehouse"
        rule_type = { RequiresPreceding = ["transform_data"] }
        """;

    assertThat(run(pipeline, "exec").err())
        .contains("made in Java ('connect_db', 'extract_data', 'transform_data', ...);");
  }

  @Test
  void commandsThatDoNotRunThemWork() {
    assertThat(run(FILE, "validate"))
        .isEqualTo(new Cli(0, "FILE: ok (0 tools; 1 tool made in Java, not checked)\n", ""));
    assertThat(run(FILE, "agent list rules FILE").out()).contains("load_data  start-constraint");
  }

  @Test
  void rulesForTheToolsOfACallNeedNoJava() {
    String toml =
        """
        [agent]
        name = "Shop"
        [[agent.tool_rules]]
        tool_name = "end_call"
        rule_type = { RequiresPreceding = ["a"] }
        [[tools]]
        name = "a"
        webhook_url = "https://api.example.com/a"
        """;

    assertThat(run(toml, "validate")).isEqualTo(new Cli(0, "FILE: ok (1 tool)\n", ""));
    assertThat(run(toml, "validate --tools b FILE").exit()).isZero();
    assertThat(run(toml, "tool list").exit()).isZero();
    assertThat(run(toml, "agent add rule FILE transfer_call max-calls -p 1"))
        .isEqualTo(new Cli(0, "Added max-calls rule for 'transfer_call' on agent 'Shop'\n", ""));
  }

  private Cli run(String toml, String command) {
    String file = AgentToml.write(folder, toml);
    String whole = command.contains("FILE") || command.contains(" -") ? command : command + " FILE";
    String[] words =
        Arrays.stream(whole.split(" "))
            .flatMap(word -> Stream.of(word.equals("FILE") ? file : word))
            .toArray(String[]::new);
    Cli cli = Cli.run(words);
    return new Cli(cli.exit(), cli.out().replace(file, "FILE"), cli.err().replace(file, "FILE"));
  }
}
