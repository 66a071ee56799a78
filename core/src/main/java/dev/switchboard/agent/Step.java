package dev.switchboard.agent;

import dev.switchboard.execution.LoopState;

/// What an input has brought about.
///
/// @param state where the conversation stands from then on
/// @param turn how the turn came to rest
public record Step(LoopState state, Turn turn) {}
