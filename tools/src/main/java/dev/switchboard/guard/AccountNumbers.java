package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds card and account numbers whose check digits are correct. Each position is tried as the
/// beginning of at most one number, so the time is linear.
final class AccountNumbers {
  /// Instead of a position: the text ends where one may follow.
  private static final int OPEN = -2;

  /// The maximum number of characters between two digits.
  private static final int MOST_BETWEEN = 3;

  private static final String BETWEEN =
      " \t\r\n.-_/\u00b7\u2022\u2010\u2012\u2013\u2014\u2015\u2212";
  private static final String ENTITY = "&nbsp;";

  /// First digits of card numbers that have 13 to 19 digits.
  private static final int[] DEBIT = {
    5018, 5019, 5020, 5038, 5893, 6304, 6331, 6333, 6334, 6759, 6761, 6762, 6763, 6767
  };

  /// ISO 13616, the IBAN registry: countries and the lengths of their numbers.
  private static final Map<String, Integer> COUNTRIES =
      countries(
          "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20"
              + "EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27"
              + "JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18"
              + "NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28"
              + "TL23TN24TR26UA29VA22VG24XK20YE30");

  private AccountNumbers() {}

  private static Map<String, Integer> countries(String all) {
    Map<String, Integer> lengths = new HashMap<>();
    for (int at = 0; at < all.length(); at += 4) {
      String country = new Folded(all.substring(at, at + 2)).text();
      lengths.put(country, Integer.valueOf(all.substring(at + 2, at + 4)));
    }
    return Map.copyOf(lengths);
  }

  /// Digits or letters in sequence, with few characters between them.
  private static final class Series {
    private final String plain;
    private final int[] places; // position of each

    Series(String plain, int[] places) {
      this.plain = plain;
      this.places = places;
    }

    int end(int count) {
      return places[count - 1] + 1;
    }

    /// How many of the first ones are not adjacent to the previous one.
    int gaps(int count) {
      int gaps = 0;
      for (int i = 1; i < count; i++) {
        gaps += places[i] > places[i - 1] + 1 ? 1 : 0;
      }
      return gaps;
    }
  }

  /// The series that begins there, up to that length.
  private static Series series(String text, int from, int most, boolean letters) {
    StringBuilder plain = new StringBuilder();
    int[] places = new int[most];
    int at = from;
    while (at >= 0 && plain.length() < most) {
      places[plain.length()] = at;
      plain.append(text.charAt(at));
      at = next(text, at + 1, letters);
    }
    return new Series(plain.toString(), places);
  }

  /// The position of the next one, -1 for none, [#OPEN] if more text may bring it.
  private static int next(String text, int from, boolean letters) {
    int at = from;
    int between = 0;
    for (; at < text.length() && between <= MOST_BETWEEN; between++) {
      char each = text.charAt(at);
      if (isDigit(each) || letters && isLetter(each)) {
        return at;
      }
      if (text.startsWith(ENTITY, at)) {
        at += ENTITY.length();
      } else if (BETWEEN.indexOf(each) >= 0) {
        at++;
      } else {
        return at >= withoutPartOfEntity(text) ? OPEN : -1;
      }
    }
    return between <= MOST_BETWEEN ? OPEN : -1;
  }

  /// Where a card number may begin that more text completes, or shows to be part of another number:
  /// at the first of the digits at the end.
  static int openCard(Folded folded) {
    String text = folded.text();
    int at = withoutPartOfEntity(text);
    int first = text.length();
    while (at > 0) {
      char letter = text.charAt(at - 1);
      if (isDigit(letter)) {
        first = at - 1;
      } else if (letter == ';' && text.startsWith(ENTITY, at - ENTITY.length())) {
        at -= ENTITY.length() - 1;
      } else if (!isHexOrDash(letter) && BETWEEN.indexOf(letter) < 0) {
        return first;
      }
      at--;
    }
    return first;
  }

  private static int withoutPartOfEntity(String text) {
    int from = Math.max(0, text.length() - ENTITY.length() + 1);
    int entity = text.indexOf('&', from);
    return entity >= 0 && ENTITY.startsWith(text.substring(entity)) ? entity : text.length();
  }

  static List<Span> cards(Folded folded) {
    String text = folded.text();
    List<Span> found = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int end = isFirst(text, at) ? cardEnd(text, at) : -1;
      if (end > 0) {
        found.add(folded.span(at, end));
      }
      at = end > 0 ? end : at + 1;
    }
    return found;
  }

  private static boolean isFirst(String text, int at) {
    return isDigit(text.charAt(at)) && (at == 0 || !isDigit(text.charAt(at - 1)));
  }

  /// The end of the longest card number that begins there, -1 for none.
  private static int cardEnd(String text, int start) {
    Series series = series(text, start, 20, false);
    for (int count = Math.min(19, series.plain.length()); count >= 13; count--) {
      int end = series.end(count);
      boolean ends = end == text.length() || !isDigit(text.charAt(end));
      String digits = series.plain.substring(0, count);
      if (ends && isIssued(digits) && passesLuhn(digits) && isApart(text, start, series, count)) {
        return end;
      }
    }
    return -1;
  }

  /// Whether it is neither a fraction nor part of a UUID.
  private static boolean isApart(String text, int start, Series series, int count) {
    int gaps = series.gaps(count);
    boolean isFraction =
        start > 1 && ".,".indexOf(text.charAt(start - 1)) >= 0 && isDigit(text.charAt(start - 2));
    boolean hasPoint = text.startsWith(".", series.places[0] + 1);
    return !(gaps == 0 && isFraction)
        && !(gaps == 1 && hasPoint)
        && !isInUuid(text, start, series.end(count));
  }

  private static boolean isInUuid(String text, int start, int end) {
    int from = start;
    int to = end;
    while (from > 0 && start - from < 36 && isHexOrDash(text.charAt(from - 1))) {
      from--;
    }
    while (to < text.length() && to - end < 36 && isHexOrDash(text.charAt(to))) {
      to++;
    }
    return to - from == 36
        && text.charAt(from + 8) == '-'
        && text.charAt(from + 13) == '-'
        && text.charAt(from + 18) == '-'
        && text.charAt(from + 23) == '-';
  }

  private static boolean isHexOrDash(char letter) {
    return letter == '-' || Character.digit(letter, 16) >= 0;
  }

  /// Whether an issuer has card numbers of that length with these first digits.
  private static boolean isIssued(String digits) {
    int count = digits.length();
    int four = Integer.parseInt(digits.substring(0, 4));
    int two = four / 100;
    for (int debit : DEBIT) {
      if (debit == four) {
        return digits.chars().distinct().count() > 1;
      }
    }
    boolean issued =
        switch (four / 1000) {
          case 2 ->
              four >= 2200 && four <= 2204 && count >= 16
                  || four >= 2221 && four <= 2720 && count == 16;
          case 3 -> isIssuedWith3(four, count);
          case 4 -> count == 13 || count == 16 || count == 19;
          case 5 -> count == 16;
          case 6 -> count == 16 || count > 16 && (two == 60 || two == 62 || two == 64 || two == 65);
          case 9 -> four == 9792 && count == 16;
          default -> false;
        };
    return issued && digits.chars().distinct().count() > 1;
  }

  private static boolean isIssuedWith3(int four, int count) {
    int two = four / 100;
    if (two == 34 || two == 37) {
      return count == 15;
    }
    if (four >= 3528 && four <= 3589) {
      return count >= 16;
    }
    boolean diners = four >= 3000 && four <= 3059 || four == 3095 || two == 36 || two >= 38;
    return diners && (count == 14 || count == 16);
  }

  static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  private static boolean isLetter(char letter) {
    return letter >= 'a' && letter <= 'z';
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

  static List<Span> ibans(Folded folded) {
    String text = folded.text();
    List<Span> found = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int end = isLetter(text.charAt(at)) ? ibanEnd(text, at) : -1;
      if (end > 0) {
        found.add(folded.span(at, end));
      }
      at = end > 0 ? end : at + 1;
    }
    return found;
  }

  /// Where an account number may begin that more text completes.
  static int openIban(Folded folded) {
    String text = folded.text();
    for (int at = 0; at < text.length(); at++) {
      if (isLetter(text.charAt(at)) && isOpenIban(text, at)) {
        return at;
      }
    }
    return text.length();
  }

  private static boolean isOpenIban(String text, int start) {
    int second = next(text, start + 1, true);
    if (second == OPEN) {
      return COUNTRIES.keySet().stream()
          .anyMatch(country -> country.charAt(0) == text.charAt(start));
    }
    Integer length =
        second < 0 ? null : COUNTRIES.get("" + text.charAt(start) + text.charAt(second));
    int third = length == null ? -1 : next(text, second + 1, true);
    if (length == null || third < 0 || !isDigit(text.charAt(third))) {
      return length != null && third == OPEN;
    }
    Series series = series(text, start, length, true);
    int count = series.plain.length();
    return count < length
        ? next(text, series.end(count), true) == OPEN
        : series.end(count) == text.length();
  }

  /// The end of the account number that begins there, -1 for none.
  private static int ibanEnd(String text, int start) {
    int second = next(text, start + 1, true);
    int third = second < 0 ? -1 : next(text, second + 1, true);
    if (third < 0 || !isDigit(text.charAt(third))) {
      return -1;
    }
    Integer length = COUNTRIES.get("" + text.charAt(start) + text.charAt(second));
    if (length == null) {
      return -1;
    }
    Series series = series(text, start, length, true);
    if (series.plain.length() < length || !passesMod97(series.plain)) {
      return -1;
    }
    int end = series.end(length);
    return end < text.length() && Character.isLetterOrDigit(text.charAt(end)) ? -1 : end;
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
}
