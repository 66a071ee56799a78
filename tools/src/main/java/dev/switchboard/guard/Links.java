package dev.switchboard.guard;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Finds links to hosts that are not allowed.
final class Links {
  private static final String NONE_OF_A_LINK = " \t\n\f\r<>\"'`)";
  private static final String REST = "[^\\s<>\"'`)\\]}]";

  // A scheme with a host, even without slashes; two slashes and a possible host; a host that begins
  // with www; a scheme that needs no host.
  private static final Pattern LINKS =
      Pattern.compile(
          "(?i)\\b[a-z][a-z0-9+.\\-]{1,20}:(?://|\\\\\\\\|/\\\\|\\\\/)"
              + REST
              + "+|\\b(?:https?|ftp|wss?):"
              + REST
              + "+|(?://|\\\\\\\\|/\\\\|\\\\/)[^\\s/\\\\<>\"'`)}.]+[.:]"
              + REST
              + "+|\\bwww\\."
              + REST
              + "+|\\b(?:javascript|vbscript|file|blob):"
              + REST
              + "+|\\bdata:[a-z0-9;,]"
              + REST
              + "+");
  private static final Pattern HOST =
      Pattern.compile("^(?:[a-zA-Z][a-zA-Z0-9+.\\-]*:)?[/\\\\]*([^/\\\\?#]*)");

  private Links() {}

  static Guardrail.Finder outside(List<String> hosts) {
    List<String> allowed = hosts.stream().map(Links::plain).toList();
    return new Streamed() {
      @Override
      public List<Span> find(String text) {
        List<Span> found = new ArrayList<>();
        Matcher matcher = LINKS.matcher(text);
        while (matcher.find()) {
          if (!isAllowed(matcher.group(), allowed)) {
            found.add(new Span(matcher.start(), end(text, matcher.end())));
          }
        }
        return found;
      }

      @Override
      public int settled(String text) {
        return open(text);
      }
    };
  }

  /// Where a link may begin that more text makes, or makes longer: nowhere before the last
  /// character that no link contains, and not before the letters of a scheme or of `www`.
  private static int open(String text) {
    int from = text.length();
    while (from > 0 && NONE_OF_A_LINK.indexOf(text.charAt(from - 1)) < 0) {
      from--;
    }
    int sign = from;
    while (sign < text.length() && !isSign(text, sign)) {
      sign++;
    }
    int start = sign;
    while (start > from && isOfScheme(text.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  /// Whether a link continues there, if the letters before it are its beginning.
  private static boolean isSign(String text, int at) {
    return ":/\\".indexOf(text.charAt(at)) >= 0 || text.regionMatches(true, at, "www.", 0, 4);
  }

  private static boolean isOfScheme(char letter) {
    // The expressions take the long s and the sign of Kelvin for s and k.
    return letter < 128 && (Character.isLetterOrDigit(letter) || "+.-".indexOf(letter) >= 0)
        || letter == '\u017f'
        || letter == '\u212a';
  }

  /// The end without the full stop of the sentence.
  private static int end(String text, int end) {
    int last = end;
    while (last > 0 && ".,;:!?".indexOf(text.charAt(last - 1)) >= 0) {
      last--;
    }
    return last;
  }

  private static boolean isAllowed(String link, List<String> allowed) {
    String lower = link.toLowerCase(Locale.ROOT);
    if (lower.matches("(?s)(?:javascript|data|vbscript|file|blob):.*")) {
      return false;
    }
    Matcher matcher = HOST.matcher(link);
    if (!matcher.find() || matcher.group(1).indexOf('@') >= 0 || link.indexOf('\\') >= 0) {
      // A browser may read another host in it than this code.
      return false;
    }
    String host = plain(matcher.group(1).replaceFirst(":[0-9]*$", ""));
    return allowed.stream().anyMatch(each -> host.equals(each) || host.endsWith("." + each));
  }

  private static String plain(String host) {
    return new Folded(host.strip()).text().replaceAll("[.,;:!?]+$", "");
  }
}
