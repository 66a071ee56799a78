package dev.switchboard.phone;

import dev.switchboard.config.ConfigException;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.call.CallSettings.Flag;
import dev.switchboard.phone.call.CallSettings.Limits;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.CallSettings.Transfer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the table `phone` of an agent's file states.
///
/// @param number that is called (E.164)
/// @param publicUrl at which the carrier reaches the server
/// @param consent who decides about tool calls that need consent, null for the default
/// @param words that the runtime says
/// @param systemTools the host's tools that the model has, null for all
/// @param log the folder with a folder for each call, null for none
/// @param flags what is so
/// @param remembersCallers whether calls from one number share their memory
/// @param faults of its environment variables; any of them prevents calls
record PhoneSettings(
    CarrierSettings carrier,
    String number,
    String publicUrl,
    EngineSettings engine,
    Transfer transfer,
    Limits limits,
    @Nullable ConsentMode consent,
    Map<Phrase, String> words,
    @Nullable List<String> systemTools,
    @Nullable Path log,
    Set<Flag> flags,
    boolean remembersCallers,
    List<ConfigException.Fault> faults) {
  PhoneSettings {
    words = Map.copyOf(words);
    flags = Set.copyOf(flags);
    systemTools = systemTools == null ? null : List.copyOf(systemTools);
    faults = List.copyOf(faults);
  }
}
