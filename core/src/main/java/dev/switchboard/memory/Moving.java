package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;

/// Blocks on their way into the prompt and out of it; their values stay.
final class Moving {
  private Moving() {}

  static Change pinned(Block block, boolean pinned) {
    return change(block, block.withPinned(pinned));
  }

  static Change archived(Block block) {
    if (block.kind() == BlockKind.CORE) {
      throw new MemoryException(
          Kind.INVALID, "Block '" + block.label() + "': core blocks cannot be archived.");
    }
    return change(block, block.withKind(BlockKind.ARCHIVAL).withPinned(false));
  }

  static Change loaded(Block block) {
    Block next =
        block.kind() == BlockKind.ARCHIVAL
            ? block.withKind(BlockKind.WORKING).withPinned(true)
            : block.withPinned(block.kind() == BlockKind.WORKING);
    return change(block, next);
  }

  private static Change change(Block block, Block next) {
    return new Change(block, next.next(block.edits()), null);
  }
}
