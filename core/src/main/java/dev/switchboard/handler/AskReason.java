package dev.switchboard.handler;

import dev.switchboard.json.Json;
import org.jspecify.annotations.Nullable;

/// Why a person has to agree to a call of a tool, beside the reasons that rules and the tool's mode
/// give.
@FunctionalInterface
public interface AskReason {
  /// A sentence, or null where nobody has to be asked. Whatever it throws, a person is asked: what
  /// cannot be told is not decided.
  ///
  /// @param services those of the agent that the call is made for
  @Nullable String of(Json arguments, Services services);
}
