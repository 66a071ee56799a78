package dev.switchboard.memory;

import dev.switchboard.memory.MemoryException.Kind;

/// Moves blocks into and out of the prompt; their values do not change.
final class BlockMoves {
  private BlockMoves() {}

  static MemoryStore.Change pinned(Block block, boolean pinned) {
    Block next = block.withPinned(pinned);
    if (next.inPrompt() != pinned) {
      throw new MemoryException(Kind.INVALID, "Block '" + block.label() + "'" + unmoved(block));
    }
    return change(block, next);
  }

  /// Why a pin does not decide whether the block is in the prompt.
  private static String unmoved(Block block) {
    return switch (block.kind()) {
      case CORE -> ": core blocks are always in the prompt and cannot be unpinned.";
      case LOG -> ": log blocks cannot be unpinned; archive it instead.";
      case ARCHIVAL -> " is archived and cannot be pinned: load it instead.";
      case WORKING -> throw new IllegalArgumentException("a pin moves a working block");
    };
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
