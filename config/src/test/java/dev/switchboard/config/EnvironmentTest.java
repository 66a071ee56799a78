package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.handler.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The file `.env` beside an agent's file.
class EnvironmentTest {
  private static final String SIGNED = AgentFolder.GOOD_TOOL + "secret_env = \"SECRET\"\n";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          KEY=value                    | value
          KEY = value                  | value
          export KEY=value             | value
            KEY=a b                    | a b
          KEY=value # a comment        | value
          KEY=a#b                      | a#b
          KEY="value"                  | value
          KEY="a # b" # c              | a # b
          KEY='a "b" \\n'              | a "b" \\n
          KEY="a \\"b\\" \\\\ \\$c"    | a "b" \\ $c
          KEY="a\\tb"                  | a\tb
          KEY=${OTHER}                 | ${OTHER}
          KEY=a=b                      | a=b
          """)
  void readsAValue(String line, String value) throws IOException {
    assertThat(environment(line).get("KEY")).isEqualTo(value);
  }

  @Test
  void readsAnEmptyValueAndTheLastOfSeveral() throws IOException {
    assertThat(environment("KEY=").get("KEY")).isEmpty();
    assertThat(environment("KEY=# none").get("KEY")).isEmpty();
    assertThat(environment("\uFEFFKEY=1\r\n\r\n# a comment\r\nKEY=2\r\n").get("KEY"))
        .isEqualTo("2");
    assertThat(environment("KEY=1").get("OTHER")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"KEY=%sx", "%sx", "KEY=a%s", "KEY=\"a\"%sx", "KEY%s", "export%sKEY"})
  void aLineOfSpacesIsReadInLinearTime(String line) throws IOException {
    Files.writeString(folder.resolve(".env"), line.formatted(" ".repeat(1_000_000)));
    FaultList faults = new FaultList();

    Environment unused = Environment.of(name -> null).beside(folder.resolve("agent.toml"), faults);

    assertThat(faults.found()).hasSizeLessThan(2);
  }

  @Test
  void onlyTheFirstLinesThatCannotBeReadAreNamed() throws IOException {
    Files.writeString(folder.resolve(".env"), "no\n".repeat(100_000));
    FaultList faults = new FaultList();

    Environment unused = Environment.of(name -> null).beside(folder.resolve("agent.toml"), faults);

    assertThat(faults.inOrder()).hasSize(21);
    assertThat(faults.inOrder().getLast().message())
        .isEqualTo("further faults are not listed; correct these first");
  }

  @Test
  void anExposedFileIsAWarning() throws IOException {
    Path file = Files.writeString(folder.resolve(".env"), "KEY=1\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    FaultList faults = new FaultList();

    Environment both = Environment.of(name -> null).beside(folder.resolve("agent.toml"), faults);

    assertThat(both.get("KEY")).isEqualTo("1");
    assertThat(faults.inOrder())
        .extracting(ConfigException.Fault::toString)
        .containsExactly(
            "%1$s: warning: other users can read this file; make it yours alone with 'chmod 600 %1$s'"
                .formatted(file));
  }

  @Test
  void aVariableOfTheProcessWins() throws IOException {
    Files.writeString(folder.resolve(".env"), "KEY=file\nEMPTY=file\n");
    Environment own = Environment.of(Map.of("KEY", "own", "EMPTY", "")::get);

    Environment both = own.beside(folder.resolve("agent.toml"), new FaultList());

    assertThat(both.get("KEY")).isEqualTo("own");
    assertThat(both.get("EMPTY")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"hunter2", "1KEY=hunter2", "KEY=\"hunter2", "KEY='a'hunter2", "K-EY=hunter2"})
  void aLineThatCannotBeReadIsAWarningThatHoldsNothingOfIt(String line) throws IOException {
    FaultList faults = new FaultList();
    Files.writeString(folder.resolve(".env"), "A=1\n" + line + "\nB=2\n");

    Environment read = Environment.of(name -> null).beside(folder.resolve("agent.toml"), faults);

    assertThat(read.get("A") + read.get("B")).isEqualTo("12");
    assertThat(faults.found())
        .extracting(fault -> fault.toString().replace(folder + "/", ""))
        .containsExactly(
            ".env:2:1: warning: the line is not read: it must be NAME=VALUE, a comment or empty");
  }

  @Test
  void aFolderOfThatNameIsLeftAlone() throws IOException {
    Files.createDirectory(folder.resolve(".env"));

    assertThat(new AgentFolder(folder).faults(AgentFolder.GOOD_TOOL)).isEmpty();
  }

  @Test
  void bytesThatAreNotTextAreAWarning() throws IOException {
    Files.write(folder.resolve(".env"), new byte[] {'A', '=', -1});

    assertThat(new AgentFolder(folder).faults(AgentFolder.GOOD_TOOL))
        .singleElement()
        .asString()
        .startsWith(".env: warning: the file is no");
  }

  @Test
  void whatAFileNamesIsLookedUpThere() throws IOException {
    assertThat(new AgentFolder(folder).faults(SIGNED)).hasSize(1);
    Files.writeString(folder.resolve(".env"), "SECRET=hunter2\n");

    AgentFile read = new AgentFolder(folder).read(SIGNED);

    assertThat(read.tools()).extracting(Tool::name).containsExactly("good");
    assertThat(read.toString()).doesNotContain("hunter2");
  }

  @Test
  void inACheckAVariableThatIsNotSetIsAWarning() {
    String toml = SIGNED + "headers = { Authorization = \"Bearer ${TOKEN}\" }\n";

    AgentFile checked = new AgentFolder(folder).reader(toml, JavaTools.UNKNOWN).check();

    assertThat(checked.warnings())
        .extracting(ConfigException.Fault::severity, ConfigException.Fault::message)
        .containsExactly(
            tuple(
                Severity.WARNING,
                "tools[0].secret_env names the environment variable 'SECRET', which is not set"),
            tuple(
                Severity.WARNING,
                "tools[0].headers.Authorization names the environment variable 'TOKEN', which is"
                    + " not set"));
    assertThat(new AgentFolder(folder).faults(toml)).allMatch(fault -> fault.contains(": error: "));
  }

  private Environment environment(String text) throws IOException {
    FaultList faults = new FaultList();
    Files.writeString(folder.resolve(".env"), text);
    Environment read = Environment.of(name -> null).beside(folder.resolve("agent.toml"), faults);
    assertThat(faults.found()).isEqualTo(List.of());
    return read;
  }
}
