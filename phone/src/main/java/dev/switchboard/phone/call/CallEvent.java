package dev.switchboard.phone.call;

import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.Event;

/// What a call's actor takes from its mailbox.
sealed interface CallEvent {
  /// What the carrier tells.
  record OfCarrier(CarrierEvent event) implements CallEvent {}

  /// What an engine's session tells.
  ///
  /// @param session its number in the call; what an earlier one still tells counts for nothing
  /// @param at nanos when it came
  record OfEngine(int session, EngineEvent event, long at) implements CallEvent {}

  /// What tools, rules and consent show of themselves.
  record OfTools(Event event) implements CallEvent {}

  /// How the call goes on after work elsewhere, or when a timer goes off.
  record Then(Runnable step) implements CallEvent {}
}
