package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whose an option is on a command line that names a program.
class ProgramWordsTest {
  @TempDir private Path folder;

  /// A program that is no MCP server and writes down its arguments.
  private String program() throws IOException {
    Path program = folder.resolve("program");
    Files.writeString(program, "#!/bin/sh\necho \"$@\" > '" + folder.resolve("words") + "'\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mcp list PROGRAM -y --json server",
        "mcp list --header A=b --json PROGRAM -y --json server",
        "mcp call PROGRAM -y --json server echo {}",
        "tool import mcp PROGRAM -y --json server",
        "tool import mcp -o FOLDER/agent.toml PROGRAM -y --json server"
      })
  void whatFollowsAProgramIsItsOwn(String command) throws IOException {
    String line = command.replace("PROGRAM", program()).replace("FOLDER", folder.toString());

    assertThat(Cli.run(line.split(" ")).err()).doesNotContain("Unknown option");
    assertThat(Files.readString(folder.resolve("words"))).isEqualTo("-y --json server\n");
  }

  @Test
  void optionsAfterAUrlAreTheCommands() {
    assertThat(Cli.run("mcp", "list", "http://127.0.0.1:1/mcp", "-y").err())
        .contains("Unknown option: '-y'");
    Cli call = Cli.run("mcp", "call", "http://127.0.0.1:1/mcp", "echo", "{}", "--json");
    assertThat(call.exit()).isOne();
    assertThat(call.err()).contains("cannot be reached");
  }

  @Test
  void aServerThatIsNotThereIsOneSentence() {
    assertThat(Cli.run("mcp", "list", "/no/such/program").err())
        .startsWith("switchboard: MCP server 'program' did not start: ")
        .hasLineCount(1);
    assertThat(Cli.run("mcp", "list", "ftp://x/y").err())
        .isEqualTo(
            "switchboard: The URL of a server begins with http:// or https://, not ftp://x/y.\n");
  }

  @Test
  void aCallThatLacksWordsShowsOne() {
    assertThat(Cli.run("mcp", "call", "./x"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: A call needs the server, the tool and its arguments, such as"
                    + " 'switchboard mcp call http://127.0.0.1:3001/mcp echo"
                    + " '{\"message\":\"hello\"}''.\n"));
  }
}
