package dev.switchboard.phone.call;

import dev.switchboard.schema.ToolNames;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What holds for the calls of an agent.
///
/// @param number that is called, and shown where a call is transferred to
/// @param systemTools the names of the host's tools that the model has: `transfer_call`, `end_call`
/// @param keysNoted whether the events of a call say which keys the caller has pressed
public record CallSettings(
    String number,
    Transfer transfer,
    Limits limits,
    ConsentMode consent,
    Words words,
    List<String> systemTools,
    boolean keysNoted) {
  public CallSettings {
    systemTools = List.copyOf(systemTools);
  }

  /// What holds by default for that number.
  public static CallSettings of(String number) {
    return new CallSettings(
        number,
        Transfer.DEFAULT,
        Limits.DEFAULT,
        ConsentMode.OPERATOR,
        Words.DEFAULT,
        ToolNames.RESERVED,
        false);
  }

  /// These with others who agree to calls of tools.
  public CallSettings with(ConsentMode other) {
    return new CallSettings(number, transfer, limits, other, words, systemTools, keysNoted);
  }

  /// These with other bounds.
  public CallSettings with(Limits other) {
    return new CallSettings(number, transfer, other, consent, words, systemTools, keysNoted);
  }

  /// These with other words.
  public CallSettings with(Words other) {
    return new CallSettings(number, transfer, limits, consent, other, systemTools, keysNoted);
  }

  /// Where calls may be transferred.
  ///
  /// @param to numbers by the names of destinations
  /// @param allow the beginnings of numbers that are allowed, null for those with the calling code
  ///   of the agent's own number
  /// @param raw whether the model may name a number itself where there are destinations
  public record Transfer(Map<String, String> to, @Nullable List<String> allow, boolean raw) {
    /// To any number of the agent's own country.
    public static final Transfer DEFAULT = new Transfer(Map.of(), null, true);

    public Transfer {
      to = Map.copyOf(to);
      allow = allow == null ? null : List.copyOf(allow);
    }
  }

  /// What bounds calls.
  ///
  /// @param duration of a call
  /// @param calls at a time
  /// @param silence after which a call ends; the caller is asked after half of it
  /// @param drain how long calls go on when the process ends
  public record Limits(Duration duration, int calls, Duration silence, Duration drain) {
    /// 30 minutes, 50 calls, 2 minutes, 5 minutes.
    public static final Limits DEFAULT =
        new Limits(Duration.ofMinutes(30), 50, Duration.ofMinutes(2), Duration.ofMinutes(5));
  }

  /// Who agrees to calls of tools that need a person's consent.
  public enum ConsentMode {
    /// An operator, as in chat; the talk goes on meanwhile.
    OPERATOR,
    /// The caller, by a key.
    CALLER,
    /// Nobody: they are denied at once.
    DENY
  }

  /// Words of ours, in the caller's language.
  ///
  /// @param stated in the place of the usual ones
  public record Words(Map<Phrase, String> stated) {
    /// In English.
    public static final Words DEFAULT = new Words(Map.of());

    public Words {
      stated = Map.copyOf(stated);
    }

    /// These with others for that phrase.
    public Words with(Phrase phrase, String words) {
      Map<Phrase, String> more = new EnumMap<>(Phrase.class);
      more.putAll(stated);
      more.put(phrase, words);
      return new Words(more);
    }

    /// What is said, empty for nothing.
    public String of(Phrase phrase) {
      return stated.getOrDefault(phrase, phrase.usual);
    }
  }

  /// What the phone says by itself.
  public enum Phrase {
    /// First of all, and whatever the caller says meanwhile: what they have to be told by law.
    DISCLOSURE(""),
    /// When the model's session was lost and another one is there.
    RECONNECT("One moment, please."),
    /// When an answer does not come about, and before the end of a call that cannot go on.
    FAILED("I am sorry, something went wrong on our side. Please call again later."),
    /// To a caller for whom no line is free; where it is empty, the carrier gives the busy signal.
    BUSY(""),
    /// Before an end of ours.
    GOODBYE("Goodbye."),
    /// To a caller who has said nothing for a while.
    SILENCE("Are you still there?"),
    /// Half a minute before the longest time of a call is over.
    ENDING("We have half a minute left."),
    /// To a caller who is to agree to a tool's call; `{tool}` is the tool's name.
    CONSENT("Shall I go on with this: {tool}?"),
    /// After such a question.
    KEYS("Press 1 for yes, or 2 for no.");

    private final String usual;

    Phrase(String usual) {
      this.usual = usual;
    }
  }
}
