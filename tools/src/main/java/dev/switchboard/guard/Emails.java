package dev.switchboard.guard;

import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Finds e-mail addresses, also in words such as `ann at example dot com`. Around each separator it
/// reads at most as many characters as an address may have.
final class Emails {
  private static final int MOST_LOCAL = 64;
  private static final int MOST_DOMAIN = 255;
  private static final List<String> AT =
      List.of("@", "%40", "&#64;", "&commat;", "(at)", "[at]", "{at}", "<at>", " at ");
  private static final List<String> DOT = List.of("(dot)", "[dot]", "{dot}", "dot");

  /// File extensions and units, which are not top-level domains here.
  private static final Set<String> FILES =
      Set.of(
          "png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "ico", "pdf", "css", "js", "ts",
          "json", "html", "htm", "xml", "yml", "yaml", "txt", "service", "socket", "timer",
          "target", "mount", "slice", "value");

  /// Top-level domains that are accepted in an address in words.
  private static final Set<String> SPOKEN =
      Set.of(
          "com", "org", "net", "edu", "gov", "info", "io", "co", "de", "uk", "fr", "nl", "eu", "ch",
          "ca", "au", "jp", "br", "pl", "example");

  private static final Set<String> ARTICLES =
      Set.of("the", "a", "an", "this", "that", "each", "every");

  private final Folded folded;
  private final String text;
  private final List<Span> found = new ArrayList<>();
  private int free; // the first position after the latest match
  private int open; // where an address may begin that more text changes
  private boolean goesOn; // whether the latest domain may continue after the text

  private Emails(Folded folded) {
    this.folded = folded;
    text = folded.text();
    open = text.length();
    for (int at = 0; at < text.length(); at++) {
      if ("@%&([{< ".indexOf(text.charAt(at)) >= 0) {
        around(at);
      }
    }
  }

  static List<Span> in(Folded folded) {
    return new Emails(folded).found;
  }

  /// Where an address may begin that more text makes, or changes.
  static int open(Folded folded) {
    Emails emails = new Emails(folded);
    emails.openWithoutSign(emails.text.length());
    for (String sign : AT) {
      for (int part = 1; part < sign.length(); part++) {
        if (emails.text.endsWith(sign.substring(0, part))) {
          emails.openWithoutSign(emails.text.length() - part);
        }
      }
    }
    return emails.open;
  }

  /// What stands before that position may be the local part of an address whose sign follows.
  private void openWithoutSign(int end) {
    openLocal(end);
    if (isSpace(end - 1)) {
      openLocal(end - 1);
    }
    int quote = text.lastIndexOf('"', end - 1);
    if (quote >= free && end - quote <= MOST_LOCAL && isOpening(quote)) {
      open = Math.min(open, quote);
    }
  }

  private void openLocal(int end) {
    int start = end > free ? local(end) : -1;
    open = start < 0 ? open : Math.min(open, start);
  }

  private void around(int at) {
    for (String sign : AT) {
      if (text.startsWith(sign, at)) {
        around(at, sign);
      }
    }
  }

  private void around(int at, String sign) {
    boolean spoken = sign.equals(" at ");
    boolean loose =
        sign.endsWith(">") || sign.endsWith(")") || sign.endsWith("]") || sign.endsWith("}");
    boolean apart = loose || isApart(at, sign);
    int start = local(apart && isSpace(at - 1) ? at - 1 : at);
    if (start < 0) {
      return;
    }
    int from = at + sign.length();
    int end = domain(apart && isSpace(from) ? from + 1 : from, spoken, loose);
    boolean remote = end > 0 && isRemote(start, end);
    if (goesOn) {
      open = Math.min(open, start);
    }
    if (end > 0 && !remote) {
      found.add(folded.span(start, end));
      free = end;
    }
  }

  /// Whether there is white space on both sides of the sign, or may be.
  private boolean isApart(int at, String sign) {
    return sign.equals("@") && isSpace(at - 1) && (isSpace(at + 1) || at + 1 == text.length());
  }

  private boolean isSpace(int at) {
    return at >= 0 && at < text.length() && text.charAt(at) == ' ';
  }

  /// The start of the local part that ends there, -1 for none.
  private int local(int end) {
    if (end > free && text.charAt(end - 1) == '"') {
      int quote = text.lastIndexOf('"', end - 2);
      boolean quoted = quote >= free && end - quote <= MOST_LOCAL && quote < end - 2;
      return quoted && isOpening(quote) ? quote : unquoted(end - 1);
    }
    return unquoted(end);
  }

  /// Whether a quote may begin a local part, and does not end what somebody said.
  private boolean isOpening(int quote) {
    boolean begins = quote == 0 || !isLetterOrDigit(text.charAt(quote - 1));
    return begins && !isSpace(quote + 1);
  }

  private int unquoted(int end) {
    int start = end;
    while (start > free && end - start < MOST_LOCAL && isLocal(text.charAt(start - 1))) {
      start--;
    }
    while (start < end && text.charAt(start) != '_' && !isLetterOrDigit(text.charAt(start))) {
      start++;
    }
    return start < end ? start : -1;
  }

  private static boolean isLocal(char letter) {
    return isLetterOrDigit(letter) || "._%+-'\u00b7".indexOf(letter) >= 0;
  }

  /// A surrogate counts as a letter.
  private static boolean isLetterOrDigit(char letter) {
    return Character.isLetterOrDigit(letter) || Character.isSurrogate(letter);
  }

  /// The end of the domain that begins there, -1 for none.
  private int domain(int from, boolean spoken, boolean loose) {
    goesOn = from >= text.length();
    if (text.startsWith("[", from)) {
      return behindAddress(from + 1);
    }
    int end = -1;
    int labels = 0;
    int at = from;
    while (at < text.length() && at - from < MOST_DOMAIN) {
      int to = at;
      while (to < text.length() && to - at < 64 && isLabel(text.charAt(to))) {
        to++;
      }
      goesOn = to == text.length();
      String label = text.substring(at, to);
      if (label.isEmpty() || spoken && labels == 0 && ARTICLES.contains(label)) {
        break;
      }
      labels++;
      end = labels > 1 && isTop(label, spoken) ? to : end;
      at = dot(to, spoken, loose);
      if (at < 0) {
        break;
      }
    }
    return end;
  }

  /// The end of an IP address in brackets, -1 for none.
  private int behindAddress(int from) {
    int to = from;
    while (to < text.length() && to - from < 48 && isOfAddress(text.charAt(to))) {
      to++;
    }
    goesOn = to == text.length();
    return to - from > 6 && text.startsWith("]", to) ? to + 1 : -1;
  }

  private static boolean isOfAddress(char letter) {
    return Character.digit(letter, 16) >= 0 || ".:".indexOf(letter) >= 0;
  }

  private static boolean isLabel(char letter) {
    return isLetterOrDigit(letter) || letter == '-';
  }

  private static boolean isTop(String label, boolean spoken) {
    if (spoken) {
      return SPOKEN.contains(label);
    }
    boolean letters = label.chars().noneMatch(each -> each == '-' || Character.isDigit(each));
    return label.length() > 1
        && label.length() < 64
        && (letters || label.startsWith("xn--"))
        && !FILES.contains(label);
  }

  /// The position after the dot, -1 for none.
  private int dot(int at, boolean spoken, boolean loose) {
    if (!spoken && at < text.length() && ".\u3002".indexOf(text.charAt(at)) >= 0) {
      goesOn = at + 1 == text.length();
      return at + 1;
    }
    if (!spoken && !loose) {
      return -1;
    }
    int from = isSpace(at) ? at + 1 : at;
    String rest = text.substring(from, Math.min(text.length(), from + 5));
    goesOn =
        from + rest.length() == text.length() && DOT.stream().anyMatch(one -> one.startsWith(rest));
    for (String dot : DOT) {
      boolean isWord = dot.equals("dot");
      if (text.startsWith(dot, from) && (!isWord || from > at && isSpace(from + 3))) {
        int behind = from + dot.length();
        int next = isSpace(behind) ? behind + 1 : behind;
        goesOn = next >= text.length();
        return next;
      }
    }
    return -1;
  }

  /// Whether it is the user of a remote host, as in `git@github.com:org/repo` or
  /// `ssh://git@host.example`.
  private boolean isRemote(int start, int end) {
    if (text.startsWith("//", start - 2)) {
      return true;
    }
    if (!text.startsWith(":", end)) {
      return false;
    }
    int at = end + 1;
    while (at < text.length() && at - end < MOST_LOCAL && isPath(text.charAt(at))) {
      if (text.charAt(at) == '/') {
        return true;
      }
      at++;
    }
    goesOn |= at == text.length();
    return false;
  }

  private static boolean isPath(char letter) {
    return Character.isLetterOrDigit(letter) || "/~._-".indexOf(letter) >= 0;
  }
}
