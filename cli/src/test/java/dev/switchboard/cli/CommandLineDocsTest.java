package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// `docs/reference/command-help.md` shows the help of `switchboard`, and of every command without
/// commands of its own, as it is.
class CommandLineDocsTest {
  static Stream<CommandLine> commands() {
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    Terminal terminal = new Terminal(InputStream.nullInputStream(), nowhere, nowhere, false);
    List<CommandLine> all = new ArrayList<>();
    collect(Commands.on(terminal), all);
    return all.stream()
        .filter(command -> command.getParent() == null || command.getSubcommands().isEmpty());
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(below -> collect(below, all));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void showsTheHelpOfEachCommand(CommandLine command) throws IOException {
    String help =
        command.setUsageHelpAutoWidth(false).setUsageHelpWidth(80).getUsageMessage(Ansi.OFF);
    String block =
        "```text\n$ %s --help\n%s```".formatted(command.getCommandSpec().qualifiedName(), help);

    assertThat(docs()).contains(block);
  }

  @Test
  void showsNoOtherHelp() throws IOException {
    assertThat(
            docs()
                .lines()
                .filter(line -> line.startsWith("$ switchboard") && line.endsWith(" --help")))
        .hasSize((int) commands().count());
  }

  private static String docs() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path root = here.endsWith("cli") ? here.getParent() : here;
    return Files.readString(root.resolve("docs/reference/command-help.md"));
  }
}
