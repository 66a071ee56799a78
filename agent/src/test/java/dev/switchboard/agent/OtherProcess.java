package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import java.time.Instant;

/// A process that has a conversation in the same store.
final class OtherProcess {
  private OtherProcess() {}

  /// Takes the conversation, up to that moment, whoever has it.
  static void takes(ConversationStore store, String conversation, Instant until) {
    Cell<ConversationState> cell = store.state(conversation);
    Cell.Version<ConversationState> known = cell.load();
    Lease lease = new Lease(known.value().lease().fence() + 1, until);
    assertThat(cell.replace(known, known.value().withLease(lease))).isTrue();
  }
}
