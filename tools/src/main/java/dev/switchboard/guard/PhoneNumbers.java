package dev.switchboard.guard;

import com.google.re2j.Pattern;
import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.List;

/// Finds telephone numbers: a series of groups of digits that begins with a country code, has the
/// format of numbers in some country, or is next to a word for a telephone.
final class PhoneNumbers {
  private static final int MOST_GROUPS = 10;
  private static final int BESIDE = 28;
  private static final int LEAST = 7; // digits of a number beside a word
  private static final String BETWEEN = " .-/()\u00a0\u2010\u2012\u2013\u2212";
  private static final Pattern BEFORE =
      Pattern.compile(
          "(?:\\btel|\\bt\u00e9l|phone|fono|mobil|handy|\\bcell|\\bfax|\\bcall|\\bring\\b|hotline|whatsapp|\\bsms\\b|\\bdial"
              + "|rufen|appele|llam|ligue|\\bbel\\b|\u0442\u0435\u043b|\u0437\u0432\u043e\u043d|\u96fb\u8a71|\u7535\u8bdd)[^0-9]*$");
  private static final Pattern BEHIND =
      Pattern.compile("^[^0-9]*(?:phone|telefon|whatsapp|\u3067\u3059)");

  private final Folded folded;
  private final String text;
  private final List<Span> found = new ArrayList<>();

  /// Adjacent digits.
  private record Group(int start, int end, boolean inBrackets) {
    int size() {
      return end - start;
    }
  }

  private PhoneNumbers(Folded folded) {
    this.folded = folded;
    text = folded.text();
  }

  static List<Span> in(Folded folded) {
    PhoneNumbers phones = new PhoneNumbers(folded);
    int at = 0;
    while (at < phones.text.length()) {
      at = phones.from(at);
    }
    return phones.found;
  }

  /// Where a number may begin that more text completes, or a word behind it.
  static int open(Folded folded) {
    PhoneNumbers phones = new PhoneNumbers(folded);
    int at = 0;
    while (at < phones.text.length()) {
      if (phones.isOpen(at)) {
        return at;
      }
      at = phones.from(at);
    }
    return at;
  }

  private boolean isOpen(int at) {
    char first = text.charAt(at);
    if (!AccountNumbers.isDigit(first) && first != '+' && first != '(') {
      return false;
    }
    List<Group> groups = groups(at);
    int end = groups.isEmpty() ? at + 1 : groups.getLast().end;
    int left = text.length() - end;
    return left < 2
        || behindSeparators(end) == text.length()
        || left < BESIDE && digits(groups, groups.size()) >= LEAST;
  }

  /// Checks the series that begins there.
  ///
  /// @return where to continue
  private int from(int at) {
    char first = text.charAt(at);
    if (!AccountNumbers.isDigit(first) && first != '+' && first != '(') {
      return at + 1;
    }
    List<Group> groups = groups(at);
    if (groups.isEmpty()) {
      return at + 1;
    }
    int count = begins(at) ? count(at, groups) : 0;
    if (count > 0 && ends(groups.get(count - 1).end)) {
      int end = groups.get(count - 1).end;
      int closed = groups.get(count - 1).inBrackets && text.startsWith(")", end) ? end + 1 : end;
      found.add(folded.span(at, closed));
      return closed;
    }
    return next(at, groups);
  }

  /// Another series begins where the separator of the groups changes.
  private int next(int at, List<Group> groups) {
    for (int i = 1; i < groups.size() - 1; i++) {
      Group group = groups.get(i);
      String before = text.substring(groups.get(i - 1).end, group.start);
      String behind = text.substring(group.end, groups.get(i + 1).start);
      if (before.startsWith(" ") && !before.equals(behind)) {
        int plus = before.indexOf('(');
        return plus < 0 ? group.start : groups.get(i - 1).end + plus;
      }
    }
    return Math.max(at + 1, groups.getLast().end);
  }

  private List<Group> groups(int from) {
    List<Group> groups = new ArrayList<>();
    int at = text.charAt(from) == '+' ? from + 1 : from;
    while (at < text.length() && groups.size() < MOST_GROUPS) {
      int start = groups.isEmpty() && text.charAt(at) != '(' ? at : behindSeparators(at);
      int end = start;
      while (end < text.length() && AccountNumbers.isDigit(text.charAt(end))) {
        end++;
      }
      if (end == start) {
        break;
      }
      groups.add(new Group(start, end, text.charAt(Math.max(0, start - 1)) == '('));
      at = end;
    }
    return groups;
  }

  private int behindSeparators(int from) {
    int at = from;
    while (at < text.length() && at - from < 3 && BETWEEN.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  /// Whether the text before it allows a number to begin there.
  private boolean begins(int at) {
    if (at == 0) {
      return true;
    }
    char before = text.charAt(at - 1);
    if (Character.isLetterOrDigit(before) && before < 0x2e80) {
      return false;
    }
    boolean joins = "-.,/_+'#@\u2032\u00b0\u2013".indexOf(before) >= 0;
    return !joins || at > 1 && !Character.isLetterOrDigit(text.charAt(at - 2));
  }

  /// Whether the text after it allows a number to end there.
  private boolean ends(int end) {
    if (end >= text.length()) {
      return true;
    }
    char behind = text.charAt(end);
    boolean goesOn = end + 1 < text.length() && Character.isLetterOrDigit(text.charAt(end + 1));
    boolean joined =
        "-_:'\u2032".indexOf(behind) >= 0
            || ".,".indexOf(behind) >= 0
                && AccountNumbers.isDigit(goesOn ? text.charAt(end + 1) : ' ');
    boolean isLetter = Character.isLetterOrDigit(behind) && behind < 0x2e80;
    return !isLetter && !(joined && goesOn);
  }

  /// How many of the groups form a number, 0 for none.
  private int count(int at, List<Group> groups) {
    boolean international = text.charAt(at) == '+' && text.charAt(groups.getFirst().start) != '0';
    if (international) {
      return longest(
          groups, 8, groups.getFirst().size() == 1 && text.charAt(at + 1) == '1' ? 11 : 15);
    }
    if (text.charAt(at) == '+' || isDate(groups)) {
      return 0;
    }
    int national = national(groups);
    if (national > 0) {
      return national;
    }
    return isBeside(at, groups) && !areYears(groups) ? longest(groups, LEAST, 15) : 0;
  }

  /// How many groups fit into that range of digits, 0 if too few.
  private static int longest(List<Group> groups, int least, int most) {
    int digits = 0;
    int count = 0;
    for (Group group : groups) {
      if (digits + group.size() > most) {
        break;
      }
      digits += group.size();
      count++;
    }
    return digits >= least ? count : 0;
  }

  /// How many groups have a known national format, 0 for none.
  private int national(List<Group> groups) {
    Group first = groups.getFirst();
    if (first.inBrackets) {
      int count = longest(groups, 8, 12);
      boolean area = first.size() >= 2 && first.size() <= 5;
      return area && digits(groups, count) - first.size() >= 6 ? count : 0;
    }
    int from = first.size() == 1 && "18".indexOf(text.charAt(first.start)) >= 0 ? 1 : 0;
    if (from == 1 && groups.size() > 1 && groups.get(1).inBrackets) {
      return longest(groups, 11, 11);
    }
    if (isNorthAmerican(groups, from)) {
      return from + 3;
    }
    if (text.charAt(first.start) != '0' || groups.size() < 2 || first.size() > 6) {
      return 0;
    }
    boolean abroad = text.startsWith("00", first.start) && !text.startsWith("000", first.start);
    if (abroad) {
      return first.size() > 2 || groups.size() > 3 ? longest(groups, 10, 17) : 0;
    }
    boolean area = first.size() >= 2 && text.charAt(first.start + 1) != '0';
    return area && isVaried(groups) ? longest(groups, 9, 12) : 0;
  }

  private static int digits(List<Group> groups, int count) {
    return groups.stream().limit(count).mapToInt(Group::size).sum();
  }

  /// Three, three and four digits with the same separator, which does not follow them.
  private boolean isNorthAmerican(List<Group> groups, int from) {
    if (groups.size() < from + 3 || "01".indexOf(text.charAt(groups.get(from).start)) >= 0) {
      return false;
    }
    Group area = groups.get(from);
    Group exchange = groups.get(from + 1);
    Group line = groups.get(from + 2);
    String between = text.substring(area.end, exchange.start);
    return area.size() == 3
        && exchange.size() == 3
        && line.size() == 4
        && "01".indexOf(text.charAt(exchange.start)) < 0
        && between.length() == 1
        && between.equals(text.substring(exchange.end, line.start))
        && !text.startsWith(between + "0", line.end);
  }

  /// Whether the groups differ: groups of one length that all begin with 0 are a count.
  private boolean isVaried(List<Group> groups) {
    boolean zeros = groups.stream().allMatch(group -> text.charAt(group.start) == '0');
    return !zeros || groups.stream().map(Group::size).distinct().count() > 1;
  }

  /// Whether they are day, month and year, in any order.
  private boolean isDate(List<Group> groups) {
    if (groups.size() < 3) {
      return false;
    }
    int first = number(groups.get(0));
    int second = number(groups.get(1));
    int third = number(groups.get(2));
    boolean days = first <= 31 && second <= 31 && groups.get(2).size() == 4;
    boolean years = isYear(first) && second <= 12 && third <= 31;
    return days && isYear(third) && groups.get(0).size() <= 2 || years;
  }

  private boolean areYears(List<Group> groups) {
    return groups.stream().allMatch(group -> group.size() == 4 && isYear(number(group)));
  }

  private static boolean isYear(int number) {
    return number >= 1900 && number < 2100;
  }

  private int number(Group group) {
    return group.size() > 8
        ? Integer.MAX_VALUE
        : Integer.parseInt(text.substring(group.start, group.end));
  }

  private boolean isBeside(int at, List<Group> groups) {
    String before = text.substring(Math.max(0, at - BESIDE), at);
    int end = groups.getLast().end;
    String behind = text.substring(end, Math.min(text.length(), end + BESIDE));
    return BEFORE.matcher(before).find() || BEHIND.matcher(behind).find();
  }
}
