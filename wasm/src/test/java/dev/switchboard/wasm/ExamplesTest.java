package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Repository;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The modules of `examples/wasm`, of a compiler of C and one of Rust.
final class ExamplesTest {
  @Test
  void aModuleInCReadsArgumentsAndVariables() {
    WasmModule price =
        WasmModule.builder(Modules.resource("price.wasm"))
            .environment(Map.of("CURRENCY", "CHF"))
            .timeout(Modules.PATIENCE)
            .build();

    assertThat(Modules.call(price, "{ \"item\": \"tea\", \"quantity\": 3 }").text())
        .isEqualTo("{\"total\":\"12.60\",\"currency\":\"CHF\"}");
  }

  @Test
  void aModuleInCFailsWithASentence() {
    WasmModule price =
        WasmModule.builder(Modules.resource("price.wasm")).timeout(Modules.PATIENCE).build();

    ToolResult result = Modules.call(price, "{\"item\":\"gold\",\"quantity\":1}");

    assertThat(result.success()).isFalse();
    assertThat(result.error())
        .contains("exit code 1: that item is not on the list: tea, coffee, cake");
  }

  @Test
  void aModuleInRustWithItsStandardLibrary() {
    WasmModule words =
        WasmModule.builder(Modules.resource("words.wasm")).timeout(Modules.PATIENCE).build();

    assertThat(Modules.call(words, "{\"text\":\"To be, or \\\"not\\\" to be\"}").text())
        .isEqualTo("{\"words\":6,\"different\":4,\"most\":\"be\"}");
  }

  @Test
  void theDemonstrationHasTheSameBytes() throws IOException {
    for (String name : new String[] {"price.wasm", "words.wasm", "forever.wasm"}) {
      assertThat(Repository.file("cli/src/main/resources/demo").resolve(name))
          .hasBinaryContent(Files.readAllBytes(Modules.resource(name)));
    }
  }
}
