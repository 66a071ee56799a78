package dev.switchboard.memory;

/// What of an agent's memory has moved.
///
/// @param blocks the blocks
/// @param entries the entries
/// @param known blocks and entries that were there already, and stayed as they were
public record Moved(int blocks, long entries, long known) {}
