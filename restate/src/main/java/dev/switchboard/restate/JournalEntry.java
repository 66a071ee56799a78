package dev.switchboard.restate;

import dev.switchboard.execution.ConversationStore.CallOfTurn;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.state.ConversationState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The outcomes of effects on a conversation, as one entry of the engine's journal. It contains
/// only what they added.
///
/// @param lines appended to the transcript
/// @param calls that were settled
/// @param state the resulting state, null if it equals that of the storage, or of the previous
///   entry
/// @param base the version of the state in the storage when this was written; a later version there
///   is later than this entry
/// @param due when the conversation needs attention again; an entry with it ends the turn
record JournalEntry(
    List<Line> lines,
    List<CallOfTurn> calls,
    @Nullable ConversationState state,
    long base,
    @Nullable Instant due) {
  private static final int VERSION = 1;
  private static final String REPLY = "/model";

  JournalEntry {
    lines = List.copyOf(lines);
    calls = List.copyOf(calls);
  }

  /// The end of a turn that needs attention again at that time.
  static JournalEntry rest(Instant due) {
    return new JournalEntry(List.of(), List.of(), null, 0, due);
  }

  /// Whether it was costly: it contains a result or a reply.
  boolean cost() {
    return !calls.isEmpty() || lines.stream().anyMatch(line -> line.key().endsWith(REPLY));
  }

  byte[] bytes() {
    return Records.write(VERSION, this).text().getBytes(StandardCharsets.UTF_8);
  }

  /// @throws Records.UnreadableException when it was written by a newer version, or is damaged
  static JournalEntry read(byte[] bytes) {
    return Records.read(
        Json.text(new String(bytes, StandardCharsets.UTF_8)), VERSION, JournalEntry.class);
  }
}
