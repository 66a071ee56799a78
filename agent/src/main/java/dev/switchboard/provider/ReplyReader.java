package dev.switchboard.provider;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import tools.jackson.databind.JsonNode;

/// Converts a provider's answer to a reply: as a whole, or event by event.
///
/// Used once, by one thread. It throws a [ModelException] if the answer is invalid or contains no
/// reply.
public interface ReplyReader {
  /// The reply of a complete answer.
  ModelReply whole(JsonNode answer);

  /// Reads the data of the next event, and returns whether it was the last.
  boolean event(String data);

  /// The reply of all events, after the last.
  ModelReply end();
}
