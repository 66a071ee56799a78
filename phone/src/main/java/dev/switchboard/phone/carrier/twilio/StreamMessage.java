package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.json.Records;
import org.jspecify.annotations.Nullable;

/// A message of Twilio over a media socket.
sealed interface StreamMessage {
  /// The first message.
  record Connected() implements StreamMessage {}

  /// The call of the socket.
  ///
  /// @param stream the id for messages to it
  /// @param token the parameter of that name, empty for none
  /// @param telephone whether its audio is µ-law with 8,000 samples a second
  record Start(String stream, String call, String token, boolean telephone)
      implements StreamMessage {}

  /// Audio of the caller.
  ///
  /// @param at of its first sample, in milliseconds since the start; -1 if it is not stated
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Media(String stream, byte[] audio, long at) implements StreamMessage {}

  /// A key that the caller has pressed.
  record Key(String stream, char key) implements StreamMessage {}

  /// All audio before that mark was played or cleared.
  record Mark(String stream, String name) implements StreamMessage {}

  /// No audio follows.
  record Stop(String stream) implements StreamMessage {}

  /// The message of this text; null if it is invalid or of an unknown kind.
  static @Nullable StreamMessage parse(String text) {
    try {
      return Records.read(Json.text(text), WireMessage.class).message();
    } catch (JsonException | IllegalArgumentException e) {
      return null;
    }
  }
}
