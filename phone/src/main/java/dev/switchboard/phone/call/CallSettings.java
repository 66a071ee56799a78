package dev.switchboard.phone.call;

import dev.switchboard.mount.Bound;
import dev.switchboard.schema.ToolNames;
import dev.switchboard.text.PhoneNumber;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The settings of an agent's calls.
///
/// @param number that is called, also shown as the caller at a transfer
/// @param systemTools the built-in tools that the model has: `transfer_call`, if there are
///   destinations, and `end_call`
/// @param flags what is so
/// @param callersRemembered whether calls from one number share their memory
/// @param paragraph joins the prompt where the agent's own model replies, empty for none
public record CallSettings(
    String number,
    Transfer transfer,
    Limits limits,
    ConsentMode consent,
    Words words,
    List<String> systemTools,
    Set<Flag> flags,
    boolean callersRemembered,
    String paragraph) {
  /// The default paragraph.
  public static final String PARAGRAPH =
      "You are talking on the phone: what you write is spoken. Use short, plain sentences, without"
          + " lists, headings, links, Markdown or emoji, and write numbers and dates as people say"
          + " them. The caller may interrupt you; then the conversation has only what they heard.";

  public CallSettings {
    flags = Set.copyOf(flags);
    systemTools = List.copyOf(systemTools);
  }

  /// Whether that is so.
  public boolean is(Flag flag) {
    return flags.contains(flag);
  }

  /// The defaults for a number.
  public static CallSettings of(String number) {
    return builder().number(number).build();
  }

  /// A builder of the defaults, without a number.
  public static Builder builder() {
    return new Builder();
  }

  /// A builder of these settings.
  public Builder change() {
    return builder()
        .number(number)
        .transfer(transfer)
        .limits(limits)
        .consent(consent)
        .words(words)
        .systemTools(systemTools)
        .flags(flags)
        .callersRemembered(callersRemembered)
        .paragraph(paragraph);
  }

  /// These settings with another consent mode.
  public CallSettings with(ConsentMode other) {
    return change().consent(other).build();
  }

  /// These settings with other limits.
  public CallSettings with(Limits other) {
    return change().limits(other).build();
  }

  /// These settings with other transfers.
  public CallSettings with(Transfer other) {
    return change().transfer(other).build();
  }

  /// These settings with other words.
  public CallSettings with(Words other) {
    return change().words(other).build();
  }

  /// Builds the settings of calls.
  public static final class Builder {
    private String number = "";
    private Transfer transfer = Transfer.NONE;
    private Limits limits = Limits.DEFAULT;
    private ConsentMode consent = ConsentMode.OPERATOR;
    private Words words = Words.DEFAULT;
    private List<String> systemTools = ToolNames.RESERVED;
    private Set<Flag> flags = Flag.usual();
    private boolean callersRemembered;
    private String paragraph = PARAGRAPH;

    private Builder() {}

    /// Sets the number that is called.
    public Builder number(String called) {
      number = called;
      return this;
    }

    /// Sets where calls may be transferred: by default nowhere.
    public Builder transfer(Transfer policy) {
      transfer = policy;
      return this;
    }

    /// Sets the limits.
    public Builder limits(Limits bounds) {
      limits = bounds;
      return this;
    }

    /// Sets who decides about tool calls that need consent: by default an operator.
    public Builder consent(ConsentMode by) {
      consent = by;
      return this;
    }

    /// Sets the sentences that the phone itself says.
    public Builder words(Words said) {
      words = said;
      return this;
    }

    /// Sets a sentence that the phone itself says.
    public Builder words(Phrase phrase, String own) {
      words = words.with(phrase, own);
      return this;
    }

    /// Sets the built-in tools of the model.
    public Builder systemTools(List<String> names) {
      systemTools = names;
      return this;
    }

    /// Sets what is so, and everything else not.
    public Builder flags(Set<Flag> so) {
      flags = so;
      return this;
    }

    /// Sets whether that is so.
    public Builder flag(Flag flag, boolean so) {
      Set<Flag> changed = EnumSet.noneOf(Flag.class);
      changed.addAll(flags);
      boolean unused = so ? changed.add(flag) : changed.remove(flag);
      flags = changed;
      return this;
    }

    /// Sets whether calls from one number share their memory.
    public Builder callersRemembered(boolean shared) {
      callersRemembered = shared;
      return this;
    }

    /// Sets the paragraph on speaking that joins the agent's prompt where its own model replies.
    public Builder paragraph(String text) {
      paragraph = text;
      return this;
    }

    /// Builds the settings.
    public CallSettings build() {
      return new CallSettings(
          number,
          transfer,
          limits,
          consent,
          words,
          systemTools,
          flags,
          callersRemembered,
          paragraph);
    }
  }

  /// Where calls may be transferred.
  ///
  /// @param to numbers by the names of destinations
  /// @param allow the beginnings of numbers that the model may state if `raw`: countries such as
  ///   `+44`, areas, or whole numbers. `+1` alone is the United States and Canada. Numbers that
  ///   cost more than a call to their country, or belong to none, must be written out whole
  /// @param raw whether the model may state a number itself
  public record Transfer(Map<String, String> to, List<String> allow, boolean raw) {
    /// Nowhere: the model has no `transfer_call`.
    public static final Transfer NONE = new Transfer(Map.of(), List.of(), false);

    private static final Pattern BEGINNING = Pattern.compile("\\+[0-9]{1,15}");

    public Transfer {
      to = Map.copyOf(to);
      allow = List.copyOf(Objects.requireNonNullElse(allow, List.of()));
    }

    /// To these destinations, numbers by their names.
    public static Transfer to(Map<String, String> named) {
      return new Transfer(named, List.of(), false);
    }

    /// Whether the model may state numbers.
    boolean takesNumbers() {
      return raw && !allow.isEmpty();
    }

    /// Whether there is anywhere to transfer to.
    public boolean offersAny() {
      return !to.isEmpty() || takesNumbers();
    }

    /// A sentence about what is wrong, null for nothing.
    public @Nullable String fault() {
      for (String number : to.values()) {
        if (!PhoneNumber.is(number)) {
          return "a destination of transfers must be + and 7 to 15 digits, not '" + number + "'";
        }
      }
      for (String beginning : allow) {
        if (!BEGINNING.matcher(beginning).matches()) {
          return "the beginning of a number must be such as +49, not '" + beginning + "'";
        }
      }
      return raw && allow.isEmpty()
          ? "transfers to numbers that the model states need the beginnings of allowed ones"
          : null;
    }
  }

  /// The limits of calls.
  ///
  /// @param duration of a call
  /// @param calls at a time
  /// @param silence after which a call ends; the caller is asked after half of it
  /// @param drain how long calls may continue when the process ends
  public record Limits(Duration duration, int calls, Duration silence, Duration drain) {
    /// 30 minutes, 50 calls, 2 minutes, 5 minutes.
    public static final Limits DEFAULT =
        new Limits(
            Duration.ofMinutes(30),
            Bound.CALLS.all(),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5));
  }

  /// The sentences that the phone itself says, in the caller's language.
  ///
  /// @param stated those that replace the defaults
  public record Words(Map<Phrase, String> stated) {
    /// In English.
    public static final Words DEFAULT = new Words(Map.of());

    public Words {
      stated = Map.copyOf(stated);
    }

    /// These words with another sentence for a phrase.
    public Words with(Phrase phrase, String words) {
      Map<Phrase, String> more = new EnumMap<>(Phrase.class);
      more.putAll(stated);
      more.put(phrase, words);
      return new Words(more);
    }

    /// The sentence of a phrase, empty for none.
    public String of(Phrase phrase) {
      return stated.getOrDefault(phrase, phrase.usual());
    }
  }

  /// What is so or not in the calls of a phone. Each is a key of the table `phone`, its name in
  /// small letters.
  public enum Flag {
    /// Whether a caller who speaks before a transfer or the end of a call prevents it.
    FAREWELL_INTERRUPTIBLE(true),
    /// Whether the log contains the keys that a caller presses.
    LOG_KEYS(false);

    private final boolean usual;

    Flag(boolean usual) {
      this.usual = usual;
    }

    /// Those that are so where nothing else is stated.
    public static Set<Flag> usual() {
      return of(Map.of());
    }

    /// Those that are so with these stated.
    public static Set<Flag> of(Map<Flag, Boolean> stated) {
      Set<Flag> so = EnumSet.noneOf(Flag.class);
      for (Flag flag : values()) {
        if (stated.getOrDefault(flag, flag.usual)) {
          so.add(flag);
        }
      }
      return so;
    }
  }

  /// Who decides about tool calls that need consent.
  public enum ConsentMode {
    /// An operator, as in chat; the conversation continues meanwhile.
    OPERATOR,
    /// The caller, by pressing a key.
    CALLER,
    /// No one: the calls are denied at once.
    DENY
  }

  /// The occasions on which the phone itself speaks. Each is a key of the table `phone.words`.
  public enum Phrase {
    /// At the beginning, spoken completely even if the caller speaks: what the law requires.
    DISCLOSURE(""),
    /// When a new session replaces a lost one.
    RECONNECT("One moment, please."),
    /// When an answer fails, and before the end of a call that cannot continue.
    FAILED("I am sorry, something went wrong on our side. Please call again later."),
    /// To a caller beyond the limit of calls; if empty, the carrier gives the busy signal.
    BUSY(""),
    /// Before the phone ends a call itself.
    GOODBYE("Goodbye."),
    /// To a caller who has said nothing for a while.
    SILENCE("Are you still there?"),
    /// Half a minute before the limit of a call's duration.
    ENDING("This call ends in 30 seconds."),
    /// To a caller who is asked for consent to a tool call; `{tool}` is the tool's name.
    CONSENT("Should I go ahead with {tool}?"),
    /// After such a question.
    KEYS("Press 1 for yes, or 2 for no.");

    private final String usual;

    Phrase(String usual) {
      this.usual = usual;
    }

    /// The sentence where none is stated, empty for none.
    public String usual() {
      return usual;
    }
  }
}
