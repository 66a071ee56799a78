package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.phone.carrier.CarrierEvent;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A message of Twilio's Media Streams as it is written. Which members it has depends on the event.
record WireMessage(
    @Nullable String event,
    @Nullable String streamSid,
    @Nullable Start start,
    @Nullable Media media,
    @Nullable Key dtmf,
    @Nullable Mark mark) {
  /// What it says; null if it is of an unknown kind, or its essential members are missing.
  ///
  /// @throws IllegalArgumentException when the audio is not base64
  @Nullable StreamMessage message() {
    String stream = text(streamSid);
    return switch (event) {
      case "connected" -> new StreamMessage.Connected();
      case "start" -> Objects.requireNonNullElse(start, Start.NONE).of(stream);
      case "media" -> media == null ? null : media.of(stream);
      case "dtmf" -> dtmf == null ? null : dtmf.of(stream);
      case "mark" -> mark == null ? null : new StreamMessage.Mark(stream, text(mark.name));
      case "stop" -> new StreamMessage.Stop(stream);
      case null, default -> null;
    };
  }

  private static String text(@Nullable String member) {
    return Objects.requireNonNullElse(member, "");
  }

  record Start(
      @Nullable String callSid,
      Map<String, String> customParameters,
      @Nullable Format mediaFormat) {
    static final Start NONE = new Start(null, Map.of(), null);

    StreamMessage of(String stream) {
      String token = customParameters.get(MediaTokens.PARAMETER);
      boolean telephone = mediaFormat == null || mediaFormat.equals(Format.TELEPHONE);
      return new StreamMessage.Start(stream, text(callSid), text(token), telephone);
    }
  }

  record Format(
      @Nullable String encoding, @Nullable Integer sampleRate, @Nullable Integer channels) {
    static final Format TELEPHONE = new Format("audio/x-mulaw", 8_000, 1);
  }

  record Media(@Nullable String track, @Nullable String payload, @Nullable String timestamp) {
    @Nullable StreamMessage of(String stream) {
      if (!text(track).isEmpty() && !text(track).equals("inbound")) {
        return null;
      }
      byte[] audio = Base64.getDecoder().decode(text(payload));
      return new StreamMessage.Media(stream, audio, milliseconds(text(timestamp)));
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

  record Key(@Nullable String digit) {
    @Nullable StreamMessage of(String stream) {
      String key = text(digit);
      return CarrierEvent.Pressed.isKey(key) ? new StreamMessage.Key(stream, key.charAt(0)) : null;
    }
  }

  record Mark(@Nullable String name) {}
}
