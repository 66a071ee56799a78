package dev.switchboard.loop;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.json.Records.UnreadableException;
import java.time.Instant;

/// Lines of a transcript to and from JSON, distinguished by their `type`; each has the version of
/// its format.
public final class TranscriptEntryJson {
  private static final int VERSION = 1;

  private TranscriptEntryJson() {}

  /// The line as JSON, and when it was written.
  public static Json write(TranscriptEntry entry, Instant at) {
    return Records.write(VERSION, at, entry);
  }

  /// When the line was written.
  public static Instant at(Json json) {
    return Instant.parse(json.tree().path("at").asString());
  }

  /// Reads that line of the conversation.
  ///
  /// @throws IllegalStateException when it cannot be read
  public static TranscriptEntry read(String conversation, Line line) {
    try {
      return Records.read(line.entry(), VERSION, TranscriptEntry.class);
    } catch (UnreadableException e) {
      throw new IllegalStateException(
          "Conversation '%s': its line '%s' %s."
              .formatted(conversation, line.key(), e.getMessage()),
          e);
    }
  }
}
