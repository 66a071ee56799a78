package dev.switchboard.execution;

import org.jspecify.annotations.Nullable;

/// The place of a call that may run, under its tool's breaker and its rules.
///
/// @param start as its rules counted it, null if nothing is counted or stored of it
record Reservation(
    CircuitBreaker breaker, CircuitBreaker.Permit permit, CommonStart.@Nullable Start start) {}
