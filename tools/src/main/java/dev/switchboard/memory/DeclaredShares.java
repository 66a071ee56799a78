package dev.switchboard.memory;

import java.util.List;
import java.util.stream.Stream;

/// A store with shares that an agent's file declares beside the stored ones: they end with their
/// lines in the file, and do not need the block to exist yet.
final class DeclaredShares extends ForwardingMemory {
  private final List<MemoryStore.Share> declared;

  DeclaredShares(MemoryStore store, List<MemoryStore.Share> declared) {
    super(store);
    this.declared = List.copyOf(declared);
  }

  /// The declared ones first: of two of one label the first counts.
  @Override
  public List<Share> shares(String agent) {
    Stream<Share> own = declared.stream().filter(share -> share.with().equals(agent));
    return Stream.concat(own, super.shares(agent).stream()).toList();
  }
}
