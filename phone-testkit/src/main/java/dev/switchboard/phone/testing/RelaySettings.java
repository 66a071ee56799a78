package dev.switchboard.phone.testing;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The attributes of a `<ConversationRelay>`, with their defaults.
///
/// The rules are those of twilio.com/docs/voice/twiml/connect/conversationrelay, as read in
/// September 2026, where nothing else is named.
///
/// @param attributes all of them, by name
/// @param warnings about attributes that have no effect
record RelaySettings(Map<String, String> attributes, List<String> warnings) {
  private static final String FLAG = "true|false";
  private static final String INPUT = "none|dtmf|speech|any";
  // Booleans are accepted for compatibility (changelog of 2025-04-01).
  private static final String INTERRUPTION = INPUT + "|" + FLAG;
  private static final String TAG = "[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*";
  private static final String ANY = "(?s).+";
  private static final Map<String, Pattern> VALUES =
      Map.ofEntries(
          value("url", ANY),
          value("welcomeGreeting", ANY),
          value("welcomeGreetingInterruptible", INTERRUPTION),
          value("language", TAG),
          value("ttsLanguage", TAG),
          value("ttsProvider", "Google|Amazon|ElevenLabs"),
          value("voice", ANY),
          value("transcriptionLanguage", TAG),
          value("transcriptionProvider", "Google|Deepgram"),
          value("speechModel", ANY),
          // 0.5 to 0.9
          value("eotThreshold", "0?\\.([5-8][0-9]*|90*)"),
          value("partialPrompts", FLAG),
          value("deepgramSmartFormat", FLAG),
          value("interruptible", INTERRUPTION),
          value("interruptSensitivity", "high|medium|low"),
          // 600 to 5,000 milliseconds
          value("speechTimeout", "auto|[6-9][0-9]{2}|[1-4][0-9]{3}|5000"),
          value("dtmfDetection", FLAG),
          value("reportInputDuringAgentSpeech", INPUT),
          value("ignoreBackchannel", FLAG),
          value("preemptible", FLAG),
          value("hints", ANY),
          value("events", "(speaker-events|tokens-played)( (speaker-events|tokens-played))*"),
          value("elevenlabsTextNormalization", "on|auto|off"),
          value("intelligenceService", ANY),
          value("conversationConfiguration", ANY),
          value("conversationId", ANY),
          value("debug", "[a-z-]+( [a-z-]+)*"));
  // Deepgram's multilingual Flux (developers.deepgram.com/docs/flux/configuration).
  private static final Set<String> FLUX =
      Set.of("multi", "en", "es", "fr", "de", "hi", "ru", "pt", "ja", "it", "nl");
  private static final String DEEPGRAM = "Deepgram";

  private static Map.Entry<String, Pattern> value(String name, String pattern) {
    return entry(name, Pattern.compile(pattern));
  }

  /// The settings of these attributes.
  ///
  /// @throws IllegalArgumentException when a value is not allowed
  static RelaySettings of(Map<String, String> attributes) {
    List<String> warnings = new ArrayList<>();
    attributes.forEach((name, value) -> {
      Pattern allowed = VALUES.get(name);
      if (allowed == null) {
        // One that is unknown has no effect.
        warnings.add("12200 the attribute '" + name + "' is unknown");
      } else if (!allowed.matcher(value).matches()) {
        throw new IllegalArgumentException(
            "12200 the attribute '%s' cannot be '%s'".formatted(name, value));
      }
    });
    return new RelaySettings(Map.copyOf(attributes), List.copyOf(warnings));
  }

  private String get(String name, String otherwise) {
    return attributes.getOrDefault(name, otherwise);
  }

  private boolean has(String name) {
    return get(name, "false").equals("true");
  }

  /// Which attributes do not fit together, which ends the session (64106); null for none.
  @Nullable String mismatch() {
    String model = get("speechModel", "");
    boolean flux = model.equals("flux");
    boolean deepgram = get("transcriptionProvider", DEEPGRAM).equals(DEEPGRAM);
    boolean ofDeepgram = flux || model.startsWith("nova-");
    boolean ofGoogle = model.startsWith("telephony") || model.startsWith("long");
    if (deepgram ? ofGoogle : ofDeepgram) {
      return "the speechModel is not one of the transcriptionProvider";
    }
    if (flux && !FLUX.contains(primary(language()))) {
      return "flux does not know the language";
    }
    if (!flux && (has("partialPrompts") || attributes.containsKey("eotThreshold"))) {
      return "partialPrompts and eotThreshold need flux";
    }
    boolean multi = get("language", "").equals("multi");
    return multi && !(deepgram && get("ttsProvider", "ElevenLabs").equals("ElevenLabs"))
        ? "the language 'multi' needs Deepgram and ElevenLabs"
        : null;
  }

  /// The language of the caller.
  String language() {
    return get("transcriptionLanguage", get("language", "en-US"));
  }

  /// The language that prompts state: for `multi`, of the words, which are English here.
  String promptLanguage() {
    return language().equals("multi") ? "en" : language();
  }

  private static String primary(String tag) {
    return tag.toLowerCase(Locale.ROOT).replaceFirst("-.*", "");
  }

  /// Words to speak at the start, empty for none.
  String greeting() {
    return get("welcomeGreeting", "");
  }

  boolean isGreetingInterruptible() {
    return !Set.of("none", "false").contains(get("welcomeGreetingInterruptible", "any"));
  }

  /// Whether an input interrupts the agent.
  ///
  /// @param input `speech` or `dtmf`
  boolean isInterruptedBy(String input) {
    return Set.of("any", "true", input).contains(get("interruptible", "any"));
  }

  /// Whether an input is reported while the agent speaks.
  ///
  /// @param input `speech` or `dtmf`
  boolean reports(String input) {
    // The default was 'any' before May 2025.
    return Set.of("any", input).contains(get("reportInputDuringAgentSpeech", "none"));
  }

  boolean detectsKeys() {
    return has("dtmfDetection");
  }

  boolean ignoresBackchannel() {
    return has("ignoreBackchannel");
  }

  boolean sendsPartials() {
    return has("partialPrompts");
  }

  /// Whether an event is sent.
  ///
  /// @param name `speaker-events` or `tokens-played`
  boolean sends(String name) {
    return List.of(get("events", "").split(" ", -1)).contains(name);
  }
}
