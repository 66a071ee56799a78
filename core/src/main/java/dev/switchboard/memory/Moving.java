package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;

/// Moves blocks into and out of the prompt; their values do not change.
final class Moving {
  private Moving() {}

  static MemoryStore.Change pinned(Block block, boolean pinned) {
    return change(block, block.withPinned(pinned));
  }

  static MemoryStore.Change archived(Block block) {
    if (block.kind() == Block.Kind.CORE) {
      throw new MemoryException(
          Kind.INVALID, "Block '" + block.label() + "': core blocks cannot be archived.");
    }
    return change(block, block.withKind(Block.Kind.ARCHIVAL).withPinned(false));
  }

  static MemoryStore.Change loaded(Block block) {
    Block next =
        block.kind() == Block.Kind.ARCHIVAL
            ? block.withKind(Block.Kind.WORKING).withPinned(true)
            : block.withPinned(block.kind() == Block.Kind.WORKING);
    return change(block, next);
  }

  private static MemoryStore.Change change(Block block, Block next) {
    return new MemoryStore.Change(block, next.next(block.edits()), null);
  }
}
