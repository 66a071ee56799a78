package dev.switchboard.phone;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.AgentFile.ModelSettings;
import dev.switchboard.config.ConfigException;
import dev.switchboard.model.ApiKey;
import dev.switchboard.phone.PhoneSettings.CarrierSettings;
import dev.switchboard.phone.PhoneSettings.EngineSettings;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.phone.carrier.twilio.Twilio;
import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Creates the phones of agent files. Files that name the same carrier account share it.
///
/// For one thread at a time.
public final class Phones {
  private static final String TOKEN_UNNEEDED = "none";

  private final Map<Account, Carrier> carriers = new HashMap<>();

  /// An account at a carrier.
  private record Account(String id, String token, @Nullable String baseUrl) {}

  /// No phones yet.
  public Phones() {}

  /// The phone of a file, null if it has none.
  ///
  /// @throws ConfigException that names what is missing in the environment
  /// @throws IllegalArgumentException when the carrier or the engine rejects its settings
  public @Nullable Phone of(AgentFile file) {
    PhoneSettings settings = file.table(PhoneSettings.class);
    if (settings == null) {
      return null;
    }
    if (!settings.faults().isEmpty()) {
      throw new ConfigException(settings.faults());
    }
    PhoneBuilder phone =
        Phone.builder()
            .carrier(carrier(settings.carrier(), file.environment()))
            .number(settings.number())
            .publicUrl(settings.publicUrl())
            .engine(engine(settings.engine(), file.environment()))
            .transfer(settings.transfer())
            .limits(settings.limits());
    settings.words().forEach(phone::words);
    phone.flags = settings.flags();
    if (settings.remembersCallers()) {
      phone.remembersCallers();
    }
    if (settings.consent() != null) {
      phone.consent(settings.consent());
    }
    if (settings.systemTools() != null) {
      phone.systemTools(settings.systemTools().toArray(String[]::new));
    }
    return settings.log() == null ? phone.build() : phone.log(settings.log()).build();
  }

  /// The folder in which the phone of a file has the records of its calls, null if it has none.
  public static @Nullable Path callRecords(AgentFile file) {
    PhoneSettings settings = file.table(PhoneSettings.class);
    return settings == null ? null : settings.log();
  }

  private Carrier carrier(
      CarrierSettings settings, Function<String, @Nullable String> environment) {
    String id =
        settings.account() == null
            ? environment.apply(Twilio.ACCOUNT_VARIABLE)
            : settings.account();
    String variable = Objects.requireNonNullElse(settings.tokenEnv(), Twilio.TOKEN_VARIABLE);
    String token = environment.apply(variable);
    if (id == null || token == null) {
      throw new IllegalArgumentException("the phone needs an account of Twilio and its token");
    }
    return carriers.computeIfAbsent(
        new Account(id, token, settings.baseUrl()),
        account -> {
          Twilio twilio = Twilio.of(account.id, ApiKey.of(account.token, variable).text());
          return account.baseUrl == null ? twilio : twilio.withBaseUrl(account.baseUrl);
        });
  }

  private static Engine engine(
      EngineSettings settings, Function<String, @Nullable String> environment) {
    ModelSettings model = settings.model();
    OpenAiRealtime engine = OpenAiRealtime.of(key(model, environment));
    // The base URL first: at OpenAI, the model's name determines whether it can speak.
    if (model.baseUrl() != null) {
      engine = engine.withBaseUrl(model.baseUrl());
    }
    engine = engine.withModel(model.name());
    if (settings.voice() != null) {
      engine = engine.withVoice(settings.voice());
    }
    if (settings.language() != null) {
      engine = engine.withLanguage(settings.language());
    }
    return settings.turns() == null ? engine : engine.withTurnDetection(settings.turns());
  }

  /// The user's own service gets a key only if its variable is named.
  private static ApiKey key(ModelSettings model, Function<String, @Nullable String> environment) {
    if (model.baseUrl() != null && model.apiKeyEnv() == null) {
      return ApiKey.of(TOKEN_UNNEEDED);
    }
    String variable = Objects.requireNonNullElse(model.apiKeyEnv(), OpenAiRealtime.KEY_VARIABLE);
    return ApiKey.of(Objects.requireNonNullElse(environment.apply(variable), ""), variable);
  }
}
