package dev.switchboard.memory;

import dev.switchboard.check.Closest;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Memory.View;
import dev.switchboard.memory.MemoryException.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The blocks that an agent may read: its own, then those shared with it. If two have one label,
/// its own.
///
/// @param person whether a person uses them, who may do everything with the agent's own blocks
record Views(MemoryStore store, String agent, boolean person) {
  private static final int MOST_NAMED = 20;

  List<View> all() {
    List<View> views = new ArrayList<>();
    for (Block block : store.blocks(agent)) {
      views.add(own(block));
    }
    for (MemoryStore.Share share : store.shares(agent)) {
      Block block = store.block(share.owner(), share.label());
      if (block != null && views.stream().noneMatch(v -> v.block().label().equals(block.label()))) {
        views.add(new View(block, share.permission()));
      }
    }
    return views;
  }

  private View own(Block block) {
    return new View(block, person ? Permission.ADMIN : block.permission());
  }

  /// The archived blocks that pass the query's filters, as entries of archival memory, with the
  /// time of their latest edit. A block that was never edited has the time [Instant#EPOCH], and
  /// passes no filter by time.
  List<Entry> archived(MemoryQuery query) {
    if (!query.domains().contains(Entry.ARCHIVAL)) {
      return List.of();
    }
    boolean timed = query.from() != null || query.to() != null;
    return all().stream()
        .filter(view -> view.block().kind() == Block.Kind.ARCHIVAL)
        .map(view -> entry(view.block()))
        .filter(entry -> query.allows(entry) && !(timed && entry.at().equals(Instant.EPOCH)))
        .toList();
  }

  private Entry entry(Block block) {
    Instant at =
        store.edits(block.agent(), block.label(), 1).stream()
            .findFirst()
            .map(Block.Edit::at)
            .orElse(Instant.EPOCH);
    return new Entry(
        agent,
        Entry.ARCHIVAL,
        "block/" + block.label(),
        block.label(),
        null,
        block.value(),
        List.of(),
        at);
  }

  /// @throws MemoryException when there is none of that label; the message names the closest
  View of(String label) {
    Block own = store.block(agent, label);
    if (own != null) {
      return own(own);
    }
    return all().stream()
        .filter(view -> view.block().label().equals(label))
        .findFirst()
        .orElseThrow(() -> notFound(label));
  }

  /// The agent's own block of that label.
  ///
  /// @throws MemoryException when there is none, and the message names the closest; or when it is
  ///   another agent's
  View ownOf(String label) {
    View view = of(label);
    String owner = view.block().agent();
    if (!owner.equals(agent)) {
      throw new MemoryException(
          Kind.PERMISSION_DENIED,
          "Permission denied: block '%s' belongs to agent '%s', and only that agent can share it."
              .formatted(label, owner));
    }
    return view;
  }

  private MemoryException notFound(String label) {
    List<String> labels = all().stream().map(view -> view.block().label()).toList();
    return new MemoryException(
        Kind.NOT_FOUND, "Block '" + label + "' was not found." + closest(label, labels));
  }

  /// The rest of a message about an unknown label: the closest one, or else all.
  private static String closest(String label, List<String> labels) {
    List<String> closest = Closest.to(label, labels);
    if (!closest.isEmpty()) {
      return " Did you mean '" + String.join("' or '", closest) + "'?";
    }
    return labels.isEmpty()
        ? " There are no blocks."
        : " There are: '" + String.join("', '", labels.stream().limit(MOST_NAMED).toList()) + "'.";
  }
}
