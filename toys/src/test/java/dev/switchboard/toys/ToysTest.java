package dev.switchboard.toys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One more of each kind that grows takes few files, those that CONTRIBUTING.md names, and works.
class ToysTest {
  /// Tests that fail where one of a kind is not known; the others come with the patches.
  private static final List<String> LISTS =
      List.of(
          "CommandLineDocsTest",
          "DocsTest",
          "HttpPagesTest",
          "KeysOfAFileTest",
          "ModuleTest",
          "OpenApiTest",
          "PermissionsTest",
          "PhoneKeysDocsTest",
          "ProvidersTest",
          "RulePropertyTest");

  static List<Toy> toys() {
    return Toy.all();
  }

  @ParameterizedTest
  @MethodSource("toys")
  void takesTheFilesThatItsRowNamesAndFew(Toy toy) throws IOException {
    assertThat(toy.edited()).isEqualTo(toy.named(Copy.files()));
    assertThat(toy.edited()).hasSizeBetween(1, toy.most());
  }

  @Test
  void eachPatchHasARow() throws IOException {
    try (Stream<Path> files = Files.list(Toy.FOLDER)) {
      assertThat(toys().stream().map(Toy::patch))
          .containsExactlyInAnyOrderElementsOf(
              files.filter(file -> file.toString().endsWith(".patch")).toList());
    }
  }

  @Test
  void allTogetherAreBuiltAndSeen(@TempDir Path folder) throws Exception {
    Copy copy = Copy.in(folder);
    for (Toy toy : toys()) {
      copy.apply(toy.patch());
    }
    List<String> tests =
        Stream.concat(LISTS.stream(), toys().stream().flatMap(Toy::tests)).toList();

    assertThat(copy.passed(tests)).containsAll(tests);
  }
}
