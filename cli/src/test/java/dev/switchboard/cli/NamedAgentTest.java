package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedAgentTest {
  private static final String AGENT = "[agent]\nname = \"MyAgent\"\n";
  private static final String TOOL =
      "\n[[tools]]\nname = \"send_message\"\nwebhook_url = \"https://api.example.com/a\"\n";

  @TempDir private Path folder;

  @Test
  void findsTheAgentsFileByItsName() throws IOException {
    write("other.toml", "[agent]\nname = \"Other\"\n");
    write("agents/quiet.toml", TOOL);
    write("agents/bytes.toml", new byte[] {(byte) 0xff});

    assertThat(run("agent add rule quiet send_message exit-loop").exit()).isZero();
    assertThat(read("agents/quiet.toml")).startsWith(TOOL + "\n[[agent.tool_rules]]\n");
    assertThat(run("agent list rules Otter").err().replace(folder + "/", ""))
        .isEqualTo(
            "switchboard: No agent here is named 'Otter', only 'Other' (other.toml), 'bytes'"
                + " (agents/bytes.toml), 'quiet' (agents/quiet.toml); did you mean 'Other'?\n");
    write("agents/copy.toml", "[agent]\nname = \"Other\"\n");
    assertThat(run("agent list rules Other").err().replace(folder + "/", ""))
        .isEqualTo(
            "switchboard: The name 'Other' is that of other.toml, agents/copy.toml; say which with"
                + " --file.\n");
    Path copy = folder.resolve("agents/copy.toml");
    assertThat(run("agent list rules Other --file " + copy).exit()).isZero();
    assertThat(run("agent list rules quiet --file " + copy).err())
        .endsWith("is the file of the agent 'Other', not 'quiet'.\n");
    assertThat(run("agent list rules bytes").err()).endsWith("the file is not UTF-8 text\n");
    assertThat(run("agent list rules x --file " + folder.resolve("none.toml")).err())
        .endsWith("none.toml: the file does not exist\n");
  }

  @Test
  void saysThatThereIsNoFileAtAll() {
    assertThat(run("agent list rules MyAgent"))
        .isEqualTo(
            failure(
                2,
                "There is no agent's file among *.toml and agents/*.toml; name one with"
                    + " --file."));
  }

  @Test
  void keepsPermissionsAndLeavesNoOtherFile() throws IOException {
    write("MyAgent.toml", AGENT);
    Path file = folder.resolve("MyAgent.toml");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);

    assertThat(run("agent add rule MyAgent t forbidden --file " + link).exit()).isZero();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(link).isSymbolicLink();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, link);
    }
  }

  private Cli run(String command) {
    return Cli.runIn(folder, command.split(" "));
  }

  private static Cli failure(int exit, String sentence) {
    return new Cli(exit, "", "switchboard: " + sentence + System.lineSeparator());
  }

  private void write(String name, String text) throws IOException {
    write(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }
}
