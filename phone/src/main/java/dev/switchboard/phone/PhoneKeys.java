package dev.switchboard.phone;

import dev.switchboard.config.FileTable.Key;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.engine.realtime.TurnDetection.Eagerness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys of the table `phone` and of the tables in it: a component is a key.
record PhoneKeys(
    StatedValue at,
    @Key(required = true) @Nullable StatedValue carrier,
    @Key(required = true) @Nullable StatedValue number,
    @Key(required = true) @Nullable StatedValue publicUrl,
    @Key(required = true) @Nullable StatedValue engine,
    @Nullable Transfer transfer,
    @Nullable CallLimits limits,
    @Nullable ConsentMode consent,
    @Nullable CallWords words,
    List<StatedValue> systemTools,
    @Nullable StatedValue log,
    Map<Flag, Boolean> flags,
    @Nullable Remembered remember) {

  record Carrier(
      @Key(required = true) @Nullable StatedValue name,
      @Nullable StatedValue accountSid,
      @Nullable StatedValue authTokenEnv,
      @Nullable StatedValue baseUrl) {}

  record Engine(
      @Key(required = true) @Nullable StatedValue provider,
      @Key(required = true) @Nullable StatedValue name,
      @Nullable StatedValue voice,
      @Nullable StatedValue language,
      @Nullable StatedValue turnDetection,
      @Nullable StatedValue baseUrl,
      @Nullable StatedValue apiKeyEnv) {}

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

  record Transfer(
      StatedValue at,
      Map<String, StatedValue> to,
      List<StatedValue> allow,
      @Nullable Boolean raw) {}

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

  record CallWords(Map<Phrase, String> said) {}
}
