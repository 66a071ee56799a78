package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.model.ModelException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `docs/how-to/models.md` knows every failure.
class ModelsPageTest {
  @Test
  void namesEveryKindOfFailureAndWhetherItMayPass() throws IOException {
    List<String> kinds =
        Stream.of(ModelException.Kind.values())
            .map(kind -> "`" + kind + "` " + (kind.passing() ? "yes" : "no"))
            .toList();

    assertThat(
            Page.named("docs/how-to/models.md").rows().stream()
                .map(row -> row.getFirst() + " " + row.getLast()))
        .containsAll(kinds);
  }
}
