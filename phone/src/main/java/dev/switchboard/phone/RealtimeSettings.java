package dev.switchboard.phone;

import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.model.ApiKey;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime.Effort;
import dev.switchboard.phone.engine.realtime.Transcriber;
import dev.switchboard.phone.engine.realtime.TurnDetection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a file states of an engine behind OpenAI's Realtime API.
///
/// @param model its provider, name, address and key variable
/// @param voice null for the default
/// @param reasoning how much its model thinks before it speaks, null for the default
/// @param transcriber of callers' words, null for none
/// @param turns how it detects that a caller has finished, null for the default
record RealtimeSettings(
    ModelSettings model,
    @Nullable String voice,
    @Nullable Effort reasoning,
    @Nullable Transcriber transcriber,
    @Nullable TurnDetection turns)
    implements EngineSettings {
  private static final String KEY_UNNEEDED = "none";

  /// The user's own service gets a key only if its variable is named.
  @Override
  public @Nullable String keyVariable() {
    return model.baseUrl() == null && model.apiKeyEnv() == null
        ? OpenAiRealtime.KEY_VARIABLE
        : null;
  }

  @Override
  public Engine engine(Function<String, @Nullable String> environment) {
    OpenAiRealtime engine = OpenAiRealtime.of(key(environment));
    // The base URL first: at OpenAI, the model's name determines whether it can speak.
    if (model.baseUrl() != null) {
      engine = engine.withBaseUrl(model.baseUrl());
    }
    engine = engine.withModel(model.name());
    if (voice != null) {
      engine = engine.withVoice(voice);
    }
    if (reasoning != null) {
      engine = engine.withReasoning(reasoning);
    }
    engine =
        transcriber == null ? engine.withoutTranscriber() : engine.withTranscriber(transcriber);
    return turns == null ? engine : engine.withTurnDetection(turns);
  }

  private ApiKey key(Function<String, @Nullable String> environment) {
    if (model.baseUrl() != null && model.apiKeyEnv() == null) {
      return ApiKey.of(KEY_UNNEEDED);
    }
    String variable = Objects.requireNonNullElse(model.apiKeyEnv(), OpenAiRealtime.KEY_VARIABLE);
    return ApiKey.of(Objects.requireNonNullElse(environment.apply(variable), ""), variable);
  }
}
