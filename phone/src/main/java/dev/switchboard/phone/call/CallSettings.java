package dev.switchboard.phone.call;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What holds for the calls of an agent.
///
/// @param number that is called, and shown where a call is transferred to
/// @param systemTools the names of the host's tools that the model has: `transfer_call`, `end_call`
public record CallSettings(
    String number,
    Transfer transfer,
    Limits limits,
    ConsentMode consent,
    Words words,
    List<String> systemTools) {
  /// The host's tools that a model has by default.
  public static final List<String> SYSTEM_TOOLS = List.of("transfer_call", "end_call");

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
        SYSTEM_TOOLS);
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
  public record Words(
      String reconnect,
      String failed,
      String goodbye,
      String silence,
      String ending,
      String consent,
      String keys) {
    /// In English.
    public static final Words DEFAULT =
        new Words(
            "One moment, please.",
            "I am sorry, something went wrong on our side. Please call again later.",
            "Goodbye.",
            "Are you still there?",
            "We have half a minute left.",
            "Shall I go on with this: {tool}?",
            "Press 1 for yes, or 2 for no.");
  }
}
