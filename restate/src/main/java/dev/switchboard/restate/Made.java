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

/// What effects have made of a conversation, an entry of the engine's journal: their outcome alone,
/// never what was there before.
///
/// @param lines behind the others
/// @param calls that were settled
/// @param state that has come of it, null where it is the one that the storage has, or the last
///   entry
/// @param base the version of the state in the storage when this was written down: where that has a
///   later one, it is later than this too
/// @param due when somebody has to look after the conversation; with it the turn has come to rest
record Made(
    List<Line> lines,
    List<CallOfTurn> calls,
    @Nullable ConversationState state,
    long base,
    @Nullable Instant due) {
  private static final int VERSION = 1;
  private static final String REPLY = "/model";

  Made {
    lines = List.copyOf(lines);
    calls = List.copyOf(calls);
  }

  /// The end of a turn that somebody has to look after at that moment.
  static Made rest(Instant due) {
    return new Made(List.of(), List.of(), null, 0, due);
  }

  /// Whether it is not to be made once more for nothing: a result is among it, or a reply.
  boolean cost() {
    return !calls.isEmpty() || lines.stream().anyMatch(line -> line.key().endsWith(REPLY));
  }

  byte[] bytes() {
    return Records.write(VERSION, this).text().getBytes(StandardCharsets.UTF_8);
  }

  /// @throws Records.UnreadableException when it is of a version to come, or damaged
  static Made read(byte[] bytes) {
    return Records.read(Json.text(new String(bytes, StandardCharsets.UTF_8)), VERSION, Made.class);
  }
}
