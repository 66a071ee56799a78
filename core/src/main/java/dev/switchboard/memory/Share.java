package dev.switchboard.memory;

/// A block that another agent may use too.
///
/// @param owner whose block it is
/// @param with the agent who may use it too
/// @param permission what that agent may do with it
public record Share(String owner, String label, String with, Permission permission) {}
