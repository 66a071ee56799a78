package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ServerErrorsTest {
  @Test
  void beginsAtTheLineThatNamesAnErrorAndLeavesTheStackOut() {
    assertThat(
            end(
                """
                node:internal/modules/cjs/loader:1210
                  throw err;
                  ^

                Error: Cannot find module '/work/index.js'
                    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
                    at node:internal/main/run_main_module:28:49 {
                  code: 'MODULE_NOT_FOUND'
                }
                """))
        .startsWith("Error: Cannot find module '/work/index.js' code:");
    assertThat(end("Traceback (most recent call last):\n  File \"a\"\nModuleNotFoundError: No x\n"))
        .isEqualTo("ModuleNotFoundError: No x");
  }

  @Test
  void isTheLastOutputOtherwise() {
    assertThat(end("x".repeat(600) + " no licence\n")).hasSize(500).endsWith("no licence");
    assertThat(end("")).isEmpty();
  }

  private static String end(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ServerErrors.of("s", new ByteArrayInputStream(bytes)).end();
  }
}
