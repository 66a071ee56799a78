package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent of `docs/how-to/memory.md` remembers a caller from one run of `chat` to the next.
class RememberingChatTest {
  private static final Pattern TOML = Pattern.compile("(?s)```toml\n(.*?)```");

  @TempDir private Path folder;
  private StubModel model;
  private String agent;

  @BeforeEach
  void start() throws IOException {
    model = new StubModel();
    Path file = folder.resolve("concierge.toml");
    Files.writeString(file, page().replaceFirst("(?m)^model = .*$", model.toml()));
    agent = file.toString();
  }

  @AfterEach
  void stop() {
    model.close();
  }

  private static String page() throws IOException {
    Matcher toml = TOML.matcher(Files.readString(Repository.file("docs/how-to/memory.md")));
    assertThat(toml.find()).isTrue();
    return toml.group(1);
  }

  @Test
  void remembersACallerAcrossTwoRuns() {
    model
        .calls(
            "block",
            "{\"operation\":\"append\",\"label\":\"guest\",\"content\":\"Name: Ada. No meat.\"}")
        .says("Noted, Ada.")
        .says("Welcome back, Ada.");

    Cli first = Cli.run("chat", agent, "-m", "I am Ada, and I eat no meat.");
    assertThat(first.out()).isEqualTo("Noted, Ada.\n");
    assertThat(model.requests().getFirst().body()).doesNotContain("Name: Ada. No meat.");
    Cli second = Cli.run("chat", agent, "-m", "It's me again.");

    assertThat(second.out()).isEqualTo("Welcome back, Ada.\n");
    assertThat(model.requests().getLast().body())
        .contains("<block label=\\\"guest\\\"", "Name: Ada. No meat.");
  }

  @Test
  void aPersonSeesAndMendsWhatItRemembers() {
    model
        .calls(
            "recall",
            "{\"operation\":\"insert\",\"label\":\"visit\",\"content\":\"Ada liked table T4\"}")
        .says("Noted.")
        .says("Hello.");
    assertThat(Cli.run("chat", agent, "-m", "T4 was nice").exit()).isZero();

    assertThat(Cli.run("memory", "search", "table T4", agent).out()).contains("Ada liked table T4");
    assertThat(Cli.run("memory", "search", "nice", "--role", "user", "--json", agent).json())
        .hasSize(1);
    assertThat(Cli.run("memory", "edit", "guest", "--append", "Name: Zoe", agent).exit()).isZero();
    assertThat(Cli.run("chat", agent, "-m", "Hi").exit()).isZero();
    assertThat(model.requests().getLast().body()).contains("Name: Zoe");
  }
}
