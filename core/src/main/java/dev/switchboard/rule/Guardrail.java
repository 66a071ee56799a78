package dev.switchboard.rule;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A check of what comes into a conversation and goes out of it, and what is done with what it
/// finds. Made by the static methods, each of which has places and an action of its own:
/// `guardrails(Guardrail.cardNumbers(), Guardrail.words("promises", "guarantee").block("I cannot
/// promise that."))`.
///
/// @param name unique among the agent's
/// @param on what it looks at
/// @param blocksOnError whether what it could not check is blocked; otherwise it passes, and the
///   error is told
/// @param window how many characters of a reply are held back while it streams, so that what is
///   found is never shown; nothing longer is promised to be found
/// @param timeout limits a check that asks a model, or is the user's own
public record Guardrail(
    String name,
    Set<Place> on,
    Check check,
    Action then,
    boolean blocksOnError,
    int window,
    Duration timeout) {
  /// The characters held back by default.
  public static final int DEFAULT_WINDOW = 200;

  /// The largest window.
  public static final int MAX_WINDOW = 10_000;

  /// The time that a check may take by default.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  /// What is said in the place of what was blocked, where the guardrail states nothing.
  public static final String SUBSTITUTE = "I cannot say that.";

  /// @throws IllegalArgumentException when the name is blank, there is no place, the window is not
  ///   0 to 10,000, or a place has no such action
  public Guardrail {
    if (name.isBlank() || on.isEmpty()) {
      throw new IllegalArgumentException("a guardrail needs a name, and a place to look at");
    }
    if (window < 0 || window > MAX_WINDOW) {
      throw new IllegalArgumentException("window must be 0 to " + MAX_WINDOW + ", not " + window);
    }
    on = Collections.unmodifiableSet(EnumSet.copyOf(on));
    if (then instanceof Ask && !on.equals(EnumSet.of(Place.CALL))) {
      throw new IllegalArgumentException("only a call can be asked about: on must be call alone");
    }
  }

  /// What a guardrail looks at.
  public enum Place {
    /// The user's words.
    INPUT,
    /// The model's words.
    OUTPUT,
    /// The arguments of a call.
    CALL,
    /// What a tool answers.
    RESULT;

    /// The word in a file, such as `output`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// What a guardrail looks for.
  public sealed interface Check {}

  /// Words or sentences, in any case, and though characters that are not seen stand between.
  public record Words(List<String> words) implements Check {
    public Words {
      words = List.copyOf(words);
    }
  }

  /// What a regular expression of RE2 finds.
  public record Pattern(String regex) implements Check {}

  /// All that is longer.
  public record MaxLength(int characters) implements Check {}

  /// Links to other hosts than these and those below them.
  public record LinksOutside(List<String> hosts) implements Check {
    /// @throws IllegalArgumentException when one is not the name of a host alone
    public LinksOutside {
      hosts = List.copyOf(hosts);
      for (String host : hosts) {
        if (!host.matches("[\\p{L}\\p{N}\\p{M}-]+(?:\\.[\\p{L}\\p{N}\\p{M}-]+)*")) {
          throw new IllegalArgumentException(
              "links_outside takes hosts, such as example.com, not '" + host + "'");
        }
      }
    }
  }

  /// What is known by its form.
  public enum Known implements Check {
    /// Numbers of payment cards: 13 to 19 digits that end in their check digit (Luhn).
    CARD_NUMBER,
    /// Account numbers (IBAN, ISO 13616) whose check digits are right.
    IBAN,
    /// E-mail addresses.
    EMAIL,
    /// Telephone numbers.
    PHONE_NUMBER,
    /// Values of this process that must not leave it: its keys, and the environment's.
    SECRETS,
    /// Words in a result that speak to the model as if they were its instructions.
    INSTRUCTIONS;

    /// The word in a file, such as `card_number`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Whatever a model answers with yes.
  ///
  /// @param question such as `Is this rude?`
  public record Question(String question) implements Check {}

  /// Whatever code of the user's finds.
  public record Own(Finder finder) implements Check {}

  /// Code that looks for something.
  @FunctionalInterface
  public interface Finder {
    /// The places in the text, none for nothing. Called by several threads at once; what it throws
    /// is told, and counts as [Guardrail#blocksOnError] says.
    List<Span> find(String text) throws Exception;
  }

  /// A place in a text.
  ///
  /// @param start of its first character, from 0
  /// @param end behind its last
  public record Span(int start, int end) {
    /// @throws IllegalArgumentException when it ends before it begins, or begins before 0
    public Span {
      if (start < 0 || end < start) {
        throw new IllegalArgumentException("a span must not end before it begins");
      }
    }
  }

  /// What is done with what was found.
  public sealed interface Action {}

  /// Nothing of it is said: a sentence stands in its place.
  public record Block(String say) implements Action {}

  /// It is replaced.
  ///
  /// @param with null for a word that says what it was
  public record Redact(@Nullable String with) implements Action {}

  /// It is told, and passes.
  public record Flag() implements Action {}

  /// A person has to agree to the call.
  public record Ask() implements Action {}

  /// Blocks replies with these words.
  public static Guardrail words(String name, String... words) {
    return of(name, new Words(List.of(words)), new Block(SUBSTITUTE), Place.OUTPUT);
  }

  /// Blocks replies in which that regular expression, of RE2, finds something.
  public static Guardrail pattern(String name, String regex) {
    return of(name, new Pattern(regex), new Block(SUBSTITUTE), Place.OUTPUT);
  }

  /// Cuts replies behind so many characters.
  public static Guardrail maxLength(String name, int characters) {
    return of(name, new MaxLength(characters), new Redact(null), Place.OUTPUT);
  }

  /// Takes links out of replies that lead to other hosts than these and those below them.
  public static Guardrail linksOutside(String name, String... hosts) {
    return of(name, new LinksOutside(List.of(hosts)), new Redact(null), Place.OUTPUT);
  }

  /// Takes what is known by its form out of replies and results; instructions in results are told
  /// and marked as data.
  public static Guardrail known(Known what) {
    return what == Known.INSTRUCTIONS
        ? of(what.word(), what, new Flag(), Place.RESULT)
        : of(what.word(), what, new Redact(null), Place.OUTPUT, Place.RESULT);
  }

  /// Blocks replies of which the agent's model, or another, says yes to that question.
  public static Guardrail question(String name, String question) {
    return of(name, new Question(question), new Block(SUBSTITUTE), Place.OUTPUT);
  }

  /// Blocks replies in which that code finds something.
  public static Guardrail own(String name, Finder finder) {
    return of(name, new Own(finder), new Block(SUBSTITUTE), Place.OUTPUT);
  }

  private static Guardrail of(String name, Check check, Action then, Place... on) {
    return new Guardrail(name, Set.of(on), check, then, false, DEFAULT_WINDOW, DEFAULT_TIMEOUT);
  }

  /// The same, which looks at these.
  public Guardrail on(Place first, Place... more) {
    return new Guardrail(
        name, EnumSet.of(first, more), check, then, blocksOnError, window, timeout);
  }

  /// The same, which says this in the place of what it finds.
  public Guardrail block(String say) {
    return then(new Block(say));
  }

  /// The same, which replaces what it finds by a word that says what it was.
  public Guardrail redact() {
    return then(new Redact(null));
  }

  /// The same, which tells what it finds and lets it pass.
  public Guardrail flag() {
    return then(new Flag());
  }

  /// The same, which looks at calls, and has a person agree to those in which it finds something.
  public Guardrail ask() {
    return new Guardrail(
        name, EnumSet.of(Place.CALL), check, new Ask(), blocksOnError, window, timeout);
  }

  private Guardrail then(Action other) {
    return new Guardrail(name, on, check, other, blocksOnError, window, timeout);
  }

  /// The same, which blocks what it cannot check.
  public Guardrail blockOnError() {
    return new Guardrail(name, on, check, then, true, window, timeout);
  }

  /// The same with another window.
  public Guardrail window(int characters) {
    return new Guardrail(name, on, check, then, blocksOnError, characters, timeout);
  }

  /// The same with another limit of time.
  public Guardrail timeout(Duration limit) {
    return new Guardrail(name, on, check, then, blocksOnError, window, limit);
  }
}
