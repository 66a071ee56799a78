package dev.switchboard.phone.call;

import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.Event;

/// An event in the mailbox of a call's actor.
sealed interface CallEvent {
  /// An event of the carrier.
  record FromCarrier(CarrierEvent event) implements CallEvent {}

  /// An event of an engine's session.
  ///
  /// @param session its number in the call; events of an earlier one are ignored
  /// @param at the time of arrival, in nanoseconds
  record FromEngine(int session, EngineEvent event, long at) implements CallEvent {}

  /// An event of tools, rules and consent.
  record FromTools(Event event) implements CallEvent {}

  /// A step after asynchronous work, or of a timer.
  record Then(Runnable step) implements CallEvent {}
}
