package dev.switchboard.phone;

import dev.switchboard.phone.engine.Engine;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a file states of its speech engine.
interface EngineSettings {
  /// The environment variable with the provider's usual key; null if the file names another, or the
  /// engine needs none.
  @Nullable String keyVariable();

  /// Whether words instead of audio travel between it and the carrier.
  default boolean isOfText() {
    return false;
  }

  /// The engine.
  ///
  /// @param environment the values of variables by their names, null for one that is not set
  /// @throws IllegalArgumentException when the engine rejects its settings
  Engine engine(Function<String, @Nullable String> environment);
}
