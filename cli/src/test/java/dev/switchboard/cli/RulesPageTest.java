package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `docs/how-to/rules.md`: the commands below a file's rules write these rules.
class RulesPageTest {
  private static final Pattern PAIR =
      Pattern.compile("```toml\\n([^`]*)```\\n\\n```sh\\n([^`]*)```");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir private Path folder;

  @Test
  void theCommandsWriteTheRulesAboveThem() throws IOException {
    List<MatchResult> pairs = PAIR.matcher(page()).results().toList();

    assertThat(pairs).hasSizeGreaterThan(5);
    for (MatchResult pair : pairs) {
      Path file = Files.writeString(folder.resolve("MyAgent.toml"), "");
      pair.group(2).lines().forEach(this::run);
      assertThat(AgentFile.read(file).rules())
          .isEqualTo(AgentFile.preview(file, pair.group(1)).rules());
    }
  }

  private void run(String command) {
    String[] words =
        WORD.matcher(command)
            .results()
            .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
            .toArray(String[]::new);
    assertThat(words[0]).isEqualTo("switchboard");
    Cli cli = Cli.runIn(folder, Arrays.copyOfRange(words, 1, words.length));
    assertThat(cli.err()).isEmpty();
  }

  private static String page() throws IOException {
    return Files.readString(Repository.file("docs/how-to/rules.md")).replace("\\\n  ", "");
  }
}
