package dev.switchboard.phone;

import dev.switchboard.phone.carrier.Carrier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a file states of its carrier.
interface CarrierSettings {
  /// The account at the carrier.
  ///
  /// @param environment the values of variables by their names, null for one that is not set
  /// @throws IllegalArgumentException when the environment lacks it, or holds something else
  Account account(Function<String, @Nullable String> environment);

  /// An account at a carrier, equal to that of another file that shares it.
  interface Account {
    /// A new connection to the carrier.
    ///
    /// @throws IllegalArgumentException when the carrier rejects the settings
    Carrier carrier();
  }
}
