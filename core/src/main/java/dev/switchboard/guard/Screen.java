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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What the words of one reply go through on their way to whoever hears them: the last ones are
/// held back until it is known that no guardrail finds anything in them, and nothing that one finds
/// is shown. Safe for use by several threads, one after the other.
///
/// At each fragment it looks at what is held back and at as much before it, so that the work for a
/// reply grows with its length, not with the square of it.
public final class Screen {
  private final List<Guard> guards;
  private final Consumer<String> show;
  private final Consumer<Report> tell;
  private final int window;
  private final boolean holdsAll;
  private final StringBuilder raw = new StringBuilder();
  private final StringBuilder line = new StringBuilder();
  private final Map<Guard, Integer> found = new LinkedHashMap<>();
  private final Map<Guard, String> errors = new LinkedHashMap<>();
  private int shown; // of the raw words
  private @Nullable Guard blocker;

  /// What a guardrail has found in the words.
  private record Finding(Guard guard, Span span) {}

  Screen(List<Guard> guards, Consumer<String> show, Consumer<Report> tell) {
    this.guards = guards;
    this.show = show;
    this.tell = tell;
    window = guards.stream().mapToInt(guard -> guard.rail().window()).max().orElse(0);
    holdsAll = guards.stream().anyMatch(Guard::wantsAll);
  }

  /// Takes more words.
  public synchronized void text(String fragment) {
    if (blocker == null) {
      raw.append(fragment);
      if (!holdsAll) {
        advance(false);
      }
    }
  }

  /// Whether a guardrail has ended the reply.
  public synchronized boolean blocked() {
    return blocker != null;
  }

  /// What is said in the place of the rest, null while no guardrail has ended the reply.
  public synchronized @Nullable String substitute() {
    return blocker == null ? null : Sweep.substitute(blocker);
  }

  /// Takes the end of the reply, and shows what was held back of it.
  ///
  /// @param whole all its words
  /// @return its words as they were shown
  public synchronized String finish(String whole) {
    if (blocker == null) {
      if (whole.length() > raw.length() && whole.startsWith(raw.toString())) {
        raw.append(whole, raw.length(), whole.length());
      }
      advance(true);
      report();
    }
    return line.toString();
  }

  private void advance(boolean last) {
    int from = Math.max(0, shown - window);
    List<Finding> findings = new ArrayList<>();
    for (Guard guard : guards) {
      for (Span span : look(guard, from, last)) {
        boolean mayGrow = !last && span.end() == raw.length();
        if (guard.rail().then() instanceof Guardrail.Block && !mayGrow) {
          block(guard);
          return;
        }
        if (guard.rail().then() instanceof Guardrail.Flag) {
          count(guard, span);
        } else {
          findings.add(new Finding(guard, span));
        }
      }
      if (last && errors.containsKey(guard) && guard.rail().blocksOnError()) {
        block(guard);
        return;
      }
    }
    emit(findings, last);
  }

  /// What it finds now in what is not shown yet.
  private List<Span> look(Guard guard, int from, boolean last) {
    if (errors.containsKey(guard) || guard.wantsAll() && !last) {
      return List.of();
    }
    int start = guard.wantsAll() || guard.rail().check() instanceof Guardrail.MaxLength ? 0 : from;
    Guard.Look look = guard.look(raw.substring(start));
    if (look.error() != null) {
      errors.put(guard, look.error());
    }
    return look.spans().stream()
        .map(span -> new Span(span.start() + start, span.end() + start))
        .filter(span -> span.end() > shown)
        .map(span -> new Span(Math.max(shown, span.start()), span.end()))
        .toList();
  }

  private void count(Guard guard, Span span) {
    if (span.start() >= shown) {
      found.merge(guard, 1, Math::max);
    }
  }

  /// Shows what may be shown by now, with what was found in it replaced.
  private void emit(List<Finding> findings, boolean last) {
    int end = last ? raw.length() : cut(findings);
    StringBuilder words = new StringBuilder();
    int at = shown;
    findings.sort(Comparator.comparingInt(finding -> finding.span.start()));
    for (Finding finding : findings) {
      if (finding.span.start() >= at && finding.span.end() <= end) {
        words.append(raw, at, finding.span.start()).append(finding.guard.replacement());
        at = finding.span.end();
        found.merge(finding.guard, 1, Integer::sum);
      } else if (finding.span.start() < at && finding.span.end() > at) {
        // It laps over another: the rest of it goes too.
        at = Math.min(end, finding.span.end());
      }
    }
    if (end > at) {
      words.append(raw, at, end);
    }
    shown = Math.max(shown, Math.max(at, end));
    if (!words.isEmpty()) {
      line.append(words);
      show.accept(words.toString());
    }
  }

  /// How far the words may be shown: not into what was found and may go on.
  private int cut(List<Finding> findings) {
    int end = Math.max(shown, raw.length() - window);
    if (end > 0 && end < raw.length() && Character.isLowSurrogate(raw.charAt(end))) {
      end--;
    }
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Finding finding : findings) {
        boolean inside = finding.span.start() < end && finding.span.end() > end;
        boolean mayGrow = finding.span.start() < end && finding.span.end() == raw.length();
        if (inside || mayGrow) {
          end = Math.max(shown, finding.span.start());
          moved = finding.span.start() > shown;
        }
      }
    }
    return end;
  }

  private void block(Guard guard) {
    blocker = guard;
    found.merge(guard, 1, Integer::sum);
    String substitute = Sweep.substitute(guard);
    String words = line.isEmpty() || line.toString().endsWith(" ") ? substitute : " " + substitute;
    line.append(words);
    show.accept(words);
    report();
  }

  private void report() {
    found.forEach((guard, times) -> {
      if (!errors.containsKey(guard)) {
        tell.accept(
            new Report(guard.rail().name(), Place.OUTPUT, guard.action(), times, null, null));
      }
    });
    errors.forEach((guard, why) -> {
      String then = guard.rail().blocksOnError() ? "block" : "allow";
      tell.accept(new Report(guard.rail().name(), Place.OUTPUT, then, 0, why, null));
    });
  }
}
