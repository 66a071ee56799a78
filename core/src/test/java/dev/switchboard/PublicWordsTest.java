package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicWordsTest {
  @TempDir private Path folder;

  @Test
  void everyPublicTypeAndMethodOfCoreHasASentence() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path root = here.endsWith("core") ? here.getParent() : here;
    try (Stream<Path> files = Files.walk(root.resolve("core/src/main/java"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();

      assertThat(sources).hasSizeGreaterThan(50);
      assertThat(PublicWords.missing(root, sources)).isEmpty();
    }
  }

  @Test
  void namesThePlaceOfEachMissingSentence() throws IOException {
    String text =
        """
        /// A tool.
        public record Tool(String name) {
          public Tool {}

          public Tool(int number) {
            this("" + number);
          }

          public String title() {
            return name;
          }

          @Override
          public String toString() {
            return name;
          }

          String own() {
            return name;
          }

          public interface Handler {
            void handle();
          }

          private static final class Hidden {
            public void open() {}
          }
        }
        """;
    Path file = Files.writeString(folder.resolve("Tool.java"), text);

    assertThat(PublicWords.missing(folder, List.of(file)))
        .containsExactly(
            "Tool.java:5: constructor of Tool has no sentence: say with /// what it is or returns.",
            "Tool.java:9: method title has no sentence: say with /// what it is or returns.",
            "Tool.java:22: type Handler has no sentence: say with /// what it is or returns.",
            "Tool.java:23: method handle has no sentence: say with /// what it is or returns.");
  }
}
