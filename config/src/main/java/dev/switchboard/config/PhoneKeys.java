package dev.switchboard.config;

import dev.switchboard.config.Binder.Key;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys of the table `phone` and of the tables in it, as [Binder] binds them.
record PhoneKeys(
    Value at,
    @Key(required = true) @Nullable Value carrier,
    @Key(required = true) @Nullable Value number,
    @Key(required = true) @Nullable Value publicUrl,
    @Key(required = true) @Nullable Value engine,
    @Nullable Transfer transfer,
    @Nullable CallLimits limits,
    PhoneSettings.@Nullable ConsentMode consent,
    @Nullable CallWords words,
    List<Value> systemTools,
    @Nullable Value log,
    Map<PhoneSettings.Flag, Boolean> flags,
    @Nullable Remembered remember) {

  record Carrier(
      @Key(required = true) @Nullable Value name,
      @Nullable Value accountSid,
      @Nullable Value authTokenEnv,
      @Nullable Value baseUrl) {}

  record Engine(
      @Key(required = true) @Nullable Value provider,
      @Key(required = true) @Nullable Value name,
      @Nullable Value voice,
      @Nullable Value language,
      @Nullable Value turnDetection,
      @Nullable Value baseUrl,
      @Nullable Value apiKeyEnv) {}

  record TurnDetection(
      @Key(required = true) @Nullable TurnType type,
      @Key(most = 1) @Nullable Double threshold,
      @Key(most = 5_000) @Nullable Duration prefix,
      @Key(least = 100, most = 10_000) @Nullable Duration silence,
      @Nullable Eagerness eagerness) {}

  /// How the end of a caller's speech is detected: by loudness, or by content.
  enum TurnType {
    SERVER_VAD,
    SEMANTIC_VAD
  }

  /// How soon the content of a speech counts as finished.
  enum Eagerness {
    LOW,
    MEDIUM,
    HIGH,
    AUTO
  }

  record Transfer(Value at, Map<String, Value> to, List<Value> allow, @Nullable Boolean raw) {}

  record CallLimits(
      @Nullable Duration duration,
      @Key(least = 1) @Nullable Integer calls,
      @Nullable Duration silence,
      @Key(mayBeEmpty = true) @Nullable Duration drain) {}

  /// For whom an agent remembers calls.
  enum Remembered {
    CALL,
    CALLER
  }

  record CallWords(Map<PhoneSettings.Phrase, String> said) {}
}
