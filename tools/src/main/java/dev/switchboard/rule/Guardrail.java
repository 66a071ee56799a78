package dev.switchboard.rule;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A check of the texts of a conversation, and the action for a match. The static methods set
/// default places and actions, as in `Guardrail.words("promises", "guarantee").block("I cannot
/// promise that.")`.
///
/// @param name unique among the agent's
/// @param on what it checks
/// @param blocksOnError whether a text is blocked if the check fails; otherwise it passes, with an
///   event
/// @param window the most characters of a reply that are held back while it streams, as far as the
///   check needs them; longer matches may be shown in part
/// @param timeout limits a check by a model or by the user's code
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

  /// The default text in place of a blocked one.
  public static final String SUBSTITUTE = "I cannot say that.";

  /// @throws IllegalArgumentException when the name is blank, there is no place, a check for words
  ///   has none, the window is not 0 to 10,000, or a place does not support the action
  public Guardrail {
    if (name.isBlank() || on.isEmpty()) {
      throw new IllegalArgumentException("a guardrail needs a name, and a place to look at");
    }
    if (check instanceof Words(var words) && words.isEmpty()) {
      throw new IllegalArgumentException("guardrail '" + name + "' must name at least one word");
    }
    if (window < 0 || window > MAX_WINDOW) {
      throw new IllegalArgumentException("window must be 0 to " + MAX_WINDOW + ", not " + window);
    }
    on = Collections.unmodifiableSet(EnumSet.copyOf(on));
    if (then instanceof Ask && !on.equals(EnumSet.of(Place.CALL))) {
      throw new IllegalArgumentException("only a call can be asked about: on must be call alone");
    }
  }

  /// What a guardrail checks.
  public enum Place {
    /// The user's words.
    INPUT,
    /// The model's words.
    OUTPUT,
    /// The arguments of a call.
    CALL,
    /// The results of tools.
    RESULT;

    /// The word in a file, such as `output`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// What a guardrail finds.
  public sealed interface Check {}

  /// Words or phrases, in any letter case, also with invisible characters between letters.
  public record Words(List<String> words) implements Check {
    public Words {
      words = List.copyOf(words);
    }
  }

  /// Matches of an RE2 regular expression.
  public record Pattern(String regex) implements Check {}

  /// Longer texts.
  public record MaxLength(int characters) implements Check {}

  /// Links to hosts other than these and their subdomains.
  public record LinksOutside(List<String> hosts) implements Check {
    /// @throws IllegalArgumentException when one is not a host name
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

  /// Data of a known form.
  public enum Known implements Check {
    /// Card numbers: 13 to 19 digits with a valid check digit (Luhn).
    CARD_NUMBER,
    /// Account numbers (IBAN, ISO 13616) with valid check digits.
    IBAN,
    /// E-mail addresses.
    EMAIL,
    /// Telephone numbers.
    PHONE_NUMBER,
    /// Secrets of this process: its keys and those of the environment.
    SECRETS,
    /// Text in a result that addresses the model with instructions.
    INSTRUCTIONS;

    /// The word in a file, such as `card_number`.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Texts for which a model answers yes.
  ///
  /// @param question such as `Is this rude?`
  public record Question(String question) implements Check {}

  /// What the user's code finds.
  public record Own(Finder finder) implements Check {}

  /// Code that finds something in a text.
  @FunctionalInterface
  public interface Finder {
    /// The matches in the text; empty for none. Called concurrently. If it throws,
    /// [Guardrail#blocksOnError] decides.
    List<Span> find(String text) throws Exception;
  }

  /// A part of a text.
  ///
  /// @param start the index of its first character
  /// @param end the index after its last character
  public record Span(int start, int end) {
    /// @throws IllegalArgumentException when the end is before the start, or the start is negative
    public Span {
      if (start < 0 || end < start) {
        throw new IllegalArgumentException("a span must not end before it begins");
      }
    }
  }

  /// The action for a match.
  public sealed interface Action {}

  /// Replaces the whole text by a sentence.
  public record Block(String say) implements Action {}

  /// Replaces the match.
  ///
  /// @param with null for a word that names the kind of match
  public record Redact(@Nullable String with) implements Action {}

  /// Reports the match and lets it pass.
  public record Flag() implements Action {}

  /// Asks a person to agree to the call.
  public record Ask() implements Action {}

  /// Blocks replies with these words.
  public static Guardrail words(String name, String... words) {
    return of(name, new Words(List.of(words)), new Block(SUBSTITUTE), Place.OUTPUT);
  }

  /// Blocks replies with a match of that RE2 regular expression.
  public static Guardrail pattern(String name, String regex) {
    return of(name, new Pattern(regex), new Block(SUBSTITUTE), Place.OUTPUT);
  }

  /// Cuts replies after so many characters.
  public static Guardrail maxLength(String name, int characters) {
    return of(name, new MaxLength(characters), new Redact(null), Place.OUTPUT);
  }

  /// Removes links to hosts other than these and their subdomains from replies.
  public static Guardrail linksOutside(String name, String... hosts) {
    return of(name, new LinksOutside(List.of(hosts)), new Redact(null), Place.OUTPUT);
  }

  /// Removes known data from replies and results; instructions in results are reported and marked
  /// as data.
  public static Guardrail known(Known what) {
    return what == Known.INSTRUCTIONS
        ? of(what.word(), what, new Flag(), Place.RESULT)
        : of(what.word(), what, new Redact(null), Place.OUTPUT, Place.RESULT);
  }

  /// Blocks replies for which a model answers yes to that question.
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

  /// This guardrail, for these places.
  public Guardrail on(Place first, Place... more) {
    return new Guardrail(
        name, EnumSet.of(first, more), check, then, blocksOnError, window, timeout);
  }

  /// This guardrail, which blocks with that sentence.
  public Guardrail block(String say) {
    return then(new Block(say));
  }

  /// This guardrail, which replaces a match by a word that names its kind.
  public Guardrail redact() {
    return then(new Redact(null));
  }

  /// This guardrail, which reports a match and lets it pass.
  public Guardrail flag() {
    return then(new Flag());
  }

  /// This guardrail, which checks calls and asks a person to agree to those with a match.
  public Guardrail ask() {
    return new Guardrail(
        name, EnumSet.of(Place.CALL), check, new Ask(), blocksOnError, window, timeout);
  }

  private Guardrail then(Action other) {
    return new Guardrail(name, on, check, other, blocksOnError, window, timeout);
  }

  /// This guardrail, which blocks a text if the check fails.
  public Guardrail blockOnError() {
    return new Guardrail(name, on, check, then, true, window, timeout);
  }

  /// This guardrail, with that window.
  public Guardrail window(int characters) {
    return new Guardrail(name, on, check, then, blocksOnError, characters, timeout);
  }

  /// This guardrail, with that time limit.
  public Guardrail timeout(Duration limit) {
    return new Guardrail(name, on, check, then, blocksOnError, window, limit);
  }
}
