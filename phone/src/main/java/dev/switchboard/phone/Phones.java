package dev.switchboard.phone;

import dev.switchboard.config.AgentFile;
import dev.switchboard.config.ConfigException;
import dev.switchboard.phone.call.CallSettings;
import dev.switchboard.phone.carrier.Carrier;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Creates the phones of agent files. Files that name the same carrier account share it.
///
/// For one thread at a time.
public final class Phones {
  private final Map<CarrierSettings.Account, Carrier> carriers = new HashMap<>();

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
    CarrierSettings.Account account = settings.carrier().account(file.environment());
    PhoneBuilder phone =
        Phone.builder()
            .carrier(carriers.computeIfAbsent(account, CarrierSettings.Account::carrier))
            .publicUrl(settings.publicUrl().isEmpty() ? null : settings.publicUrl())
            .engine(settings.engine().engine(file.environment()))
            .calls(settings.calls(), settings.namesSystemTools());
    return settings.log() == null ? phone.build() : phone.log(settings.log()).build();
  }

  /// The settings of calls to the phone of a file, null if it has none. What environment variables
  /// are to hold may be missing in them, such as the number.
  public static @Nullable CallSettings callSettings(AgentFile file) {
    PhoneSettings settings = file.table(PhoneSettings.class);
    return settings == null ? null : settings.calls();
  }

  /// The folder in which the phone of a file has the records of its calls, null if it has none.
  public static @Nullable Path callRecords(AgentFile file) {
    PhoneSettings settings = file.table(PhoneSettings.class);
    return settings == null ? null : settings.log();
  }
}
