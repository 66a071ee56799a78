package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException.Fault;
import dev.switchboard.config.ConfigException.Fault.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Holds `docs/how-to/wasm.md` to the code that it shows.
final class WasmPageTest {
  @TempDir private Path folder;

  private static String block(String language) throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path root = here.endsWith("wasm") ? here.getParent() : here;
    String page = Files.readString(root.resolve("docs/how-to/wasm.md"));
    String fence = "<!-- wasm -->\n```" + language + "\n";
    int begin = page.indexOf(fence) + fence.length();
    return page.substring(begin, page.indexOf("```\n", begin));
  }

  @Test
  void itsExampleCompiles() throws IOException {
    Path source = Files.writeString(folder.resolve("Pricing.java"), block("java"));

    int faults =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());

    assertThat(faults).isZero();
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
}
