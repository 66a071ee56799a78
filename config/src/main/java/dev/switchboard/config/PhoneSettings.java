package dev.switchboard.config;

import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.openai.OpenAiModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The phone of an agent. Null or empty means the phone's default.
///
/// @param number that is called (E.164)
/// @param publicUrl at which the carrier reaches the server
/// @param limits by name: `duration`, `silence`, `drain`
/// @param calls the maximum number of concurrent calls, null for the default
/// @param consent who decides about tool calls that need consent
/// @param words that the runtime says
/// @param systemTools the host's tools that the model has, null for all
/// @param log the folder with a folder for each call, null for none
/// @param flags what is so
/// @param remembersCallers whether calls from one number share their memory
/// @param faults of its environment variables; any of them prevents calls
public record PhoneSettings(
    CarrierSettings carrier,
    String number,
    String publicUrl,
    EngineSettings engine,
    @Nullable TransferSettings transfer,
    Map<String, Duration> limits,
    @Nullable Integer calls,
    @Nullable ConsentMode consent,
    Map<Phrase, String> words,
    @Nullable List<String> systemTools,
    @Nullable Path log,
    Set<Flag> flags,
    boolean remembersCallers,
    List<ConfigException.Fault> faults) {
  public PhoneSettings {
    limits = Map.copyOf(limits);
    words = Map.copyOf(words);
    flags = Set.copyOf(flags);
    systemTools = systemTools == null ? null : List.copyOf(systemTools);
    faults = List.copyOf(faults);
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

    static Set<Flag> of(Map<Flag, Boolean> stated) {
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

  /// The account at the carrier.
  ///
  /// @param name such as `twilio`
  /// @param account its id, null for the one in the usual environment variable
  /// @param tokenEnv the environment variable with its token, null for the usual one
  /// @param baseUrl of its REST API, null for the carrier's own
  public record CarrierSettings(
      String name, @Nullable String account, @Nullable String tokenEnv, @Nullable String baseUrl) {
    /// The supported carriers.
    public static final List<String> NAMES = List.of("twilio");

    /// The usual environment variable of the account.
    public static final String ACCOUNT_VARIABLE = "TWILIO_ACCOUNT_SID";

    /// The usual environment variable of its token.
    public static final String TOKEN_VARIABLE = "TWILIO_AUTH_TOKEN";
  }

  /// The speech engine of calls.
  ///
  /// @param model its provider, name, address and key variable
  /// @param voice null for the default
  /// @param language of callers, such as `de`; null if the engine detects it
  /// @param turns how it detects that a caller has finished, null for the default
  public record EngineSettings(
      ModelSettings model,
      @Nullable String voice,
      @Nullable String language,
      @Nullable TurnSettings turns) {
    /// The supported providers of engines.
    public static final List<String> PROVIDERS = List.of("openai-realtime");

    /// The usual environment variable of their key.
    public static final String KEY_VARIABLE = OpenAiModel.KEY_VARIABLE;
  }

  /// How an engine detects that a caller has finished. Null means the default.
  ///
  /// @param type `server_vad`, by loudness, or `semantic_vad`, by content
  /// @param threshold the loudness of speech, 0 to 1
  /// @param prefix audio before the detected beginning that belongs to the speech
  /// @param silence after which the speech has ended
  /// @param eagerness how soon its content counts as finished, such as `low`
  public record TurnSettings(
      String type,
      @Nullable Double threshold,
      @Nullable Duration prefix,
      @Nullable Duration silence,
      @Nullable String eagerness) {}

  /// Where calls may be transferred.
  ///
  /// @param to numbers by the names of destinations
  /// @param allow the prefixes of allowed numbers, null for none
  /// @param raw whether the model may state an allowed number itself, null for only if there are no
  ///   destinations
  public record TransferSettings(
      Map<String, String> to, @Nullable List<String> allow, @Nullable Boolean raw) {
    public TransferSettings {
      to = Map.copyOf(to);
      allow = allow == null ? null : List.copyOf(allow);
    }
  }
}
