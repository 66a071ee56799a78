package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
      return of(Json.text(text).tree());
    } catch (JsonException | IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable StreamMessage of(JsonNode message) {
    String stream = text(message, "streamSid");
    return switch (text(message, "event")) {
      case "connected" -> new Connected();
      case "start" -> start(stream, message.path("start"));
      case "media" -> media(stream, message.path("media"));
      case "dtmf" -> key(stream, text(message.path("dtmf"), "digit"));
      case "mark" -> new Mark(stream, text(message.path("mark"), "name"));
      case "stop" -> new Stop(stream);
      default -> null;
    };
  }

  private static Start start(String stream, JsonNode start) {
    JsonNode format = start.path("mediaFormat");
    boolean telephone =
        format.isMissingNode()
            || text(format, "encoding").equals("audio/x-mulaw")
                && format.path("sampleRate").asInt(0) == 8_000
                && format.path("channels").asInt(0) == 1;
    String token = text(start.path("customParameters"), MediaTokens.PARAMETER);
    return new Start(stream, text(start, "callSid"), token, telephone);
  }

  /// @throws IllegalArgumentException when the payload is not base64
  private static @Nullable Media media(String stream, JsonNode media) {
    String track = text(media, "track");
    if (!track.isEmpty() && !track.equals("inbound")) {
      return null;
    }
    byte[] audio = Base64.getDecoder().decode(text(media, "payload"));
    return new Media(stream, audio, milliseconds(text(media, "timestamp")));
  }

  private static long milliseconds(String digits) {
    int length = digits.length();
    boolean number = length > 0 && length < 12;
    long value = 0;
    for (int i = 0; i < length && number; i++) {
      char c = digits.charAt(i);
      number = c >= '0' && c <= '9';
      value = value * 10 + (c - '0');
    }
    return number ? value : -1;
  }

  private static @Nullable Key key(String stream, String digit) {
    boolean known = digit.length() == 1 && "0123456789*#".contains(digit);
    return known ? new Key(stream, digit.charAt(0)) : null;
  }

  private static String text(JsonNode node, String name) {
    JsonNode value = node.path(name);
    return value.isString() ? value.stringValue() : "";
  }
}
