package dev.switchboard.phone;

import dev.switchboard.config.FileTable.StatedValue;
import org.jspecify.annotations.Nullable;

/// Reads the key `phone.engine` of a file for the engines of one provider.
interface EngineReader {
  /// The provider's name in files.
  String provider();

  /// The engine that only that word names; null if there is none, which is reported.
  ///
  /// @param model its name, null for the default
  @Nullable EngineSettings word(StatedValue value, @Nullable String model);

  /// The engine of that table; null if the table has an error, which is reported.
  @Nullable EngineSettings table(StatedValue value, PhoneEnvironment environment);
}
