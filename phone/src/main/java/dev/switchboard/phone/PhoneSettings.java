package dev.switchboard.phone;

import dev.switchboard.config.ConfigException;
import dev.switchboard.phone.call.CallSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the table `phone` of an agent's file states.
///
/// @param publicUrl at which the carrier reaches the server, empty for calls from the browser
/// @param calls the settings of its calls
/// @param namesSystemTools whether it names the built-in tools that the model has
/// @param log the folder with a folder for each call, null for none
/// @param faults of its environment variables; any of them prevents calls
record PhoneSettings(
    CarrierSettings carrier,
    String publicUrl,
    EngineSettings engine,
    CallSettings calls,
    boolean namesSystemTools,
    @Nullable Path log,
    List<ConfigException.Fault> faults) {
  PhoneSettings {
    faults = List.copyOf(faults);
  }
}
