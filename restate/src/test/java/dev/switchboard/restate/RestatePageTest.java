package dev.switchboard.restate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.ShownCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/restate.md` to the code that it shows.
class RestatePageTest {
  @TempDir Path folder;

  @Test
  void itsExampleCompiles() throws IOException {
    String code = ShownCode.block("docs/how-to/restate.md", "restate", "java");

    assertThat(ShownCode.faults(folder, "Orders", code)).isZero();
  }
}
