package dev.switchboard.phone.carrier.relay;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.carrier.CarrierEvent.Side;
import dev.switchboard.text.Surrogates;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A message over a relay socket, in the form of Twilio's ConversationRelay.
public sealed interface RelayMessage {
  /// The parameter of the first message that holds the token of the call.
  String TOKEN = "token";

  /// The most words of one message, in characters: ten minutes of speech.
  int LONGEST_WORDS = 8_000;

  /// The longest time that a response is spoken, in milliseconds.
  int LONGEST_SPEECH = 3_600_000;

  /// A tag of BCP 47.
  Pattern LANGUAGE = Pattern.compile("[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}");

  /// A number as text, which is how older sessions send it.
  Pattern DIGITS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

  /// The first message.
  ///
  /// @param token the parameter of that name, empty for none
  record Setup(String call, String token) implements RelayMessage {}

  /// Something has happened in the call.
  record Happened(CarrierEvent event) implements RelayMessage {}

  /// Words that were spoken; their form is not documented.
  record TokensPlayed() implements RelayMessage {}

  /// The message of this text; null if it is invalid, an error, or of an unknown kind.
  static @Nullable RelayMessage parse(String text) {
    JsonNode message;
    try {
      message = Json.piece(Surrogates.repaired(text));
    } catch (JsonException e) {
      return null;
    }
    String type = text(message, "type");
    if (type.equals("setup")) {
      String token = text(message.path("customParameters"), TOKEN);
      return new Setup(text(message, "callSid"), token);
    }
    if (isTokensPlayed(type) || type.equals("info") && isTokensPlayed(text(message, "name"))) {
      return new TokensPlayed();
    }
    CarrierEvent event = event(type, message);
    return event == null ? null : new Happened(event);
  }

  private static boolean isTokensPlayed(String name) {
    return name.equals("tokensPlayed") || name.equals("tokens-played");
  }

  private static @Nullable CarrierEvent event(String type, JsonNode message) {
    return switch (type) {
      case "prompt" -> prompt(message);
      case "interrupt" ->
          new CarrierEvent.Interrupted(
              words(message, "utteranceUntilInterrupt"),
              milliseconds(message.path("durationUntilInterruptMs")));
      case "info" -> info(text(message, "name"), text(message, "value"));
      case "dtmf" -> key(text(message, "digit"));
      default -> null;
    };
  }

  private static @Nullable CarrierEvent prompt(JsonNode message) {
    String words = words(message, "voicePrompt");
    String language = text(message, "lang");
    JsonNode last = message.path("last");
    return words.isEmpty() || !last.isBoolean()
        ? null
        : new CarrierEvent.Prompted(
            words, LANGUAGE.matcher(language).matches() ? language : null, last.booleanValue());
  }

  private static @Nullable CarrierEvent info(String name, String value) {
    Side side =
        switch (name) {
          case "agentSpeaking" -> Side.AGENT;
          case "clientSpeaking" -> Side.CALLER;
          default -> null;
        };
    boolean speaks = value.equals("on");
    return side != null && (speaks || value.equals("off"))
        ? new CarrierEvent.Sounding(side, speaks)
        : null;
  }

  private static @Nullable CarrierEvent key(String digit) {
    return CarrierEvent.Pressed.isKey(digit) ? new CarrierEvent.Pressed(digit.charAt(0)) : null;
  }

  private static String text(JsonNode message, String member) {
    return message.path(member).stringValue("");
  }

  /// Words without unpaired surrogates, which a cut may leave too.
  private static String words(JsonNode message, String member) {
    String words = text(message, member).strip();
    boolean whole = words.length() <= LONGEST_WORDS;
    return Surrogates.repaired(whole ? words : words.substring(0, LONGEST_WORDS));
  }

  /// A number or its text; 0 if it is unreasonable.
  private static int milliseconds(JsonNode member) {
    String text = member.stringValue("");
    double value =
        DIGITS.matcher(text).matches() ? Double.parseDouble(text) : member.doubleValue(0);
    return value >= 0 && value <= LONGEST_SPEECH ? (int) value : 0;
  }
}
