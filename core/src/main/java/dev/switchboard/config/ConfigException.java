package dev.switchboard.config;

import java.util.List;
import java.util.stream.Collectors;

/// A configuration file that cannot be used; the message has every fault, a line each.
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<ConfigFault> faults;

  /// @param faults all of them, warnings too, in the order of the file
  public ConfigException(List<ConfigFault> faults) {
    super(faults.stream().map(ConfigFault::toString).collect(Collectors.joining("\n")));
    this.faults = List.copyOf(faults);
  }

  /// All faults of the file, warnings too, in its order.
  public List<ConfigFault> faults() {
    return faults;
  }
}
