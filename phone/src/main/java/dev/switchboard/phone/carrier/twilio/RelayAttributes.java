package dev.switchboard.phone.carrier.twilio;

import dev.switchboard.phone.carrier.Medium;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The attributes of a `<ConversationRelay>`. Those whose default differs between accounts, or has
/// changed, are always written.
final class RelayAttributes {
  private static final String PROVIDER = "transcriptionProvider";
  private static final String MODEL = "speechModel";
  private static final String DEEPGRAM = "Deepgram";
  private static final String FLUX = "flux";

  private RelayAttributes() {}

  static Map<String, String> of(Medium.Text text) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("language", text.language());
    String voice = text.voice();
    if (voice != null) {
      attributes.put("voice", voice);
    }
    attributes.put("interruptible", "speech");
    attributes.put("reportInputDuringAgentSpeech", "any"); // keys answer a question while it is put
    attributes.put("ignoreBackchannel", "true");
    attributes.put("dtmfDetection", "true");
    attributes.put("events", "speaker-events tokens-played");
    attributes.putAll(new TreeMap<>(text.options()));
    if (isEnglish(text.language())) {
      addTranscription(attributes);
    }
    return attributes;
  }

  /// Adds what fits to the options: a model of another provider would end the session.
  private static void addTranscription(Map<String, String> attributes) {
    attributes.putIfAbsent(PROVIDER, DEEPGRAM);
    if (DEEPGRAM.equals(attributes.get(PROVIDER))) {
      attributes.putIfAbsent(MODEL, FLUX);
    }
    if (FLUX.equals(attributes.get(MODEL))) {
      attributes.putIfAbsent("partialPrompts", "true");
    }
  }

  private static boolean isEnglish(String language) {
    String tag = language.toLowerCase(Locale.ROOT);
    return tag.equals("en") || tag.startsWith("en-");
  }
}
