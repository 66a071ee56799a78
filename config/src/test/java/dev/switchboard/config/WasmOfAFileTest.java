package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tools that are WebAssembly modules, where nothing is here that runs them.
final class WasmOfAFileTest {
  @TempDir private Path folder;

  @Test
  void namesTheArtifactThatIsMissing() {
    assertThat(
            new AgentFolder(folder, Map.of())
                .faults(
                    """
                    [[tools]]
                    name = "price"
                    wasm = { file = "price.wasm" }
                    """))
        .singleElement()
        .asString()
        .contains("tools[0].wasm needs the module dev.switchboard:switchboard-wasm");
  }
}
