package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Runs the commands that pages show with their output: an `sh` block right before a `json` or
/// `text` block, the agent's file being the last `toml` block before it.
class DocsTest {
  private static final Pattern SHOWN =
      Pattern.compile("```sh\\n([^`]*)```\\n(?:\\n.*)?\\n```(?:json|text)\\n([^`]*)```");
  private static final Pattern TOML = Pattern.compile("```toml\\n([^`]*)```");
  private static final Pattern COMMAND =
      Pattern.compile("(?:printf '%s\\\\n' (?<lines>.*) \\| )?\\./switchboard (?<words>.*)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> printsWhatThePagesShow() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path page : pages()) {
      String text = Files.readString(page).replace("\\\n  ", "");
      SHOWN.matcher(text).results().forEach(shown -> tests.add(test(page, text, shown)));
    }
    assertThat(tests.stream().map(DynamicTest::getDisplayName))
        .anyMatch(name -> name.startsWith("README.md"));
    return tests.stream();
  }

  private DynamicTest test(Path page, String text, MatchResult shown) {
    String command = shown.group(1).strip();
    return DynamicTest.dynamicTest(
        page.getFileName() + ": " + command,
        () -> {
          Path agent = folder.resolve("agent.toml");
          Files.writeString(agent, lastAgent(text.substring(0, shown.start())));
          assertThat(run(command, agent)).isEqualTo(shown.group(2));
        });
  }

  private static String lastAgent(String before) {
    return TOML.matcher(before)
        .results()
        .map(toml -> toml.group(1))
        .filter(toml -> toml.contains("[[tools]]"))
        .reduce("", (earlier, later) -> later);
  }

  private static String run(String command, Path agent) {
    Matcher parts = COMMAND.matcher(command);
    assertThat(parts.matches()).as(command).isTrue();
    String lines = parts.group("lines");
    String in = lines == null ? "" : String.join("\n", words(lines)) + "\n";
    String[] args =
        words(parts.group("words")).stream()
            .map(word -> word.equals("agent.toml") ? agent.toString() : word)
            .toArray(String[]::new);
    Cli cli = Cli.runWith(in, args);
    return (cli.out() + cli.err()).replace(agent.toString(), "agent.toml");
  }

  private static List<String> words(String text) {
    return WORD.matcher(text)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toList();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(Repository.file("docs"))) {
      return Stream.concat(Stream.of(Repository.file("README.md")), docs)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }
}
