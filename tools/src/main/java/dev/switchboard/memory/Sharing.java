package dev.switchboard.memory;

import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Memory.View;
import dev.switchboard.memory.MemoryException.Kind;
import java.util.List;

/// Checks shares of blocks: they need a known agent and at most the owner's permission.
final class Sharing {
  private Sharing() {}

  /// The share of one of the agent's own blocks.
  ///
  /// @param known the known agents
  static MemoryStore.Share of(View own, String other, Permission permission, List<String> known) {
    Block block = own.block();
    if (!known.contains(other)) {
      throw new MemoryException(Kind.NOT_FOUND, "Agent '" + other + "' was not found.");
    }
    if (other.equals(block.agent())) {
      throw new MemoryException(
          Kind.INVALID, "Block '" + block.label() + "' is shared with other agents alone.");
    }
    if (!own.permission().covers(permission)) {
      throw new MemoryException(
          Kind.PERMISSION_DENIED,
          "Permission denied: block '%s' is %s and cannot be shared as %s."
              .formatted(block.label(), own.permission().word(), permission.word()));
    }
    return new MemoryStore.Share(block.agent(), block.label(), other, permission);
  }
}
