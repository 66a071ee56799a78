package dev.switchboard.execution;

import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Ledger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The ledger of a session's state, made when it is first needed: most calls that stand alone need
/// none. Safe for use by several threads.
final class SessionLedger {
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Ledger<ConversationState> ledger;

  /// @param kept where the state is kept, null for this process alone
  SessionLedger(@Nullable Cell<ConversationState> kept) {
    ledger = kept == null ? null : Ledger.of(kept);
  }

  /// The ledger, null while nobody has needed it.
  @Nullable Ledger<ConversationState> known() {
    return ledger;
  }

  /// The state as this process knows it; that of a new conversation while nobody has needed it.
  ConversationState seen() {
    Ledger<ConversationState> known = ledger;
    return known == null ? ConversationState.NEW : known.value();
  }

  Ledger<ConversationState> get() {
    Ledger<ConversationState> known = ledger;
    if (known != null) {
      return known;
    }
    lock.lock();
    try {
      known = ledger;
      if (known == null) {
        known = Ledger.inProcess(ConversationState.NEW);
        ledger = known;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }
}
