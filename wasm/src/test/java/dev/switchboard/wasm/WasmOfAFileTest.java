package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.Switchboard;
import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The key `wasm` of an agent's file.
final class WasmOfAFileTest {
  private static final String PRICE =
      """
      parameters = { type = "object", properties = { item = { type = "string" }, quantity = { type = "integer" } } }
      """;

  @TempDir private Path folder;

  @BeforeEach
  void theModuleIsBesideTheFile() throws IOException {
    Files.copy(Modules.resource("price.wasm"), folder.resolve("price.wasm"));
    Files.write(folder.resolve("loop.wasm"), Modules.running(Wat.forever()));
  }

  private Path file(String wasm) throws IOException {
    return Files.writeString(
        folder.resolve("agent.toml"),
        """
        [[tools]]
        name = "price"
        wasm = %s
        """
                .formatted(wasm)
            + PRICE);
  }

  private List<String> faults(String wasm) throws IOException {
    Path file = file(wasm);
    ConfigException e = catchThrowableOfType(ConfigException.class, () -> AgentFile.check(file));
    return e == null
        ? List.of()
        : e.faults().stream()
            .map(fault ->
                "%d:%d %s %s"
                    .formatted(fault.line(), fault.column(), fault.kind(), fault.message()))
            .toList();
  }

  @Test
  void answersWithTheModuleOfTheFile() throws IOException {
    Path file =
        file(
            "{ file = \"price.wasm\", memory = \"1MiB\", timeout = \"5s\", env = { CURRENCY ="
                + " \"CHF\" } }");

    try (ToolExecutor executor = Switchboard.load(file)) {
      assertThat(
              executor.execute(ToolCall.of("price", "{\"item\":\"cake\",\"quantity\":2}")).text())
          .isEqualTo("{\"total\":\"11.00\",\"currency\":\"CHF\"}");
    }
    assertThat(AgentFile.check(file).tools().getFirst().definition().mode())
        .isEqualTo(ToolMode.READ);
  }

  @Test
  void keepsToTheTimeoutOfTheFile() throws IOException {
    try (ToolExecutor executor =
        Switchboard.load(file("{ file = \"loop.wasm\", timeout = \"50ms\" }"))) {
      assertThat(executor.execute(ToolCall.of("price", "{}")).code()).isEqualTo(ResultCode.TIMEOUT);
    }
  }

  @Test
  void keepsToTheResponseLimitOfTheTool() throws IOException {
    Path file = file("{ file = \"price.wasm\", timeout = \"5s\" }");
    Files.writeString(file, Files.readString(file) + "response_limit = 10\n");

    try (ToolExecutor executor = Switchboard.load(file)) {
      assertThat(
              executor.execute(ToolCall.of("price", "{\"item\":\"cake\",\"quantity\":2}")).code())
          .isEqualTo(ResultCode.RESPONSE_TOO_LARGE);
    }
  }

  @Test
  void faultsHaveTheirLine() throws IOException {
    assertThat(faults("{ file = \"no.wasm\" }"))
        .containsExactly("3:10 BAD_VALUE tools[0].wasm.file does not exist");
    assertThat(faults("{ file = \"agent.toml\" }"))
        .containsExactly("3:10 BAD_VALUE tools[0].wasm.file is not a WebAssembly module");
    assertThat(faults("{ file = \"price.wasm\", memory = \"64KiB\" }"))
        .containsExactly(
            "3:31 BAD_VALUE tools[0].wasm.memory is 64 KiB, but the module needs 128 KiB to begin"
                + " with");
    assertThat(faults("{ file = \"price.wasm\", function = \"main\" }"))
        .containsExactly(
            "3:31 BAD_VALUE tools[0].wasm.function names 'main', which the module does not export;"
                + " it exports '_start'");
    assertThat(faults("{ file = \"price.wasm\", memory = \"lots\" }"))
        .containsExactly(
            "3:31 BAD_VALUE tools[0].wasm.memory must be a size such as \"64KiB\", \"16MiB\" or a"
                + " number of bytes, not \"lots\"");
    assertThat(faults("{ file = \"price.wasm\", timeout = \"11s\" }"))
        .containsExactly(
            "3:31 BAD_VALUE tools[0].wasm.timeout is longer than the timeout of the tool, 10s");
    assertThat(faults("{ file = \"price.wasm\", timeout = \"11s\" }\ntimeout = \"12s\"")).isEmpty();
    assertThat(faults("{ memory = 65536 }"))
        .containsExactly("3:1 BAD_VALUE tools[0].wasm needs 'file'");
  }

  @Test
  void aFaultOfADefaultStandsAtTheTable() throws IOException {
    Files.write(folder.resolve("large.wasm"), new Wat().memory(300).start().bytes());

    assertThat(faults("{ file = \"large.wasm\" }"))
        .containsExactly(
            "3:1 BAD_VALUE tools[0].wasm.memory is 16,384 KiB, but the module needs 19,200 KiB to"
                + " begin with");
    assertThat(faults("{ file = \"large.wasm\", memory = \"32MiB\" }")).isEmpty();
  }

  @Test
  void aToolHasOneAnswerOnly() throws IOException {
    assertThat(faults("{ file = \"price.wasm\" }\ncommand = [\"date\"]"))
        .anyMatch(fault -> fault.endsWith("tools[0] has both 'command' and 'wasm'"));
    assertThat(faults("{ file = \"price.wasm\" }\nwebhook_url = \"https://a.example/\""))
        .anyMatch(fault -> fault.endsWith("tools[0] has both 'webhook_url' and 'wasm'"));
  }
}
