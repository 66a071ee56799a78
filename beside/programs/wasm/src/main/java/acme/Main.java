package acme;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.handler.Tool;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import dev.switchboard.wasm.WasmModule;
import java.util.HexFormat;

/// Runs a module that ends, and one that does not.
final class Main {
  /// Exports a memory and `_start`, whose instructions follow.
  private static final String HEAD =
      "0061736d01000000010401600000030201000503010001"
          + "0713"
          + "02"
          + "066d656d6f7279"
          + "0200"
          + "065f7374617274"
          + "0000";

  private Main() {}

  public static void main(String[] arguments) {
    System.out.println(run("0a040102000b").success());
    System.out.println(run("0a09010700" + "03400c000b0b").code());
  }

  private static ToolResult run(String code) {
    byte[] module = HexFormat.of().parseHex(HEAD + code);
    Tool tool = Tool.dynamic("run").answeredBy(WasmModule.builder(module).build());
    return ToolExecutor.of(tool).execute(ToolCall.of("run", "{}"));
  }
}
