package dev.switchboard.memory;

/// A block that another agent may use too.
///
/// @param owner whose block it is
/// @param agent who may use it too
/// @param permission what that agent may do with it
public record Share(String owner, String label, String agent, Permission permission) {}
