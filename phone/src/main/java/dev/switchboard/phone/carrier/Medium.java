package dev.switchboard.phone.carrier;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What travels between the carrier and a call's engine.
public sealed interface Medium {
  /// Audio, on an [AudioLine].
  record Audio() implements Medium {}

  /// Text, on a [TextLine]: the carrier hears and speaks.
  ///
  /// @param voice null for the carrier's default
  /// @param language of the caller and the voice, such as `en-US` (BCP 47)
  /// @param options of the carrier, by their names there
  record Text(@Nullable String voice, String language, Map<String, String> options)
      implements Medium {
    private static final Pattern LANGUAGE = Pattern.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}");
    private static final Pattern OPTION = Pattern.compile("[A-Za-z]{1,40}");
    private static final int LONGEST = 200;
    // What a call relies on, or what has a name of its own here.
    private static final Set<String> OWN =
        Set.of(
            "url",
            "language",
            "voice",
            "welcomeGreeting",
            "interruptible",
            "reportInputDuringAgentSpeech",
            "ignoreBackchannel",
            "dtmfDetection",
            "events");

    /// @throws IllegalArgumentException when the language does not have that form, or an option
    ///   cannot be set
    public Text {
      if (!isLanguage(language)) {
        throw new IllegalArgumentException("'" + language + "' is not a language such as 'de-DE'");
      }
      options = Map.copyOf(options);
      options.forEach((name, value) -> {
        String fault = fault(name, value);
        if (fault != null) {
          throw new IllegalArgumentException("option '" + name + "' " + fault);
        }
      });
    }

    /// Whether it has the form of a language (BCP 47).
    public static boolean isLanguage(String text) {
      return LANGUAGE.matcher(text).matches();
    }

    /// Why that option cannot be set, the rest of a sentence; null if it can.
    public static @Nullable String fault(String name, String value) {
      if (OWN.contains(name)) {
        return "cannot be set: calls rely on its value";
      }
      if (!OPTION.matcher(name).matches()) {
        return "is not a name of up to 40 letters";
      }
      return value.length() > LONGEST ? "must have at most " + LONGEST + " characters" : null;
    }
  }
}
