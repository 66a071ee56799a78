package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.ruling.RuleKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
  private static final String TOOL =
      "[[tools]]\nname = \"a\"\nwebhook_url = \"https://api.example.com/a\"\n";

  @TempDir private Path folder;

  @Test
  void saysThatAFileIsGood() {
    assertThat(validate(TOOL)).isEqualTo(new Cli(0, "FILE: ok (1 tool)\n", ""));
    assertThat(validate("[agent]\nguardrails = [\"email\", \"iban\"]"))
        .isEqualTo(new Cli(0, "FILE: ok (0 tools, 2 guardrails)\n", ""));
    assertThat(validate("[agent]")).isEqualTo(new Cli(0, "FILE: ok (0 tools)\n", ""));
    assertThat(
            validate(
                """
                [agent]
                model = "ollama:a"
                fallback = ["ollama:b", "ollama:c"]
                reply = { type = "object" }
                """))
        .isEqualTo(new Cli(0, "FILE: ok (0 tools, replies of a form, 2 fallback models)\n", ""));
    assertThat(validate("[agent]\ntools = [\"block\", \"recall\"]"))
        .isEqualTo(new Cli(0, "FILE: ok (2 tools)\n", ""));
    assertThat(validate(TOOL, "--json")).isEqualTo(new Cli(0, "", ""));
  }

  @Test
  void saysEveryFaultWithItsLine() {
    assertThat(validate(TOOL + "webhok_url = 1\nresult_limit = 10\nstrict = 1\n"))
        .isEqualTo(
            new Cli(
                2,
                "",
                """
                FILE:4:1: error: unknown key 'webhok_url' in tools[0]; did you mean 'webhook_url'?
                FILE:5:1: warning: tools[0].result_limit is 10 characters: the model hardly reads a sentence
                FILE:6:1: error: tools[0].strict must be true or false, not an integer
                FILE: 2 errors, 1 warning
                """));
  }

  @Test
  void printsFaultsForPrograms() {
    assertThat(validate("x = 1\n[agent]\nguardrails = [\"emails\"]", "--json"))
        .isEqualTo(
            new Cli(
                2,
                """
                {"file":"FILE","line":1,"column":1,"severity":"error","class":"UNKNOWN_KEY","message":"unknown key 'x'"}
                {"file":"FILE","line":3,"column":15,"severity":"error","class":"BAD_VALUE","message":"agent.guardrails[0] is not a built-in check; did you mean 'email'? There are card_number, iban, email, phone_number, secrets, instructions; for words, state { name = '..', words = ['..'] }"}
                """,
                ""));
  }

  @Test
  void saysWhatIsWrongWithARule() {
    String rule = "[[agent.tool_rules]]\ntool_name = \"a\"\nrule_type = { MaxCall = 3 }\n";
    String types =
        Arrays.stream(RuleKind.values()).map(RuleKind::pascal).collect(Collectors.joining(", "));

    assertThat(validate(TOOL + rule).err())
        .startsWith(
            "FILE:6:15: error: there is no rule type 'MaxCall'; did you mean 'MaxCalls'? There are "
                + types
                + "\n");
    assertThat(validate(TOOL + rule, "--json").out())
        .isEqualTo(
            """
            {"file":"FILE","line":6,"column":15,"severity":"error","class":"UNKNOWN_RULE_TYPE","message":"there is no rule type 'MaxCall'; did you mean 'MaxCalls'? There are TYPES"}
            """
                .replace("TYPES", types));
  }

  @Test
  void warningsAloneAreNotAFailure() {
    assertThat(validate(TOOL + "result_limit = 10"))
        .isEqualTo(
            new Cli(
                0,
                "FILE: ok (1 tool, 1 warning)\n",
                "FILE:4:1: warning: tools[0].result_limit is 10 characters: the model hardly reads"
                    + " a sentence\n"));
  }

  @Test
  void aFileThatSaysNothingIsWarnedOf() {
    assertThat(validate(""))
        .isEqualTo(
            new Cli(
                0,
                "FILE: ok (0 tools, 1 warning)\n",
                "FILE:1:1: warning: the file says nothing: an agent has a table [agent] with its"
                    + " model and its tools\n"));
  }

  @Test
  void countsToolsMadeInJava() {
    String toml = "[agent]\ntools = [\"load\", \"a\"]\n" + TOOL;

    assertThat(validate(toml))
        .isEqualTo(
            new Cli(
                0,
                "FILE: ok (1 tool, 1 warning; 1 tool made in Java, not checked)\n",
                "FILE:2:10: warning: agent.tools names 'load', which no tool of the file has: it"
                    + " has to be made in Java\n"));
    assertThat(validate("[agent]\ntools = [\"load\", \"save\", \"block\"]"))
        .isEqualTo(new Cli(0, "FILE: ok (1 tool; 2 tools made in Java, not checked)\n", ""));
  }

  @Test
  void takesTheNamesOfToolsMadeInJava() {
    String toml = "[agent]\ntools = [\"load\", \"save\", \"a\"]\n" + TOOL;

    assertThat(validate(toml, "--tools", "load, save"))
        .isEqualTo(new Cli(0, "FILE: ok (1 tool; 2 tools made in Java)\n", ""));
    assertThat(validate(toml, "--tools", "load").err())
        .isEqualTo(
            "FILE:2:18: error: agent.tools names 'save', which no tool has\nFILE: 1 error\n");
  }

  @Test
  void warnsOfUnsetVariableThatExecRefuses() {
    String toml = TOOL + "secret_env = \"SWITCHBOARD_TEST_UNSET\"\n";

    assertThat(validate(toml).exit()).isZero();
    assertThat(validate(toml).err())
        .isEqualTo(
            "FILE:4:1: warning: tools[0].secret_env names the environment variable"
                + " 'SWITCHBOARD_TEST_UNSET', which is not set\n");
    assertThat(Cli.run("exec", folder.resolve("agent.toml").toString()).exit()).isEqualTo(2);
  }

  @Test
  void aMissingFileIsAFault() {
    String missing = folder.resolve("none.toml").toString();

    assertThat(Cli.run("validate", missing).err())
        .isEqualTo(missing + ": error: the file does not exist\n" + missing + ": 1 error\n");
    assertThat(Cli.run("validate", missing, "--json").out()).contains("\"class\":\"UNREADABLE\"");
    assertThat(Cli.run("validate", missing).exit()).isEqualTo(2);
  }

  private Cli validate(String toml, String... options) {
    String file = AgentToml.write(folder, toml);
    String[] args = new String[options.length + 2];
    args[0] = "validate";
    args[1] = file;
    System.arraycopy(options, 0, args, 2, options.length);
    Cli cli = Cli.run(args);
    return new Cli(cli.exit(), cli.out().replace(file, "FILE"), cli.err().replace(file, "FILE"));
  }
}
