package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.LibraryModules;
import dev.switchboard.tool.ResultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Holds `docs/reference/errors.md` to the results that calls really get.
class ErrorsPageTest {
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private static List<List<String>> rows(int cells) throws IOException {
    return Page.named("docs/reference/errors.md").rows().stream()
        .filter(row -> row.size() == cells && !row.getLast().equals("breaker"))
        .toList();
  }

  private static String word(boolean yes) {
    return yes ? "yes" : "no";
  }

  @Test
  void listsEveryCode() throws IOException {
    List<List<String>> documented =
        rows(4).stream().map(row -> List.of(row.get(0), row.get(2), row.get(3))).toList();

    assertThat(documented)
        .containsExactlyElementsOf(
            Arrays.stream(ResultCode.values())
                .map(code ->
                    List.of(
                        "`" + code.word() + "`",
                        word(code.fallback()),
                        word(code.countsForBreaker())))
                .toList());
  }

  @TestFactory
  Stream<DynamicTest> saysWhatTheRuntimeSays() throws IOException {
    return rows(5).stream()
        .map(row ->
            DynamicTest.dynamicTest(
                row.getFirst(),
                () -> {
                  Failure.Seen seen = Failure.of(row.getFirst()).see();
                  assertThat(List.of(seen.code(), seen.error()))
                      .containsExactly(row.get(1).replace("`", ""), row.get(2));
                  assertThat(word(seen.again())).as("again").isEqualTo(row.get(3));
                  assertThat(word(seen.counted())).as("breaker").isEqualTo(row.get(4));
                }));
  }

  @Test
  void showsEveryFailureThatCanBeMade() throws IOException {
    assertThat(rows(5).stream().map(List::getFirst))
        .containsExactlyElementsOf(Arrays.stream(Failure.values()).map(Failure::when).toList());
  }

  @Test
  void showsAFailureOfEveryCode() throws IOException {
    assertThat(rows(5).stream().map(row -> row.get(1).replace("`", "")))
        .as("a code that no failure has can never be a result's")
        .contains(Arrays.stream(ResultCode.values()).map(ResultCode::word).toArray(String[]::new));
  }

  @Test
  void namesEverySentenceOfTheCode() throws IOException {
    List<String> sentences = rows(5).stream().map(row -> row.get(2)).toList();
    for (String file :
        List.of(
            "execution/Refusal.java",
            "handler/WebhookHandler.java",
            "handler/ToolException.java")) {
      for (String literal : literals(file)) {
        Pattern made = Pattern.compile(".*" + pattern(literal) + ".*");
        assertThat(sentences.stream().anyMatch(sentence -> made.matcher(sentence).matches()))
            .as("errors.md shows a sentence of %s with \"%s\"", file, literal)
            .isTrue();
      }
    }
  }

  /// The texts in that file that have at least two words.
  private static List<String> literals(String file) throws IOException {
    return Files.readAllLines(LibraryModules.source(file)).stream()
        .map(line -> line.replaceFirst("^\\s*//.*", ""))
        .flatMap(line -> LITERAL.matcher(line).results())
        .map(literal -> literal.group(1))
        .filter(literal -> literal.matches(".*\\w\\W+\\w.*") && !literal.contains(" more"))
        .toList();
  }

  private static String pattern(String literal) {
    return Arrays.stream(literal.split("%[sd]", -1))
        .map(Pattern::quote)
        .reduce((before, after) -> before + ".*" + after)
        .orElse("");
  }
}
