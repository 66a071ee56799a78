package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// `docs/reference/command-help.md` shows the help of `switchboard`, and of every command without
/// commands of its own, as it is; with `-Dgolden.write=true` this writes the page.
class CommandLineDocsTest {
  private static final boolean WRITES = Boolean.getBoolean("golden.write");
  private static final String BEGINNING =
      """
      # Help of all commands

      What `--help` prints, command by command; a test compares it. [Commands](command-line.md) says how they behave.
      """;

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

  @Test
  void examplesAreOnOneLineEach() {
    commands()
        .forEach(command -> {
          String help =
              command.setUsageHelpAutoWidth(false).setUsageHelpWidth(80).getUsageMessage(Ansi.OFF);
          assertThat(help.lines())
              .containsAll(List.of(command.getCommandSpec().usageMessage().footer()));
        });
  }

  /// The page as it should be.
  private static String page() {
    StringBuilder page = new StringBuilder(BEGINNING);
    commands()
        .forEach(command -> {
          String name = command.getCommandSpec().qualifiedName();
          String help =
              command.setUsageHelpAutoWidth(false).setUsageHelpWidth(80).getUsageMessage(Ansi.OFF);
          page.append("\n## %s\n\n```text\n$ %s --help\n%s```\n".formatted(name, name, help));
        });
    return page.toString();
  }

  @Test
  void showsTheHelpOfEachCommand() throws IOException {
    if (WRITES) {
      Files.writeString(file(), page());
    }
    assertThat(docs()).isEqualTo(page());
  }

  private static String docs() throws IOException {
    return Files.readString(file());
  }

  private static Path file() {
    return Repository.file("docs/reference/command-help.md");
  }
}
