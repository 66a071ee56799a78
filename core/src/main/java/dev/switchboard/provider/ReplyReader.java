package dev.switchboard.provider;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import tools.jackson.databind.JsonNode;

/// Makes one reply from a provider's answer: a whole one, or event by event.
///
/// Used by one thread, once. It throws a [ModelException] if the answer is invalid, or says that
/// there is no reply.
public interface ReplyReader {
  /// The reply of a whole answer.
  ModelReply whole(JsonNode answer);

  /// Reads the data of the next event, and returns whether it was the last.
  boolean event(String data);

  /// The reply of all events, when no more come.
  ModelReply end();
}
