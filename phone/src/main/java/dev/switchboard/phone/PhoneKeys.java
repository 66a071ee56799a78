package dev.switchboard.phone;

import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.config.FileTable.TableKey;
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
    @TableKey(required = true) @Nullable StatedValue carrier,
    @Nullable StatedValue number,
    @Nullable StatedValue publicUrl,
    @TableKey(required = true) @Nullable StatedValue engine,
    @Nullable Transfer transfer,
    @Nullable CallLimits limits,
    @Nullable ConsentMode consent,
    @Nullable CallWords words,
    List<StatedValue> systemTools,
    @Nullable StatedValue log,
    Map<Flag, Boolean> flags,
    @Nullable Remembered remember,
    @TableKey(mayBeEmpty = true) @Nullable String prompt) {

  record Carrier(
      @TableKey(required = true) @Nullable StatedValue name,
      @Nullable StatedValue accountSid,
      @Nullable StatedValue authTokenEnv,
      @Nullable StatedValue baseUrl) {}

  record Engine(
      @TableKey(required = true) @Nullable StatedValue provider,
      @TableKey(required = true) @Nullable StatedValue name,
      @Nullable StatedValue voice,
      @Nullable StatedValue reasoning,
      @Nullable StatedValue transcriber,
      @Nullable StatedValue turnDetection,
      @Nullable StatedValue baseUrl,
      @Nullable StatedValue apiKeyEnv) {}

  record Relay(
      @TableKey(required = true) @Nullable StatedValue provider,
      @Nullable StatedValue voice,
      @Nullable StatedValue language,
      Map<String, StatedValue> options) {}

  record Transcriber(
      @Nullable StatedValue name, List<StatedValue> languages, List<StatedValue> keywords) {}

  record TurnDetection(
      @TableKey(required = true) @Nullable TurnType type,
      @TableKey(most = 1) @Nullable Double threshold,
      @TableKey(most = 5_000) @Nullable Duration prefix,
      @TableKey(least = 100, most = 10_000) @Nullable Duration silence,
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
      @TableKey(least = 1) @Nullable Integer calls,
      @Nullable Duration silence,
      @TableKey(mayBeEmpty = true) @Nullable Duration drain) {}

  /// For whom an agent remembers calls.
  enum Remembered {
    CALL,
    CALLER
  }

  record CallWords(Map<Phrase, String> said) {}
}
