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
  private static final Pattern SPACES = Pattern.compile("\\s+");

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
    List<String> folded =
        words.stream()
            .map(word -> new Folded(word.strip()).text())
            .filter(word -> !word.isEmpty())
            .sorted((one, other) -> other.length() - one.length())
            .toList();
    Pattern any =
        Pattern.compile(folded.stream().map(Find::asWord).collect(Collectors.joining("|")));
    List<String> spaced =
        folded.stream().map(word -> SPACES.matcher(word).replaceAll(" ")).toList();
    return Streamed.folded(text -> all(any, text), text -> open(text.text(), spaced));
  }

  /// Where one of the words may begin that more text completes, or makes part of another word.
  private static int open(String text, List<String> words) {
    int longest = words.stream().mapToInt(String::length).max().orElse(0);
    StringBuilder tail = new StringBuilder(); // backwards, with single spaces
    int[] places = new int[longest + 1];
    for (int at = text.length() - 1; at >= 0 && tail.length() <= longest; at--) {
      boolean isSpace = isSpace(text.charAt(at));
      if (!(isSpace && !tail.isEmpty() && tail.charAt(tail.length() - 1) == ' ')) {
        places[tail.length()] = at;
        tail.append(isSpace ? ' ' : text.charAt(at));
      }
    }
    String end = tail.reverse().toString();
    int open = words.stream().mapToInt(word -> begun(word, end)).max().orElse(0);
    return open == 0 ? text.length() : places[open - 1];
  }

  /// How many characters at the end may be the beginning of the word.
  private static int begun(String word, String end) {
    for (int count = Math.min(word.length(), end.length()); count > 0; count--) {
      int from = end.length() - count;
      boolean apart = from == 0 || !isPlain(word.charAt(0)) || !isOfWord(end.charAt(from - 1));
      if (apart && end.startsWith(word.substring(0, count), from)) {
        return count;
      }
    }
    return 0;
  }

  private static boolean isSpace(char letter) {
    return " \t\n\f\r".indexOf(letter) >= 0;
  }

  private static boolean isOfWord(char letter) {
    return isPlain(letter) || letter == '_';
  }

  /// A regular expression for a word that is not part of another one; white space in it matches
  /// any.
  private static String asWord(String word) {
    String body =
        List.of(SPACES.split(word)).stream()
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
    return Streamed.folded(AccountNumbers::cards, AccountNumbers::openCard);
  }

  static Guardrail.Finder ibans() {
    return Streamed.folded(AccountNumbers::ibans, AccountNumbers::openIban);
  }

  static Guardrail.Finder emails() {
    return Streamed.folded(Emails::in, Emails::open);
  }

  static Guardrail.Finder phoneNumbers() {
    return Streamed.folded(PhoneNumbers::in, PhoneNumbers::open);
  }

  static Guardrail.Finder instructions() {
    return text -> Instructions.in(new Folded(text));
  }

  static Guardrail.Finder secrets(List<String> values) {
    return SecretForms.of(values);
  }
}
