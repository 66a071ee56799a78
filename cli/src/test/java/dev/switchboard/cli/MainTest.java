package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.util.LibraryLoaderUtil;

class MainTest {
  @Test
  void saysItsVersionAndTheJavaItRunsOn() {
    assertThat(Cli.run("--version"))
        .satisfies(
            cli -> assertThat(cli.exit()).isZero(),
            cli ->
                assertThat(cli.out())
                    .matches("switchboard \\d+\\.\\d+\\.\\d+\\S* \\(Java .+\\)\\R"),
            cli -> assertThat(cli.err()).isEmpty());
  }

  @Test
  void helpsWithExamplesAndExitCodesAndWithoutColour() {
    Cli cli = Cli.run("--help");

    assertThat(cli.exit()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .contains("Usage: switchboard", "Commands:", "completion", "Examples:", "the work failed")
        .doesNotContain("\u001b");
  }

  @Test
  void helpsWithEveryCommand() {
    assertThat(Cli.run("completion", "--help").out())
        .contains("Usage: switchboard completion", "Examples:");
  }

  @Test
  void withoutACommandHelpsOnStandardErrorAndFails() {
    assertThat(Cli.run()).isEqualTo(new Cli(2, "", Cli.run("--help").out()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--version",
        "--help",
        "help tool",
        "completion",
        "validate FILE",
        "tool list FILE",
        "tool list FILE --json",
        "tool schema FILE send_message",
        "tool call FILE send_message {\"target\":{\"type\":\"user\"},\"content\":\"x\"}",
        "token list",
        "memory list FILE",
        "conversations list FILE",
        "approvals list FILE"
      })
  void outputThatCannotBeWrittenIsAFailure(String command, @TempDir Path folder)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("shop.toml"),
            """
            [agent]
            name = "Shop"
            tools = ["send_message"]
            [storage]
            url = "sqlite:shop.db"
            """);
    Cli full = Cli.runFull(folder, command.replace("FILE", file.toString()).split(" "));

    assertThat(full.exit()).as(full.err()).isEqualTo(1);
    assertThat(full.err()).endsWith("switchboard: Standard output cannot be written.\n");
  }

  @Test
  void answersWrongUsageWithOneSentence() {
    assertThat(Cli.run("--verson"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: Unknown option: '--verson' (did you mean --version?);"
                    + " see 'switchboard --help'."
                    + System.lineSeparator()));
  }

  @Test
  void namesNoCommandThatIsUnlike() {
    assertThat(Cli.run("nosuch").err())
        .isEqualTo("switchboard: Unknown command: 'nosuch'; see 'switchboard --help'.\n");
    assertThat(Cli.run("serve", "--port", "abc").err()).contains("'abc' is not a whole number");
    assertThat(Cli.run("tool", "import", "openapi", "no.json").err())
        .isEqualTo("switchboard: no.json does not exist.\n");
  }

  @Test
  void namesTheClosestCommand() {
    assertThat(Cli.run("complete"))
        .satisfies(
            cli -> assertThat(cli.exit()).isEqualTo(2),
            cli -> assertThat(cli.out()).isEmpty(),
            cli ->
                assertThat(cli.err())
                    .contains("Unknown command: 'complete' (did you mean completion")
                    .hasLineCount(1));
  }

  @Test
  void debugShowsTheStackTrace() {
    assertThat(Cli.run("--debug", "--verson").err()).contains("did you mean", "\tat picocli.");
  }

  @Test
  void printsACompletionScriptThatNamesItsCommands() {
    Cli cli = Cli.run("completion");

    assertThat(cli.exit()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .startsWith("#!")
        .contains("compopt", "completion", "complete -F _complete_switchboard")
        .endsWith("complete -F _complete_switchboard -o default ./switchboard\n");
  }

  @Test
  void theCommandsThatTheLauncherTrainsOnSucceed() throws IOException {
    assertThat(Training.runAll()).isZero();
  }

  @Test
  void theLibraryOfSqliteIsUnpackedWhereTheLauncherLooksForIt(@TempDir Path folder)
      throws IOException {
    Path library = folder.resolve("sqlite-jdbc").resolve(LibraryLoaderUtil.getNativeLibName());

    Training.unpackSqlite(library.getParent());
    Training.unpackSqlite(library.getParent());

    assertThat(library).isNotEmptyFile();
    assertThat(library.getParent().toFile().list()).hasSize(1);
  }

  @Test
  void aLineOfTheLogIsOneSentence() {
    Properties own = System.getProperties();
    Properties bare = new Properties();
    bare.putAll(own);
    bare.remove("java.util.logging.config.file");
    LogRecord line = new LogRecord(Level.WARNING, "a listener failed: java.io.IOException");
    try {
      System.setProperties(bare);
      Main.logSentences();
      assertThat(new SimpleFormatter().format(line))
          .isEqualTo(
              "switchboard: a listener failed: java.io.IOException" + System.lineSeparator());

      System.setProperty(Main.LOG_FORM, "%5$s");
      Main.logSentences();
      assertThat(new SimpleFormatter().format(line)).isEqualTo(line.getMessage());
    } finally {
      System.setProperties(own);
    }
  }

  @Test
  void coloursOnlyATerminalThatDidNotDecline() {
    assertThat(Terminal.wantsColour(true, Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
    assertThat(Terminal.wantsColour(true, Map.of("NO_COLOR", "1"))).isFalse();
    assertThat(Terminal.wantsColour(true, Map.of("TERM", "dumb"))).isFalse();
    assertThat(Terminal.wantsColour(false, Map.of())).isFalse();
  }
}
