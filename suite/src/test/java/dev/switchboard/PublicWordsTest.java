package dev.switchboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicWordsTest {
  @TempDir private Path folder;

  @Test
  void everyPublicTypeAndMethodOfTheLibraryHasASentence() throws IOException {
    List<Path> sources = LibraryModules.sources();

    assertThat(sources).hasSizeGreaterThan(50);
    assertThat(PublicWords.missing(Repository.root(), sources)).isEmpty();
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
