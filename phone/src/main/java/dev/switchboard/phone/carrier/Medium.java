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
  /// @param language of the caller and the voice, such as `en-US` (BCP 47), or `multi`
  /// @param options of the carrier, by their names there
  record Text(@Nullable String voice, String language, Map<String, String> options)
      implements Medium {
    private static final Pattern LANGUAGE =
        Pattern.compile("[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}");
    // XML reserves names that begin with its own.
    private static final Pattern NAME = Pattern.compile("(?!(?i:xml))[A-Za-z]{1,40}");
    private static final int LONGEST_VALUE = 4_000;
    private static final Set<String> RESERVED =
        Set.of(
            "url",
            "language",
            "welcomeGreeting",
            "interruptible",
            "reportInputDuringAgentSpeech",
            "ignoreBackchannel",
            "dtmfDetection",
            "events");

    /// @throws IllegalArgumentException when the language, a name or a value is invalid, or an
    ///   option is one that the runtime sets itself
    public Text {
      if (voice != null && !isValue(voice)) {
        throw new IllegalArgumentException("the voice '" + voice + "' is not a name");
      }
      if (!isLanguage(language)) {
        throw new IllegalArgumentException(
            "the language '" + language + "' is not a tag such as en-US");
      }
      options = Map.copyOf(options);
      options.forEach(Text::check);
    }

    private static void check(String name, String value) {
      String fault = fault(name, value);
      if (fault != null) {
        throw new IllegalArgumentException("the option '" + name + "' " + fault);
      }
    }

    /// Whether it has the form of a language (BCP 47).
    public static boolean isLanguage(String text) {
      return LANGUAGE.matcher(text).matches();
    }

    /// Why that option cannot be set, the rest of a sentence; null if it can.
    public static @Nullable String fault(String name, String value) {
      if (!NAME.matcher(name).matches()) {
        return "is not a name of letters";
      }
      if (RESERVED.contains(name)) {
        return "is set by the runtime";
      }
      return isValue(value) ? null : "needs a value of 1 to %d characters".formatted(LONGEST_VALUE);
    }

    private static boolean isValue(String text) {
      return !text.isBlank()
          && text.length() <= LONGEST_VALUE
          && text.chars().noneMatch(Character::isISOControl);
    }
  }
}
