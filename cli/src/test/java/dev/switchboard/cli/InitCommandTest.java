package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitCommandTest {
  @TempDir private Path folder;

  @Test
  void writesAnAgentThatIsValidAndTalks() throws IOException {
    Path file = folder.resolve("desk.toml");

    assertThat(Cli.run("init", file.toString()).out())
        .startsWith("Wrote " + file)
        .endsWith("Then: switchboard chat " + file + "\n");
    assertThat(Cli.run("validate", file.toString()))
        .isEqualTo(new Cli(0, file + ": ok (5 tools)\n", ""));
    try (StubModel model = new StubModel()) {
      Files.writeString(
          file, Files.readString(file).replaceFirst("(?m)^model = .*$", model.toml()));
      model
          .calls(
              "block", "{\"operation\":\"append\",\"label\":\"user\",\"content\":\"Ada, no meat\"}")
          .says("I will remember that.");
      Cli chat = Cli.run("chat", file.toString(), "-m", "I am Ada and eat no meat.");
      assertThat(chat.exit()).isZero();
      assertThat(chat.out()).endsWith("I will remember that.\n");
    }
    Cli date = Cli.run("tool", "call", file.toString(), "get_date", "{}");
    assertThat(date.exit()).isZero();
    assertThat(date.out()).containsPattern("20\\d\\d");
    assertThat(Cli.run("memory", "show", "user", file.toString()).out()).contains("Ada, no meat");
    assertThat(folder.resolve("desk.db")).exists();
  }

  @Test
  void theAgentAnswersAtOnceWithoutAKeyAndNamesTheLineToChange() throws IOException {
    Path file = folder.resolve("desk.toml");
    Cli init = Cli.run("init", file.toString());
    List<String> lines = Files.readAllLines(file);
    int line = Integer.parseInt(init.out().replaceFirst("(?s).*change line (\\d+) .*", "$1"));

    assertThat(lines.get(line - 1)).isEqualTo("model = \"scripted:demo\"");
    Cli hello = Cli.run("chat", file.toString(), "-m", "Hello!");
    assertThat(hello.exit()).isZero();
    assertThat(hello.out())
        .contains(
            "I am a script, not a language model", "change the line that begins with 'model'");
    assertThat(Cli.run("chat", file.toString(), "-m", "What day is today?").out())
        .containsPattern("The tool get_date says: .*20\\d\\d");
    Cli fact = Cli.run("chat", file.toString(), "-m", "Remember that I like tea.");
    assertThat(fact.out()).contains("I have written that into the memory");
    assertThat(Cli.run("memory", "show", "user", file.toString()).out()).contains("I like tea.");
  }

  @Test
  void eachModelThatItNamesCanTakeThePlaceOfTheScript() throws IOException {
    Path file = folder.resolve("desk.toml");
    assertThat(Cli.run("init", file.toString()).exit()).isZero();
    String text = Files.readString(file);
    List<String> models =
        text.lines()
            .filter(line -> line.startsWith("# model = "))
            .map(line -> line.substring(2))
            .toList();

    assertThat(models)
        .anySatisfy(model -> assertThat(model).contains("gpt-6-luna", "reasoning = \"none\""))
        .hasSize(3);
    for (String model : models) {
      Files.writeString(file, text.replaceFirst("(?m)^model = .*$", model));
      Cli validate = Cli.run("validate", file.toString());
      assertThat(validate.exit()).as("%s: %s", model, validate.err()).isZero();
    }
  }

  @Test
  void chatMdShowsTheFileAsItIs() throws IOException {
    Path file = folder.resolve("agent.toml");
    assertThat(Cli.run("init", file.toString()).exit()).isZero();

    assertThat(Files.readString(Repository.file("docs/how-to/chat.md")))
        .contains("```toml\n" + Files.readString(file) + "```\n");
  }

  @Test
  void leavesAFileThatIsThereAsItIs() throws IOException {
    Path file = Files.writeString(folder.resolve("agent.toml"), "mine");

    assertThat(Cli.run("init", file.toString()))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: "
                    + file
                    + " exists already and is not changed; name another file.\n"));
    assertThat(file).hasContent("mine");
  }

  @Test
  void saysInWordsWhyAFileCannotBeWritten() throws IOException {
    Path below = Files.writeString(folder.resolve("file"), "").resolve("agent.toml");

    assertThat(Cli.run("init", below.toString()))
        .isEqualTo(
            new Cli(
                1,
                "",
                "switchboard: "
                    + below
                    + " cannot be written: a part of its path is not a folder.\n"));
  }

  @Test
  void aNameThatWouldNotBeFoundIsRefused() {
    assertThat(Cli.run("init", folder.resolve("desk").toString()).err())
        .contains("end in .toml, such as agent.toml.");
    assertThat(Cli.run("init", folder.resolve("none/agent.toml").toString()))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: The folder of %s does not exist.\n"
                    .formatted(folder.resolve("none/agent.toml"))));
    assertThat(folder).isEmptyDirectory();
  }
}
