package dev.switchboard.bench;

import java.util.List;

/// Prints the rows of one part of the table.
final class Main {
  private Main() {}

  /// @param args the part, then `quick` or `full`
  public static void main(String[] args) throws Exception {
    boolean quick = args.length > 1 && args[1].equals("quick");
    rows(args[0], quick).forEach(row -> System.out.println(row.markdown()));
    System.exit(0);
  }

  private static List<Row> rows(String part, boolean quick) throws Exception {
    return switch (part) {
      case "calls" -> Calls.run(quick);
      case "webhooks" -> Webhooks.run(quick);
      case "blocked" -> Blocked.run(quick);
      case "registry" -> Registry.run(quick);
      case "history" -> History.run(quick);
      case "rules" -> Rules.run(quick);
      case "turn" -> Turns.run(quick);
      case "window" -> Windows.run(quick);
      case "conversations" -> Conversations.run(quick);
      case "memory" -> Memories.run(quick);
      case "meaning" -> Nearness.run(quick);
      case "mcp" -> McpCalls.run(quick);
      case "wasm" -> WasmCalls.run(quick);
      case "openapi" -> Documents.run(quick);
      case "phone" -> Phones.run(quick);
      case "start" -> ColdStart.run(quick);
      default -> throw new IllegalArgumentException("no part of the benchmarks: " + part);
    };
  }
}
