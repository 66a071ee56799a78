package dev.switchboard.provider;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import tools.jackson.databind.JsonNode;

/// Converts a provider's answer to a reply: as a whole, or event by event.
///
/// Used once, by one thread. It throws a [ModelException] if the answer is invalid or contains no
/// reply.
public interface ReplyReader {
  /// The maximum of a number of tokens, so that no sum overflows.
  long MOST_TOKENS = 1_000_000_000_000L;

  /// A number of tokens in the usage that an answer states, 0 for none.
  static long tokens(JsonNode usage, String name) {
    return Math.clamp(usage.path(name).asLong(0), 0, MOST_TOKENS);
  }

  /// The reply of a complete answer.
  ModelReply whole(JsonNode answer);

  /// Reads the data of the next event, and returns whether it was the last.
  boolean event(String data);

  /// The reply of all events, after the last.
  ModelReply end();
}
