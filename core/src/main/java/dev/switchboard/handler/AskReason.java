package dev.switchboard.handler;

import dev.switchboard.json.Json;
import org.jspecify.annotations.Nullable;

/// Decides whether a person has to agree to a call of a tool, in addition to its mode and the
/// rules.
@FunctionalInterface
public interface AskReason {
  /// The reason, a sentence; null where no one has to be asked. If it throws, a person is asked.
  ///
  /// @param services those of the agent that the call is made for
  @Nullable String of(Json arguments, Services services);
}
