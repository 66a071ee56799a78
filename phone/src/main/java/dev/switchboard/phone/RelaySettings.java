package dev.switchboard.phone;

import dev.switchboard.phone.engine.Engine;
import dev.switchboard.phone.engine.relay.Relay;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a file states of an engine that leaves hearing and speaking to the carrier.
record RelaySettings(Relay relay) implements EngineSettings {
  @Override
  public @Nullable String keyVariable() {
    return null;
  }

  @Override
  public Engine engine(Function<String, @Nullable String> environment) {
    return relay;
  }
}
