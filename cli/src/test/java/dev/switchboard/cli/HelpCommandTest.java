package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "chat", "tool", "tool call", "agent add rule", "help"})
  void showsWhatTheOptionShows(String command) {
    List<String> words = command.isEmpty() ? List.of() : List.of(command.split(" "));

    assertThat(run(with("help", words)))
        .isEqualTo(run(Stream.concat(words.stream(), List.of("--help").stream()).toList()));
  }

  @Test
  void namesTheClosestCommandWhereThereIsNone() {
    assertThat(Cli.run("help", "chta"))
        .isEqualTo(
            new Cli(
                2, "", "switchboard: 'switchboard' has no command 'chta'; did you mean 'chat'?\n"));
    assertThat(Cli.run("help", "chat", "me").err())
        .isEqualTo("switchboard: 'switchboard chat' has no command 'me'.\n");
  }

  private static List<String> with(String first, List<String> more) {
    return Stream.concat(Stream.of(first), more.stream()).toList();
  }

  private static Cli run(List<String> words) {
    return Cli.run(words.toArray(String[]::new));
  }
}
