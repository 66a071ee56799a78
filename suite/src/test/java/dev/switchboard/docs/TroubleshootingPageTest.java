package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.LibraryModules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Holds the messages that `docs/troubleshooting.md` quotes to those of the code.
class TroubleshootingPageTest {
  private static final Pattern QUOTE = Pattern.compile("`([^`]*)`");

  /// The end and the beginning of a text that goes on in the next line.
  private static final Pattern SPLIT = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void quotesWhatTheCodeSays() throws IOException {
    List<String> quotes =
        Page.named("docs/troubleshooting.md").rows().stream()
            .flatMap(row -> QUOTE.matcher(row.getFirst()).results())
            .map((MatchResult quote) -> quote.group(1))
            .filter(quote -> quote.matches(".*\\w \\w.*"))
            .toList();

    assertThat(quotes).hasSizeGreaterThan(10);
    String sources = sources();
    assertThat(quotes.stream().filter(quote -> !sources.contains(quote))).isEmpty();
  }

  private static String sources() throws IOException {
    Path root = Page.named("README.md").root();
    try (Stream<Path> cli = Files.walk(root.resolve("cli/src/main"));
        Stream<Path> phone = Files.walk(root.resolve("phone/src/main"))) {
      return Stream.concat(LibraryModules.sources().stream(), Stream.concat(cli, phone))
              .filter(file -> file.toString().endsWith(".java"))
              .map(TroubleshootingPageTest::text)
              .collect(Collectors.joining())
          + text(root.resolve("switchboard"))
          + text(root.resolve("pom.xml"));
    }
  }

  private static String text(Path file) {
    try {
      return SPLIT.matcher(Files.readString(file)).replaceAll("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
