package dev.switchboard.guard;

import dev.switchboard.guard.Guards.Report;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Place;
import dev.switchboard.rule.Guardrail.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks a reply while it is streamed. It holds back the end that more text could make a match of
/// a guardrail, at most as long as the guardrails' windows, so matches are never shown. Used by one
/// thread at a time.
///
/// It checks again whenever there are a few more characters, and the held-back text has grown by an
/// eighth, together with a window of text before it, so the total time is linear.
public final class Screen {
  /// The fraction of the held-back text that must be new for another check.
  private static final int PART = 8;

  /// The new characters for another check.
  private static final int FEW = 3;

  /// A longer word is shown in parts.
  private static final int LONGEST_WORD = 60;

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Guard> guards;
  private final Consumer<String> show;
  private final Consumer<Report> reports;
  private final int window;
  private final boolean holdsAll;
  private final StringBuilder raw = new StringBuilder();
  private final StringBuilder line = new StringBuilder();
  private final Map<Guard, Integer> found = new LinkedHashMap<>();
  private final Map<Guard, String> errors = new LinkedHashMap<>();
  private int shown; // characters of the raw text
  private int looked; // characters at the last check
  private @Nullable Guard blocker;

  /// A match of a guardrail.
  private record Finding(Guard guard, Span span) {
    boolean flags() {
      return guard.rail().then() instanceof Guardrail.Flag;
    }
  }

  Screen(List<Guard> guards, Consumer<String> show, Consumer<Report> reports) {
    this.guards = guards;
    this.show = show;
    this.reports = reports;
    window = guards.stream().mapToInt(Guard::window).max().orElse(0);
    holdsAll = guards.stream().anyMatch(Guard::wantsAll);
  }

  /// Adds text.
  public void text(String fragment) {
    lock.lock();
    try {
      if (blocker == null) {
        raw.append(fragment);
        if (!holdsAll && isTime()) {
          advance(false);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether enough is new for another check.
  private boolean isTime() {
    return raw.length() - looked >= Math.max(FEW, (looked - shown) / PART + 1);
  }

  /// Whether a guardrail has ended the reply.
  public boolean blocked() {
    return substitute() != null;
  }

  /// The text to say instead of the rest, null while no guardrail has ended the reply.
  public @Nullable String substitute() {
    lock.lock();
    try {
      return blocker == null ? null : Sweep.substitute(blocker);
    } finally {
      lock.unlock();
    }
  }

  /// Ends the reply, and shows the text that was held back.
  ///
  /// @param whole its whole text
  /// @return its text as it was shown
  public String finish(String whole) {
    lock.lock();
    try {
      if (blocker == null) {
        if (whole.length() > raw.length() && whole.startsWith(raw.toString())) {
          raw.append(whole, raw.length(), whole.length());
        }
        advance(true);
      }
      if (blocker == null) {
        report();
      }
      return line.toString();
    } finally {
      lock.unlock();
    }
  }

  /// Whether the text that was added is the whole text.
  public boolean hasSeen(String whole) {
    lock.lock();
    try {
      return whole.contentEquals(raw);
    } finally {
      lock.unlock();
    }
  }

  private void advance(boolean last) {
    looked = raw.length();
    int from = back(shown, window);
    String text = raw.substring(from);
    List<Finding> findings = new ArrayList<>();
    int open = raw.length();
    for (Guard guard : guards) {
      int settled = last ? raw.length() : settled(guard, text, from);
      open = Math.min(open, held(guard, settled));
      for (Span span : look(guard, text, from, last)) {
        if (guard.rail().then() instanceof Guardrail.Block
            && (last || isSure(guard, span, settled))) {
          block(guard, findings);
          return;
        }
        findings.add(new Finding(guard, span));
      }
      if (errors.containsKey(guard) && guard.rail().blocksOnError()) {
        block(guard, findings);
        return;
      }
    }
    findings.sort(Comparator.comparingInt(finding -> finding.span.start()));
    emit(findings, open, last);
  }

  /// Whether more text cannot change the match.
  private boolean isSure(Guard guard, Span span, int settled) {
    return guard.rail().check() instanceof Guardrail.MaxLength
        || span.end() < raw.length()
            && (span.start() < settled || !(guard.finder() instanceof Streamed));
  }

  /// The index from which on more text may make a match of the guardrail, or undo one.
  private int settled(Guard guard, String text, int from) {
    boolean waits = !errors.containsKey(guard) && guard.window() > 0;
    return waits ? from + guard.settled(text) : raw.length();
  }

  /// The index from which on text is held back for the guardrail, at most its window before the
  /// end.
  private int held(Guard guard, int settled) {
    int least = Math.min(settled, back(raw.length(), guard.least()));
    return Math.max(least, back(raw.length(), guard.window()));
  }

  /// The index that many visible characters before that one.
  private int back(int from, int count) {
    int at = from;
    for (int seen = 0; at > 0 && seen < count; ) {
      int letter = raw.codePointBefore(at);
      at -= Character.charCount(letter);
      seen += Folded.isUnseen(letter) ? 0 : Character.charCount(letter);
    }
    return at;
  }

  /// Its matches in the text that is not shown yet.
  private List<Span> look(Guard guard, String text, int from, boolean last) {
    if (errors.containsKey(guard) || guard.wantsAll() && !last) {
      return List.of();
    }
    if (guard.rail().check() instanceof Guardrail.MaxLength(int most)) {
      int start = Math.max(shown, Guard.border(raw, most));
      return raw.length() > start ? List.of(new Span(start, raw.length())) : List.of();
    }
    int start = guard.wantsAll() ? 0 : from;
    Guard.Look look = guard.look(start == from ? text : raw.substring(start));
    if (look.error() != null) {
      errors.put(guard, look.error());
    }
    return look.spans().stream()
        .map(span -> new Span(span.start() + start, span.end() + start))
        .filter(span -> span.end() > shown)
        .toList();
  }

  /// Shows the text that may be shown by now, with matches replaced.
  private void emit(List<Finding> findings, int open, boolean last) {
    int end = last ? raw.length() : cut(findings, open);
    StringBuilder words = new StringBuilder();
    int at = shown;
    for (Finding finding : findings) {
      Span span = finding.span;
      int start = Math.max(shown, span.start());
      if (finding.flags()) {
        count(finding, end);
      } else if (span.end() <= end && span.end() > at) {
        // Only the rest of a match that overlaps the previous one.
        words.append(raw, at, Math.max(at, start));
        words.append(start >= at ? finding.guard.replacement() : "");
        at = span.end();
        found.merge(finding.guard, 1, Integer::sum);
      }
    }
    words.append(raw, at, Math.max(at, end));
    shown = Math.max(at, end);
    if (!words.isEmpty()) {
      line.append(words);
      show.accept(words.toString());
    }
  }

  /// Counts a match of a guardrail that only reports, once: when its first character is shown.
  private void count(Finding finding, int end) {
    int start = finding.span.start();
    if (finding.flags() && start >= shown && start < end) {
      found.merge(finding.guard, 1, Integer::sum);
    }
  }

  /// How far the text may be shown: not into a match that may continue, and to the end of a word.
  private int cut(List<Finding> findings, int open) {
    int end = Math.max(shown, window == 0 ? open : Math.min(open, back(raw.length(), 1)));
    if (end > shown && Character.isHighSurrogate(raw.charAt(end - 1))) {
      end--;
    }
    if (window > 0) {
      end = wordEnd(end);
    }
    for (Finding finding : findings.reversed()) {
      boolean mayGrow = finding.span.end() == raw.length();
      boolean goesOn = mayGrow || finding.span.end() > end;
      if (!finding.flags() && finding.span.start() < end && goesOn) {
        end = Math.max(shown, finding.span.start());
      }
    }
    return end;
  }

  /// The last end of a word that is not after that index; the index itself inside a very long word,
  /// or if the next character is not there yet.
  private int wordEnd(int end) {
    for (int at = end; at > shown && end - at < LONGEST_WORD; at--) {
      if (at < raw.length() && isBetween(raw.charAt(at - 1), raw.charAt(at))) {
        return at;
      }
    }
    return end - shown < LONGEST_WORD ? shown : end;
  }

  private static boolean isBetween(char before, char after) {
    return !isOfWord(before) || !isOfWord(after);
  }

  /// Scripts without spaces have no words here.
  private static boolean isOfWord(char letter) {
    return !Character.isWhitespace(letter)
        && !Character.isIdeographic(letter)
        && !isWithoutSpaces(Character.UnicodeScript.of(letter));
  }

  private static boolean isWithoutSpaces(Character.UnicodeScript script) {
    return switch (script) {
      case HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
      default -> false;
    };
  }

  private void block(Guard guard, List<Finding> findings) {
    findings.forEach(finding -> count(finding, raw.length()));
    blocker = guard;
    if (!errors.containsKey(guard)) {
      found.merge(guard, 1, Integer::sum);
    }
    String substitute = Sweep.substitute(guard);
    String words = line.isEmpty() || line.toString().endsWith(" ") ? substitute : " " + substitute;
    line.append(words);
    show.accept(words);
    report();
  }

  private void report() {
    found.forEach((guard, times) -> {
      if (!errors.containsKey(guard)) {
        reports.accept(
            new Report(guard.rail().name(), Place.OUTPUT, guard.action(), times, null, null));
      }
    });
    errors.forEach((guard, why) -> {
      String then = guard.rail().blocksOnError() ? "block" : "allow";
      reports.accept(new Report(guard.rail().name(), Place.OUTPUT, then, 0, why, null));
    });
  }
}
