package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubResponses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `init` writes, beside a server as OpenAI's is today.
class TodaysModelsTest {
  @TempDir private Path folder;

  /// The file with the line of OpenAI's model that it names, at that server.
  private String desk(StubResponses server) throws IOException {
    Path file = folder.resolve("desk.toml");
    assertThat(Cli.run("init", file.toString()).exit()).isZero();
    String text = Files.readString(file);
    String line =
        text.lines()
            .filter(one -> one.startsWith("# model = ") && one.contains("\"openai\""))
            .findFirst()
            .orElseThrow()
            .substring("# ".length());
    String there =
        line.replaceFirst(
            " } .*$", ", base_url = \"%s\", api = \"responses\" }".formatted(server.url()));
    Files.writeString(file, text.replace("model = \"scripted:demo\"", there));
    return file.toString();
  }

  @Test
  void talksAndRemembersInTwoProcesses() throws IOException {
    try (StubResponses server = StubResponses.start()) {
      String agent = desk(server);
      server
          .calls(
              "block", "{\"operation\":\"append\",\"label\":\"user\",\"content\":\"Ada, no meat\"}")
          .says("I will remember that.")
          .says("You eat no meat.");

      Cli first =
          Cli.run("chat", agent, "--conversation", "ada", "-m", "I am Ada and eat no meat.");
      assertThat(first.exit()).as(first.err()).isZero();
      assertThat(first.out()).endsWith("I will remember that.\n");
      Cli second = Cli.run("chat", agent, "--conversation", "ada", "-m", "What do I eat?");
      assertThat(second.exit()).as(second.err()).isZero();
      assertThat(second.out()).endsWith("You eat no meat.\n");

      assertThat(server.dropped()).isEmpty();
      List<Json> requests = server.requests();
      assertThat(requests).hasSize(3);
      assertThat(requests.getLast().text()).contains("\"encrypted_content\"");
    }
  }
}
