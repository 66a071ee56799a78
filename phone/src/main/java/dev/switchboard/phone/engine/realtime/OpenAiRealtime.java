package dev.switchboard.phone.engine.realtime;

import dev.switchboard.model.ApiKey;
import dev.switchboard.mount.PublicUrl;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.provider.ModelNames;
import dev.switchboard.time.Time;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/// Speech models behind OpenAI's Realtime API, in its GA version.
///
/// Thread-safe.
public final class OpenAiRealtime implements Engine {
  /// The usual environment variable of keys.
  public static final String KEY_VARIABLE = OpenAiModel.KEY_VARIABLE;

  private static final String BASE_URL = "wss://api.openai.com/v1";
  private static final String OWN_HOST = "api.openai.com";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");

  private static final ApiKey NO_KEY = ApiKey.of("none"); // its variable is not set

  private final Settings settings;
  private final Time time;
  private final OkHttpClient client;
  private final HttpUrl url;
  // Of the server at the base URL: it does not accept `strict` in a tool.
  private final AtomicBoolean strictRefused = new AtomicBoolean();
  private final AtomicBoolean callsRefused = new AtomicBoolean(); // of the same server
  private final AtomicBoolean transcriberRefused = new AtomicBoolean(); // of the same server

  /// The settings of sessions, and their address.
  ///
  /// @param transcriber null for none
  /// @param reasoning null for the default
  record Settings(
      ApiKey key,
      String baseUrl,
      String model,
      String voice,
      @Nullable Transcriber transcriber,
      TurnDetection turns,
      @Nullable Effort reasoning) {
    Settings withBaseUrl(String other) {
      return new Settings(key, other, model, voice, transcriber, turns, reasoning);
    }

    Settings withModel(String other) {
      return new Settings(key, baseUrl, other, voice, transcriber, turns, reasoning);
    }

    Settings withVoice(String other) {
      return new Settings(key, baseUrl, model, other, transcriber, turns, reasoning);
    }

    Settings withTranscriber(@Nullable Transcriber other) {
      return new Settings(key, baseUrl, model, voice, other, turns, reasoning);
    }

    Settings withTurns(TurnDetection other) {
      return new Settings(key, baseUrl, model, voice, transcriber, other, reasoning);
    }

    Settings withReasoning(Effort other) {
      return new Settings(key, baseUrl, model, voice, transcriber, turns, other);
    }

    /// How much the model thinks; null if it does not think.
    @Nullable Effort effort() {
      return ModelNames.isReasoningRealtime(model)
          ? Objects.requireNonNullElse(reasoning, Effort.LOW)
          : null;
    }
  }

  /// How much a model thinks before it speaks.
  public enum Effort {
    MINIMAL,
    LOW,
    MEDIUM,
    HIGH,
    XHIGH
  }

  private OpenAiRealtime(Settings settings, Time time, OkHttpClient client) {
    this.settings = settings;
    this.time = time;
    this.client = client;
    url = url(settings.baseUrl, settings.model);
    if (url.host().equals(OWN_HOST) && !ModelNames.isRealtime(settings.model)) {
      throw new IllegalArgumentException(
          "'%s' is not a model of OpenAI's Realtime interface: these are called %s, %s and so on"
              .formatted(settings.model, ModelNames.REALTIME, ModelNames.REALTIME_SMALL));
    }
    if (settings.reasoning != null && settings.effort() == null) {
      throw new IllegalArgumentException(
          "'%s' does not think before it speaks, so it takes no reasoning; %s does"
              .formatted(settings.model, ModelNames.REALTIME));
    }
  }

  /// The default model of OpenAI, with the key in `OPENAI_API_KEY`. A phone is not built while that
  /// is not set.
  ///
  /// @throws IllegalArgumentException when it has no key
  public static OpenAiRealtime fromEnv() {
    return from(System.getenv());
  }

  static OpenAiRealtime from(Map<String, String> environment) {
    String key = environment.get(KEY_VARIABLE);
    return of(key == null || key.isBlank() ? NO_KEY : ApiKey.of(key, KEY_VARIABLE));
  }

  /// The default model of OpenAI.
  ///
  /// @throws IllegalArgumentException when the key is invalid; it is not quoted
  public static OpenAiRealtime of(String key) {
    return of(ApiKey.of(key));
  }

  /// The default model of OpenAI.
  public static OpenAiRealtime of(ApiKey key) {
    Settings usual =
        new Settings(
            key,
            BASE_URL,
            ModelNames.REALTIME,
            "marin",
            Transcriber.USUAL,
            TurnDetection.ServerVad.USUAL,
            null);
    return new OpenAiRealtime(usual, Time.SYSTEM, EngineSockets.client());
  }

  /// This engine with another model.
  ///
  /// @param model such as `gpt-realtime-2.1-mini`
  /// @throws IllegalArgumentException when the name cannot be that of a model
  public OpenAiRealtime withModel(String model) {
    check("model", model);
    return with(settings.withModel(model));
  }

  /// This engine with another voice.
  ///
  /// @param voice such as `cedar`
  /// @throws IllegalArgumentException when the name cannot be that of a voice
  public OpenAiRealtime withVoice(String voice) {
    check("voice", voice);
    return with(settings.withVoice(voice));
  }

  /// This engine with another transcriber, or another help for it.
  public OpenAiRealtime withTranscriber(Transcriber transcriber) {
    return with(settings.withTranscriber(transcriber));
  }

  /// This engine without the words of callers: the model hears them, but they stand in no
  /// transcript and no guardrail checks them.
  public OpenAiRealtime withoutTranscriber() {
    return with(settings.withTranscriber(null));
  }

  /// This engine with another detection of turns.
  public OpenAiRealtime withTurnDetection(TurnDetection turns) {
    return with(settings.withTurns(turns));
  }

  /// This engine with a model that thinks more, or less.
  ///
  /// @param effort [Effort#LOW] by default
  /// @throws IllegalArgumentException when its model does not think before it speaks
  public OpenAiRealtime withReasoning(Effort effort) {
    return with(settings.withReasoning(effort));
  }

  /// This engine at another server with the same protocol.
  ///
  /// @param baseUrl the part before `/realtime?model=`, such as `wss://api.example.com/v1`; `ws`
  ///   only on this machine
  /// @throws IllegalArgumentException when it is not such a URL
  public OpenAiRealtime withBaseUrl(String baseUrl) {
    return with(settings.withBaseUrl(baseUrl.strip()));
  }

  /// This engine with another clock, for tests.
  public OpenAiRealtime withTime(Time other) {
    return new OpenAiRealtime(settings, other, client);
  }

  /// This engine with other connections.
  OpenAiRealtime withClient(OkHttpClient other) {
    return new OpenAiRealtime(settings, time, other);
  }

  private OpenAiRealtime with(Settings others) {
    return new OpenAiRealtime(others, time, client);
  }

  static void check(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a " + what + " must be 1 to 100 letters, digits, dots, colons or dashes");
    }
  }

  private static HttpUrl url(String baseUrl, String model) {
    boolean open = baseUrl.startsWith("ws://");
    // OkHttp knows only the schemes of HTTP.
    HttpUrl base =
        open || baseUrl.startsWith("wss://") ? HttpUrl.parse("http" + baseUrl.substring(2)) : null;
    if (base == null || base.query() != null || base.fragment() != null) {
      throw new IllegalArgumentException(
          "an engine's base_url must begin with wss:// and name a host, without a query");
    }
    if (!base.encodedUsername().isEmpty() || !base.encodedPassword().isEmpty()) {
      throw new IllegalArgumentException(
          "an engine's base_url must not hold a user or a password; give the key as a key");
    }
    if (open && !PublicUrl.isLoopback(base.host())) {
      throw new IllegalArgumentException(
          "an engine's base_url must begin with wss://: ws:// is for this machine only");
    }
    return base.newBuilder().addPathSegment("realtime").addQueryParameter("model", model).build();
  }

  @Override
  public String name() {
    return "openai-realtime:" + settings.model;
  }

  /// The environment variable of [#fromEnv], if it is not set.
  @Override
  public List<String> missing() {
    return settings.key.equals(NO_KEY)
        ? List.of("environment variable '" + KEY_VARIABLE + "' is not set")
        : List.of();
  }

  @Override
  public EngineSession open(Setup setup, Consumer<EngineEvent> events) {
    RealtimeSession session = new RealtimeSession(this, setup, events);
    session.open(client, request());
    return session;
  }

  private Request.Builder request() {
    return new Request.Builder()
        .url(url)
        .header("Authorization", "Bearer " + settings.key.text())
        .header("User-Agent", "switchboard");
  }

  Settings settings() {
    return settings;
  }

  Time time() {
    return time;
  }

  /// Its address, for messages.
  String place() {
    return url.port() == HttpUrl.defaultPort(url.scheme())
        ? url.host()
        : url.host() + ":" + url.port();
  }

  /// Whether the server is known not to accept `strict` in a tool.
  boolean strictRefused() {
    return strictRefused.get();
  }

  /// Notes that the server does not accept `strict` in a tool.
  void refuseStrict() {
    strictRefused.set(true);
  }

  /// Whether the server is known not to accept calls that the runtime has made.
  boolean callsRefused() {
    return callsRefused.get();
  }

  /// Notes that the server does not accept calls that the runtime has made.
  void refuseCalls() {
    callsRefused.set(true);
  }

  /// The transcriber to ask for, null for none.
  @Nullable Transcriber transcriber() {
    return transcriberRefused.get() ? null : settings.transcriber;
  }

  /// Notes that the server ends sessions with this transcriber.
  void refuseTranscriber() {
    transcriberRefused.set(true);
  }

  /// All settings except the key.
  @Override
  public String toString() {
    return "OpenAiRealtime[model=%s, baseUrl=%s]".formatted(settings.model, settings.baseUrl);
  }
}
