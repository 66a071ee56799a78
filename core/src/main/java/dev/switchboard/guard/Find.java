package dev.switchboard.guard;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The checks that need only the text. Each takes linear time.
final class Find {
  private Find() {}

  /// The matches of a pattern in the folded text.
  private static List<Span> all(Pattern pattern, Folded folded) {
    Matcher matcher = pattern.matcher(folded.text());
    List<Span> found = new ArrayList<>();
    while (matcher.find()) {
      if (matcher.end() > matcher.start()) {
        found.add(folded.span(matcher.start(), matcher.end()));
      }
    }
    return found;
  }

  static Guardrail.Finder words(List<String> words) {
    if (words.isEmpty()) {
      return text -> List.of();
    }
    Pattern any =
        Pattern.compile(
            words.stream()
                .map(word -> new Folded(word.strip()).text())
                .filter(word -> !word.isEmpty())
                .sorted((one, other) -> other.length() - one.length())
                .map(Find::asWord)
                .collect(Collectors.joining("|")));
    return text -> all(any, new Folded(text));
  }

  /// A regular expression for a word that is not part of another one; white space in it matches
  /// any.
  private static String asWord(String word) {
    String body =
        List.of(word.split("\\s+")).stream()
            .map(Pattern::quote)
            .collect(Collectors.joining("\\s+"));
    String before = isPlain(word.charAt(0)) ? "\\b" : "";
    String after = isPlain(word.charAt(word.length() - 1)) ? "\\b" : "";
    return before + body + after;
  }

  /// RE2's word boundaries know only such letters.
  private static boolean isPlain(char letter) {
    return letter < 128 && Character.isLetterOrDigit(letter);
  }

  /// @throws com.google.re2j.PatternSyntaxException when it is not a regular expression of RE2
  static Guardrail.Finder pattern(String regex) {
    Pattern pattern = Pattern.compile(regex);
    return text -> {
      List<Span> found = new ArrayList<>();
      Matcher matcher = pattern.matcher(text);
      while (matcher.find()) {
        if (matcher.end() > matcher.start()) {
          found.add(new Span(matcher.start(), matcher.end()));
        }
      }
      return found;
    };
  }

  static Guardrail.Finder maxLength(int characters) {
    return text ->
        text.length() > characters ? List.of(new Span(characters, text.length())) : List.of();
  }

  static Guardrail.Finder cardNumbers() {
    return text -> Numbers.cards(new Folded(text));
  }

  static Guardrail.Finder ibans() {
    return text -> Numbers.ibans(new Folded(text));
  }

  static Guardrail.Finder emails() {
    return text -> Emails.in(new Folded(text));
  }

  static Guardrail.Finder phoneNumbers() {
    return text -> Phones.in(new Folded(text));
  }

  static Guardrail.Finder instructions() {
    return text -> Instructions.in(new Folded(text));
  }

  static Guardrail.Finder secrets(List<String> values) {
    SecretForms forms = SecretForms.of(values);
    return forms::in;
  }
}
