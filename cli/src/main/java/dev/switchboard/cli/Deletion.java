package dev.switchboard.cli;

import dev.switchboard.agent.StoredConversations;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.time.Time;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/// Deletes stored conversations one after the other, and reports each.
///
/// @param force whether conversations that a process may hold are deleted too
record Deletion(Terminal terminal, StoredConversations stored, boolean force) {
  private static final int PROGRESS = 100;

  /// The number of deleted ones; failures are printed to standard error.
  int of(List<String> ids) {
    int deleted = 0;
    for (int i = 0; i < ids.size(); i++) {
      if (i > 0 && i % PROGRESS == 0) {
        terminal.err().println("%d of %d looked at.".formatted(i, ids.size()));
      }
      deleted += isDeleted(ids.get(i)) ? 1 : 0;
    }
    return deleted;
  }

  private boolean isDeleted(String id) {
    try {
      if (stored.delete(id, force)) {
        return true;
      }
      fault(String.valueOf(ConversationArguments.missing(id).getMessage()));
    } catch (UncheckedIOException e) {
      fault("Conversation '%s' is kept: %s.".formatted(Plain.line(id), e.getMessage()));
    } catch (ConversationConflictException e) {
      Duration held = e.held();
      fault(
          "Conversation '%s' %s; --force deletes it all the same."
              .formatted(
                  Plain.line(id),
                  held == null
                      ? "is being continued by another process"
                      : "is held until %s by another process, or one that died"
                          .formatted(Moments.clock(Time.SYSTEM.now().plus(held)))));
    }
    return false;
  }

  private void fault(String sentence) {
    terminal.err().println("switchboard: " + sentence);
  }
}
