package dev.switchboard.bench;

import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.tool.ToolCall;
import java.util.List;

/// What a call costs in a conversation that is young, and in one that is a hundred thousand calls
/// old.
final class History {
  private static final int YOUNG = 10;
  private static final int OLD = 100_000;
  private static final int SAMPLE = 20_000;

  private final ToolExecutor executor = Contenders.inline();
  private int next;
  private final ToolSession old = aged(OLD);

  static List<Row> run(boolean quick) throws Exception {
    History history = new History();
    Duel duel = new Duel("%,.0f", 8, quick ? 15 : 41);
    return List.of(
        duel.row(
            "a call after 100,000 others of its conversation / after 10: CPU ns",
            () -> history.calls(history.old, SAMPLE).cpu(),
            () -> history.young().cpu()),
        duel.row(
            "the same: bytes",
            () -> history.calls(history.old, SAMPLE).bytes(),
            () -> history.young().bytes()));
  }

  private ToolSession aged(int calls) {
    ToolSession session = ToolSession.of("history");
    calls(session, calls);
    return session;
  }

  /// Many short conversations, since a young one does not stay young.
  private Cost young() {
    int each = 100;
    ToolSession[] sessions = new ToolSession[SAMPLE / each];
    for (int i = 0; i < sessions.length; i++) {
      sessions[i] = aged(YOUNG);
    }
    Meter before = Meter.now();
    for (ToolSession session : sessions) {
      calls(session, each);
    }
    return before.since(SAMPLE);
  }

  private Cost calls(ToolSession session, int calls) {
    Meter before = Meter.now();
    for (int i = 0; i < calls; i++) {
      if (!executor.execute(ToolCall.of(Contenders.NAME, Shop.order(next++)), session).success()) {
        throw new IllegalStateException("the call failed");
      }
    }
    return before.since(calls);
  }
}
