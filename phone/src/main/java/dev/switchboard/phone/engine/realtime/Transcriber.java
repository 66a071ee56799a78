package dev.switchboard.phone.engine.realtime;

import dev.switchboard.provider.ModelNames;
import java.util.List;
import java.util.regex.Pattern;

/// The provider's model that writes down what callers say, and what helps it.
///
/// @param name the provider's, such as `gpt-transcribe`
/// @param languages of callers, each two or three lower-case letters (ISO 639), such as `de`; none
///   if it detects them
/// @param keywords words that callers may say, such as names of products
public record Transcriber(String name, List<String> languages, List<String> keywords) {
  private static final Pattern LANGUAGE = Pattern.compile("[a-z]{2,3}");

  /// The provider's usual one, without help.
  public static final Transcriber USUAL = of();

  /// @throws IllegalArgumentException when a value has another form
  public Transcriber {
    OpenAiRealtime.check("transcriber", name);
    languages = List.copyOf(languages);
    keywords = List.copyOf(keywords);
    if (!languages.stream().allMatch(Transcriber::isLanguage)) {
      throw new IllegalArgumentException(
          "a language must be two or three small letters, such as 'de'");
    }
    if (keywords.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("a keyword must not be blank");
    }
  }

  /// The provider's usual one, for callers who speak one of these languages.
  ///
  /// @throws IllegalArgumentException when one is not two or three small letters
  public static Transcriber of(String... languages) {
    return new Transcriber(ModelNames.TRANSCRIBER, List.of(languages), List.of());
  }

  /// This one with help for words that are easily misheard.
  ///
  /// @throws IllegalArgumentException when one is blank
  public Transcriber withKeywords(String... words) {
    return new Transcriber(name, languages, List.of(words));
  }

  /// Whether that is the form of a language.
  public static boolean isLanguage(String text) {
    return LANGUAGE.matcher(text).matches();
  }

  /// Whether its only language has to be stated as such: the models of OpenAI that take several
  /// languages refuse that, others refuse a list.
  boolean takesOneLanguage() {
    return languages.size() == 1 && !ModelNames.isGuidedTranscriber(name);
  }
}
