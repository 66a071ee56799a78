package dev.switchboard.guard;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/// What the checks that need nothing but the text look for. Each takes time in proportion to the
/// text.
final class Find {
  private static final Pattern CARDS = Pattern.compile("[0-9](?:[ .\\-]?[0-9]){12,18}");
  private static final Pattern IBANS =
      Pattern.compile("\\b[a-z]{2}[0-9]{2}(?:[ \\-]?[a-z0-9]){11,30}");
  private static final Pattern EMAILS =
      Pattern.compile("[a-z0-9._%+\\-]{1,64}@(?:[a-z0-9](?:[a-z0-9\\-]{0,62})\\.)+[a-z]{2,24}\\b");
  private static final Pattern PHONES =
      Pattern.compile(
          "(?:\\+|\\b00)[1-9][0-9]{0,2}(?:[ .\\-/]?\\(?[0-9]{1,5}\\)?){2,6}"
              + "|\\([0-9]{2,5}\\)[ .\\-/]?[0-9]{2,5}(?:[ .\\-/]?[0-9]{2,5}){1,3}"
              + "|\\b[2-9][0-9]{2}[ .\\-][0-9]{3}[ .\\-][0-9]{4}\\b"
              + "|\\b0[1-9][0-9]{1,4}[ .\\-/][0-9]{2,8}(?:[ .\\-/]?[0-9]{2,5}){0,3}\\b");
  private static final Pattern INSTRUCTIONS =
      Pattern.compile(
          "\\b(?:ignore|disregard|forget|override|bypass)\\b[^.\\n]{0,40}\\b(?:previous|prior|above|earlier"
              + "|preceding|all|any|your|the)\\b[^.\\n]{0,30}\\b(?:instructions?|prompts?|rules?|directions?|guidelines?|context|guardrails?)\\b|\\byou"
              + " are (?:now|no"
              + " longer)\\b[^.\\n]{0,60}|\\b(?:new|updated|revised|real|hidden|secret) (?:system"
              + " )?(?:instructions?|prompt|orders?)\\b"
              + " ?[:\\-]|\\b(?:reveal|print|show|repeat|output|leak)\\b[^.\\n]{0,30}\\b(?:system"
              + " prompt|your instructions|your prompt|initial prompt)\\b|\\bdo not"
              + " (?:tell|inform|mention|reveal)[^.\\n]{0,20}\\bthe user\\b|\\bwithout"
              + " (?:telling|informing|asking|notifying) the user\\b"
              + "|<\\|?(?:im_start|im_end|system|endoftext)\\|?>|\\[/?inst\\]|<</?sys>>|(?m:^"
              + " {0,3}(?:#{1,4} ?)?(?:system|assistant|developer)"
              + " ?:)|\\b(?:act|behave|respond|pretend|speak) as (?:if you (?:are|were)|though you"
              + " (?:are|were)|an? (?:unrestricted"
              + "|different|new|evil|uncensored))\\b|\\b(?:assistant|ai|llm|model|agent)s?\\b["
              + " ,:]{1,3}(?:you must|must|should|please) (?:now )?(?:call|use|run|execute"
              + "|send|forward|delete|transfer|reply|respond|say|email|visit|open|click|include|ignore)\\b");

  private Find() {}

  /// What a pattern finds in the folded text.
  private static List<Span> all(Pattern pattern, String text, BiPredicate<String, Folded> is) {
    Folded folded = new Folded(text);
    Matcher matcher = pattern.matcher(folded.text());
    List<Span> found = new ArrayList<>();
    int from = 0;
    while (from <= folded.text().length() && matcher.find(from)) {
      boolean taken = matcher.end() > matcher.start() && is.test(matcher.group(), folded);
      if (taken) {
        found.add(folded.span(matcher.start(), matcher.end()));
      }
      from = taken ? matcher.end() : matcher.start() + 1;
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
    return text -> all(any, text, (match, folded) -> true);
  }

  /// A word of letters is not found within another one; white space of any kind may be between.
  private static String asWord(String word) {
    String body =
        List.of(word.split("\\s+")).stream()
            .map(Pattern::quote)
            .collect(Collectors.joining("\\s+"));
    String before = isPlain(word.charAt(0)) ? "\\b" : "";
    String after = isPlain(word.charAt(word.length() - 1)) ? "\\b" : "";
    return before + body + after;
  }

  /// RE2 knows the borders of words of such letters alone.
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
    return text -> cards(new Folded(text));
  }

  /// Every run of digits may hold a number somewhere: the longest from each place is tried first.
  private static List<Span> cards(Folded folded) {
    String text = folded.text();
    List<Span> found = new ArrayList<>();
    Matcher matcher = CARDS.matcher(text);
    int from = 0;
    while (from < text.length() && matcher.find(from)) {
      int end = cardEnd(text, matcher.start(), matcher.end());
      if (end > 0) {
        found.add(folded.span(matcher.start(), end));
      }
      from = end > 0 ? end : matcher.start() + 1;
    }
    return found;
  }

  /// The end of the longest number of a card that begins there, -1 where none does.
  private static int cardEnd(String text, int start, int end) {
    boolean follows = start > 0 && isDigit(text.charAt(start - 1));
    char first = text.charAt(start);
    if (follows || first < '2' || first > '6') {
      return -1;
    }
    for (int to = end; to > start; to--) {
      if (isDigit(text.charAt(to - 1)) && (to == text.length() || !isDigit(text.charAt(to)))) {
        String digits = digits(text.substring(start, to));
        if (digits.length() < 13) {
          return -1;
        }
        if (passesLuhn(digits) && digits.chars().distinct().count() > 1) {
          return to;
        }
      }
    }
    return -1;
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  private static String digits(String text) {
    return text.replaceAll("[^0-9]", "");
  }

  /// ISO/IEC 7812-1, annex B.
  private static boolean passesLuhn(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int weighed = i % 2 == 0 ? digit : digit * 2;
      sum += weighed > 9 ? weighed - 9 : weighed;
    }
    return sum % 10 == 0;
  }

  static Guardrail.Finder ibans() {
    return text -> {
      Folded folded = new Folded(text);
      List<Span> found = new ArrayList<>();
      Matcher matcher = IBANS.matcher(folded.text());
      int from = 0;
      while (from < folded.text().length() && matcher.find(from)) {
        int end = ibanEnd(folded.text(), matcher.start(), matcher.end());
        if (end > 0) {
          found.add(folded.span(matcher.start(), end));
        }
        from = end > 0 ? end : matcher.start() + 1;
      }
      return found;
    };
  }

  /// Words may follow a number: the longest part whose check digits are right is taken.
  private static int ibanEnd(String text, int start, int end) {
    for (int to = end; to > start; to--) {
      String plain = text.substring(start, to).replaceAll("[ \\-]", "").toUpperCase(Locale.ROOT);
      if (plain.length() < 15) {
        return -1;
      }
      boolean ends = to == text.length() || !Character.isLetterOrDigit(text.charAt(to));
      if (ends && Character.isLetterOrDigit(text.charAt(to - 1)) && passesMod97(plain)) {
        return to;
      }
    }
    return -1;
  }

  /// ISO 7064, MOD 97-10.
  private static boolean passesMod97(String iban) {
    String turned = iban.substring(4) + iban.substring(0, 4);
    int rest = 0;
    for (int i = 0; i < turned.length(); i++) {
      int value = Character.digit(turned.charAt(i), 36);
      rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
    }
    return rest == 1;
  }

  static Guardrail.Finder emails() {
    return text -> all(EMAILS, text, (match, folded) -> true);
  }

  static Guardrail.Finder phoneNumbers() {
    return text ->
        all(
            PHONES,
            text,
            (match, folded) -> {
              int digits = digits(match).length();
              return digits >= 8 && digits <= 15;
            });
  }

  static Guardrail.Finder instructions() {
    return text -> all(INSTRUCTIONS, text, (match, folded) -> true);
  }

  /// Values as they are, percent-encoded, and in Base64.
  static Guardrail.Finder secrets(List<String> values) {
    List<String> forms = SecretForms.of(values);
    return text -> {
      List<Span> found = new ArrayList<>();
      for (String form : forms) {
        for (int at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length())) {
          found.add(new Span(at, at + form.length()));
        }
      }
      return found;
    };
  }
}
