package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
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
      return Json.text(text).as(Wire.class).message();
    } catch (JsonException | IllegalArgumentException e) {
      return null;
    }
  }

  /// A message as it is written; which members there are depends on the event.
  record Wire(
      @Nullable String event,
      @Nullable String streamSid,
      @Nullable WireStart start,
      @Nullable WireMedia media,
      @Nullable WireKey dtmf,
      @Nullable WireMark mark) {
    /// @throws IllegalArgumentException when the audio is not base64
    @Nullable StreamMessage message() {
      String stream = Objects.requireNonNullElse(streamSid, "");
      return switch (event) {
        case "connected" -> new Connected();
        case "start" -> start == null ? null : start.of(stream);
        case "media" -> media == null ? null : media.of(stream);
        case "dtmf" -> dtmf == null ? null : dtmf.of(stream);
        case "mark" -> mark == null || mark.name == null ? null : new Mark(stream, mark.name);
        case "stop" -> new Stop(stream);
        case null, default -> null;
      };
    }
  }

  record WireStart(
      @Nullable String callSid,
      @Nullable Map<String, String> customParameters,
      @Nullable WireFormat mediaFormat) {
    Start of(String stream) {
      String token = customParameters == null ? null : customParameters.get(MediaTokens.PARAMETER);
      return new Start(
          stream,
          Objects.requireNonNullElse(callSid, ""),
          Objects.requireNonNullElse(token, ""),
          mediaFormat == null || mediaFormat.equals(WireFormat.TELEPHONE));
    }
  }

  record WireFormat(@Nullable String encoding, int sampleRate, int channels) {
    static final WireFormat TELEPHONE = new WireFormat("audio/x-mulaw", 8_000, 1);
  }

  record WireMedia(@Nullable String track, @Nullable String payload, @Nullable String timestamp) {
    @Nullable Media of(String stream) {
      boolean inbound = track == null || track.equals("inbound");
      long at = milliseconds(Objects.requireNonNullElse(timestamp, ""));
      return inbound && payload != null
          ? new Media(stream, Base64.getDecoder().decode(payload), at)
          : null;
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
  }

  record WireKey(@Nullable String digit) {
    @Nullable Key of(String stream) {
      return digit != null && digit.length() == 1 && "0123456789*#".contains(digit)
          ? new Key(stream, digit.charAt(0))
          : null;
    }
  }

  record WireMark(@Nullable String name) {}
}
