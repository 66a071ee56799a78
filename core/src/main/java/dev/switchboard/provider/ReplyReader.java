package dev.switchboard.provider;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import tools.jackson.databind.JsonNode;

/// What makes one reply of a provider's answer: of the whole one, or event by event.
///
/// Used by one thread, once. It throws a [ModelException] where the answer makes no sense, or says
/// that there is no reply.
public interface ReplyReader {
  /// The reply of an answer that came whole.
  ModelReply whole(JsonNode answer);

  /// Takes the data of the next event, and returns whether it was the last.
  boolean event(String data);

  /// The reply of all events, when no more come.
  ModelReply end();
}
