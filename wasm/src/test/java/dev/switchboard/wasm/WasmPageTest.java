package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException.Fault;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.ConfigurationPage;
import dev.switchboard.harness.ShownCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/wasm.md` to the code that it shows, and the table of keys to those that are
/// read.
final class WasmPageTest {
  @TempDir private Path folder;

  private static String block(String language) throws IOException {
    return ShownCode.block("docs/how-to/wasm.md", "wasm", language);
  }

  @Test
  void itsExampleCompiles() throws IOException {
    assertThat(ShownCode.faults(folder, "Pricing", block("java"))).isZero();
  }

  @Test
  void itsFileHasNoErrors() throws IOException {
    Files.copy(Modules.resource("price.wasm"), folder.resolve("price.wasm"));
    Path agent = Files.writeString(folder.resolve("agent.toml"), block("toml"));

    AgentFile read = AgentFile.check(agent);

    assertThat(read.tools()).hasSize(1);
    assertThat(read.warnings()).extracting(Fault::severity).containsOnly(Severity.WARNING);
    assertThat(read.warnings())
        .extracting(Fault::message)
        .singleElement()
        .asString()
        .contains("CURRENCY");
  }

  @Test
  void eachKeyHasItsRow() throws IOException {
    assertThat(ConfigurationPage.rows("`wasm`"))
        .containsExactlyElementsOf(ConfigurationPage.keys(WasmTable.WasmKeys.class));
  }
}
