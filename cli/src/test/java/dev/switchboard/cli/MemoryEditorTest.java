package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Memory;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// `memory edit` in an editor, which is a shell script here.
class MemoryEditorTest {
  private static final String LIMIT =
      "switchboard: Block 'guest' is limited to 40 characters: it has 0 now and would have 41.";

  @TempDir private Path folder;
  private String agent;

  @BeforeEach
  void write() {
    agent = MemoryToml.of(folder, "Concierge");
  }

  /// What the command does where the editor is that script, to which `$1` is the file.
  private Cli edit(String script, String... words) throws IOException {
    Path file = Files.writeString(folder.resolve("editor.sh"), script + "\n");
    return run(Editor.of(Map.of("EDITOR", "sh '" + file + "'")), words);
  }

  private Cli run(@Nullable Editor editor, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false);
    List<String> args = new ArrayList<>(Arrays.asList(words));
    args.add(agent);
    int exit =
        new CommandLine(new MemoryEditCommand(terminal, folder, editor))
            .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
            .setExecutionExceptionHandler(new Errors(new RootCommand())::execution)
            .execute(args.toArray(String[]::new));
    return new Cli(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private String shown(String label) {
    return Cli.run("memory", "show", label, agent).out();
  }

  /// The text that was left in its file, which is then deleted.
  private static String leftText(Cli cli) throws IOException {
    String sentence = cli.err().strip();
    assertThat(sentence).endsWith(".txt.").contains(" Your text is in ");
    String name = sentence.substring(sentence.indexOf(" Your text is in ") + 17);
    Path file = Path.of(name.substring(0, name.length() - 1));
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    Files.delete(file);
    return text;
  }

  @Test
  void takesWhatTheEditorLeaves() throws IOException {
    assertThat(edit("printf 'Name: Zoë\\n' > \"$1\"", "guest"))
        .isEqualTo(new Cli(0, "Block 'guest' is at version 2 now, with 9 of 40 characters.\n", ""));
    assertThat(edit("cp \"$1\" '" + folder + "/seen'; echo 'Diet: none' >> \"$1\"", "guest").exit())
        .isZero();
    assertThat(folder.resolve("seen")).hasContent("Name: Zoë");
    assertThat(shown("guest")).isEqualTo("Name: Zoë\nDiet: none\n");
    assertThat(edit("printf x > \"$1\"", "--json", "guest").json().getFirst())
        .hasToString("{\"label\":\"guest\",\"version\":4,\"length\":1,\"limit\":40}");
    assertThat(edit(": > \"$1\"", "guest").exit()).isZero();
    assertThat(shown("guest")).isEmpty();
    assertThat(Cli.run("memory", "undo", "guest", agent).exit()).isZero();
    assertThat(shown("guest")).isEqualTo("x\n");
  }

  @Test
  void writesNothingWhereNothingWasChanged() throws IOException {
    Cli asItWas = new Cli(0, "", "Block 'rules' is as it was.\n");
    assertThat(edit("printf '%s' \"$1\" > '" + folder + "/name'", "rules")).isEqualTo(asItWas);
    assertThat(edit("printf 'Be brief.' > \"$1\"", "rules")).isEqualTo(asItWas);
    assertThat(edit("rm \"$1\"", "rules")).isEqualTo(asItWas);

    assertThat(Path.of(Files.readString(folder.resolve("name")))).doesNotExist();
    assertThat(Cli.run("memory", "history", "rules", agent).out())
        .isEqualTo("The block was never edited.\n");
  }

  @Test
  void leavesTheTextWhereItCannotBeTaken() throws IOException {
    Cli tooLong = edit("printf '%s' " + "x".repeat(41) + " > \"$1\"", "guest");
    assertThat(tooLong.exit()).isOne();
    assertThat(tooLong.err()).startsWith(LIMIT);
    assertThat(leftText(tooLong)).isEqualTo("x".repeat(41));

    Cli failed = edit("printf mine > \"$1\"; exit 3", "guest");
    assertThat(failed.err()).startsWith("switchboard: Nothing was changed: 'sh ");
    assertThat(failed.err()).contains("ended with 3. Your text");
    assertThat(leftText(failed)).isEqualTo("mine");
    assertThat(edit("exit 3", "guest").err()).endsWith("ended with 3.\n");

    Cli latin = edit("printf '\\351' > \"$1\"", "guest");
    assertThat(latin.err()).contains("Nothing was changed: it is not UTF-8 text. Your text is in ");
    assertThat(leftText(latin)).isEqualTo("é");
    assertThat(shown("guest")).isEmpty();
  }

  @Test
  void doesNotWriteOverWhatAnotherHasWrittenMeanwhile() throws IOException {
    Path done = folder.resolve("done");
    Thread other =
        Thread.ofVirtual()
            .start(() -> {
              Awaitility.await().until(() -> Files.exists(folder.resolve("open")));
              Cli.run("memory", "edit", "guest", "--set", "theirs", agent);
              assertThat(done.toFile().mkdir()).isTrue();
            });
    Cli cli =
        edit(
            "touch '%s/open'; while [ ! -e '%s' ]; do sleep 0.02; done; echo mine > \"$1\""
                .formatted(folder, done),
            "guest");

    assertThat(other).satisfies(Thread::join);
    assertThat(cli.err()).contains("Block 'guest' is at version 2 now, not 1: read it again.");
    assertThat(leftText(cli)).isEqualTo("mine\n");
    assertThat(shown("guest")).isEqualTo("theirs\n");
  }

  @Test
  void opensNothingThatCannotBeChanged() throws IOException {
    try (Storage storage = Storage.open("sqlite:Concierge.db", folder)) {
      Memory chef = Memory.of(storage.memory(), "Chef", Time.SYSTEM);
      chef.create(Block.of("Chef", "menu", Block.Kind.CORE));
      chef.share("menu", "Concierge", Permission.APPEND, List.of("Concierge"));
    }
    String trace = "touch '" + folder + "/opened'";

    assertThat(edit(trace, "menu").err())
        .isEqualTo(
            "switchboard: Permission denied: block 'menu' has the permission 'append', and"
                + " 'overwrite' needs 'read_write'.\n");
    assertThat(edit(trace, "gest").err()).contains("Did you mean 'guest'?");
    assertThat(edit(trace, "--expect", "7", "guest").err()).contains("is at version 1 now, not 7");
    assertThat(folder.resolve("opened")).doesNotExist();
    assertThat(edit(trace, "--expect", "1", "guest").exit()).isZero();
    assertThat(folder.resolve("opened")).exists();
  }

  @Test
  void withoutATerminalNamesTheOptions() {
    assertThat(run(null, "guest"))
        .isEqualTo(
            new Cli(
                2,
                "",
                "switchboard: No terminal for your editor: say --append TEXT, --replace OLD --with"
                    + " NEW or --set TEXT.\n"));
  }

  @Test
  void findsTheEditorAsGitDoes() {
    Map<String, String> both = Map.of("VISUAL", "code --wait", "EDITOR", "nano", "TERM", "xterm");
    assertThat(Editor.of(both).command()).isEqualTo("code --wait");
    assertThat(Editor.of(Map.of("VISUAL", "code", "EDITOR", "nano", "TERM", "dumb")).command())
        .isEqualTo("nano");
    assertThat(Editor.of(Map.of("VISUAL", "", "EDITOR", "nano", "TERM", "xterm")).command())
        .isEqualTo("nano");
    assertThat(Editor.of(Map.of()).command()).isEqualTo("vi");
  }
}
