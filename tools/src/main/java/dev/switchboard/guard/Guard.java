package dev.switchboard.guard;

import dev.switchboard.model.ModelException;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.Guardrail.Known;
import dev.switchboard.rule.Guardrail.Span;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.time.Time;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A compiled guardrail. Thread-safe.
///
/// @param finder finds matches
/// @param foreign whether the finder is the user's code or a model, so that its time is limited
record Guard(Guardrail rail, Guardrail.Finder finder, boolean foreign, Time time) {
  private static final System.Logger LOG = System.getLogger(Guardrail.class.getName());

  /// The result of a check.
  ///
  /// @param spans of the matches in order, without overlaps; empty if it failed
  /// @param error why it failed, a clause; null if it did not
  record Look(List<Span> spans, @Nullable String error) {}

  /// Identity: comparing the components at every check would be slow.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return rail.name().hashCode();
  }

  /// Checks that text.
  Look look(String text) {
    if (!foreign) {
      return looked(text);
    }
    Bounded bounded = new Bounded(text);
    Thread thread = Thread.ofVirtual().name("guardrail").start(bounded);
    time.await(bounded, time.nanos() + rail.timeout().toNanos());
    Look found = bounded.found;
    if (found != null) {
      return found;
    }
    thread.interrupt();
    boolean isOut = Thread.currentThread().isInterrupted();
    String late = "it took more than " + rail.timeout().toMillis() + " ms";
    return failed(isOut ? "it was interrupted" : late, null);
  }

  private Look looked(String text) {
    try {
      return new Look(inOrder(finder.find(text), text), null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("it was interrupted", e);
    } catch (Judgement.Undecided e) {
      return failed(String.valueOf(e.getMessage()), e);
    } catch (ModelException e) {
      return failed("the model failed (" + e.kind().word() + ")", e);
    } catch (Exception | StackOverflowError e) {
      return failed("it failed (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  private Look failed(String why, @Nullable Throwable thrown) {
    LOG.log(Level.WARNING, InvisibleCharacters.line("guardrail '" + rail.name() + "': " + why));
    LOG.log(Level.DEBUG, "a guardrail failed", thrown);
    return new Look(List.of(), why);
  }

  private static List<Span> inOrder(List<Span> spans, String text) {
    List<Span> ordered = new ArrayList<>();
    for (Span each : spans.stream().sorted(Comparator.comparingInt(Span::start)).toList()) {
      if (each.end() > text.length()) {
        throw new IllegalStateException("it found something behind the end of the text");
      }
      int behind = border(text, each.end());
      Span span = new Span(border(text, each.start()), behind < each.end() ? behind + 2 : behind);
      Span last = ordered.isEmpty() ? null : ordered.getLast();
      if (last != null && span.start() < last.end()) {
        ordered.set(ordered.size() - 1, new Span(last.start(), Math.max(last.end(), span.end())));
      } else if (span.end() > span.start()) {
        ordered.add(span);
      }
    }
    return ordered;
  }

  /// That index, or the one before if it would split a surrogate pair.
  static int border(CharSequence text, int at) {
    boolean isBetween =
        at > 0
            && at < text.length()
            && Character.isLowSurrogate(text.charAt(at))
            && Character.isHighSurrogate(text.charAt(at - 1));
    return isBetween ? at - 1 : at;
  }

  /// How many visible characters of a reply are held back at most; matches that are longer than
  /// that may be shown in part, but no secrets.
  int window() {
    if (rail.check() instanceof Guardrail.MaxLength) {
      return 0;
    }
    return rail.window() > 0 && finder instanceof SecretForms secrets
        ? Math.max(rail.window(), 2 * secrets.longest())
        : rail.window();
  }

  /// How many visible characters are held back at least: of words that block a reply a few words
  /// more, so that a reply that begins with one is replaced as a whole.
  int least() {
    boolean blocks = rail.then() instanceof Guardrail.Block;
    return blocks && rail.check() instanceof Guardrail.Words(List<String> words)
        ? words.stream().map(String::strip).mapToInt(word -> 4 * word.length() + 4).max().orElse(0)
        : 1;
  }

  /// The index from which on more text may make a match, or undo one, as far as the check knows.
  int settled(String text) {
    return finder instanceof Streamed streamed ? streamed.settled(text) : 0;
  }

  /// Whether it needs the complete reply.
  boolean wantsAll() {
    return rail.check() instanceof Guardrail.Question;
  }

  /// The replacement of a match.
  String replacement() {
    String own = rail.then() instanceof Guardrail.Redact redact ? redact.with() : null;
    if (own != null) {
      return own;
    }
    return switch (rail.check()) {
      case Guardrail.Words words -> "[removed]";
      case Guardrail.Pattern pattern -> "[removed]";
      case Guardrail.Question question -> "[removed]";
      case Guardrail.Own ownCheck -> "[removed]";
      case Guardrail.MaxLength max -> "…";
      case Guardrail.LinksOutside links -> "[link removed]";
      case Known.CARD_NUMBER -> "[card number]";
      case Known.IBAN -> "[account number]";
      case Known.EMAIL -> "[e-mail address]";
      case Known.PHONE_NUMBER -> "[phone number]";
      case Known.SECRETS -> "[secret]";
      case Known.INSTRUCTIONS -> "[instructions removed]";
    };
  }

  /// The text with that replacement for each match.
  static String replaced(String text, List<Span> spans, String with) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    for (Span span : spans) {
      out.append(text, at, span.start()).append(with);
      at = span.end();
    }
    return out.append(text, at, text.length()).toString();
  }

  /// The word for its action in an event.
  String action() {
    return switch (rail.then()) {
      case Guardrail.Block block -> "block";
      case Guardrail.Redact redact -> "redact";
      case Guardrail.Flag flag -> "flag";
      case Guardrail.Ask ask -> "ask";
    };
  }

  private final class Bounded extends Time.Signal implements Runnable {
    private final String text;
    private volatile @Nullable Look found;

    Bounded(String text) {
      this.text = text;
    }

    @Override
    public void run() {
      try {
        found = looked(text);
      } catch (Throwable e) {
        // The user's code may throw anything; the waiting thread needs a result.
        found = failed("it failed (" + e.getClass().getSimpleName() + ")", e);
      } finally {
        give();
      }
    }
  }
}
