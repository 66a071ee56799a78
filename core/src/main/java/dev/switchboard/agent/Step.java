package dev.switchboard.agent;

/// What an input has brought about.
///
/// @param state where the conversation stands from then on
/// @param turn how the turn came to rest
public record Step(ConversationState state, Turn turn) {}
