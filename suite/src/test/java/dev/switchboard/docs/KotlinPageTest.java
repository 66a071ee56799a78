package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

class KotlinPageTest {
  /// What is compiled, run and compared with its output where Kotlin's compiler is.
  @Test
  void showsTheProgramOfBesideKotlin() throws IOException {
    Page page = Page.named("docs/how-to/kotlin.md");
    List<Block> code = page.blocks().stream().filter(block -> block.is("kotlin")).toList();
    assertThat(code)
        .singleElement()
        .extracting(Block::lines)
        .isEqualTo(
            Files.readAllLines(
                page.root().resolve("beside/kotlin/src/main/kotlin/acme/Bistro.kt")));
  }
}
