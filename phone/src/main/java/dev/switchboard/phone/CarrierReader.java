package dev.switchboard.phone;

import dev.switchboard.config.FileTable.StatedValue;
import org.jspecify.annotations.Nullable;

/// Reads the key `phone.carrier` of a file for one carrier.
interface CarrierReader {
  /// The carrier's name in files.
  String name();

  /// Whether its phones need a number and a public URL, as [dev.switchboard.phone.carrier.Carrier]
  /// has it.
  default boolean isTelephone() {
    return true;
  }

  /// What the file states of the carrier.
  ///
  /// @param value of the key
  /// @param table the value, null if it is only the name
  CarrierSettings read(
      StatedValue value, PhoneKeys.@Nullable Carrier table, PhoneEnvironment environment);
}
