package dev.switchboard.store;

import dev.switchboard.contract.ConversationStoreContract;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;

/// A process that counts up in a store for as long as it lives, and says each number once it is
/// kept.
final class KilledWriter {
  private KilledWriter() {}

  public static void main(String[] args) {
    try (ConversationStore store = Storage.sqlite(Path.of(args[0]), "agent")) {
      Cell<ConversationState> cell = store.state("c");
      while (true) {
        Cell.Version<ConversationState> seen = cell.load();
        int next = seen.value().turn() + 1;
        if (cell.replace(seen, ConversationStoreContract.turn(next))) {
          ToolCall call = ToolCall.of("call-" + next, "count", "{}");
          store.settled("c", 0, next, new SettledCall(call, ToolResult.ok("kept")));
          System.out.println(next);
        }
      }
    }
  }
}
