package dev.switchboard.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.ShownCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/mcp.md` to the code that it shows.
final class McpPageTest {
  @TempDir Path folder;

  @Test
  void itsExampleCompiles() throws IOException {
    String code = ShownCode.block("docs/how-to/mcp.md", "", "java");

    assertThat(ShownCode.faults(folder, "Helper", code)).isZero();
  }
}
