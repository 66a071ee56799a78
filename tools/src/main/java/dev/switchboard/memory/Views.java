package dev.switchboard.memory;

import dev.switchboard.check.Closest;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Memory.View;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.text.PrincipalName;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The blocks that a principal's conversations may read: those of the principal, then those that
/// all share, then those that other agents share. If two have one label, the first of these.
///
/// The agent's blocks begin with the file's text for each principal, and are the principal's own
/// from the first change on. Until then they are not stored: their version is 0.
///
/// @param agent its name
/// @param owner of what the principal changes, see [MemoryOwner]; the agent's name for `local`
/// @param principal whose conversations use them
/// @param person whether a person uses them, who may do everything with the agent's own blocks
record Views(MemoryStore store, String agent, String owner, String principal, boolean person) {
  /// The blocks of an agent for the local user.
  static Views ofLocal(MemoryStore store, String agent, boolean person) {
    return new Views(store, agent, agent, PrincipalName.LOCAL, person);
  }

  /// The domain of the labels of blocks that a principal has deleted.
  static final String DELETED = "deleted_blocks";

  private static final int MOST_NAMED = 20;
  private static final int FOR_ALL = 1; // edits in force of a template; others have none

  List<View> all() {
    Map<String, View> views = new LinkedHashMap<>();
    if (!isCommon()) {
      for (Block template : store.blocks(MemoryOwner.templates(agent))) {
        View view = find(template.label());
        if (view != null) {
          views.put(template.label(), view);
        }
      }
    }
    store.blocks(owner).forEach(block -> views.putIfAbsent(block.label(), own(block)));
    if (!isCommon()) {
      store.blocks(agent).stream()
          .filter(block -> block.permission() == Permission.READ_ONLY)
          .forEach(block -> views.putIfAbsent(block.label(), own(block)));
    }
    for (MemoryStore.Share share : store.shares(agent)) {
      View view = shared(share);
      if (view != null) {
        views.putIfAbsent(share.label(), view);
      }
    }
    return List.copyOf(views.values());
  }

  /// Whether what is changed belongs to the agent by itself.
  private boolean isCommon() {
    return owner.equals(agent);
  }

  private View own(Block block) {
    return new View(block, person ? Permission.ADMIN : block.permission());
  }

  /// The principal's copy of another agent's block, with no more access than that agent has; null
  /// if there is none.
  private @Nullable View shared(MemoryStore.Share share) {
    String other = share.owner();
    String copy = MemoryOwner.of(other, principal);
    View view = new Views(store, other, copy, principal, false).find(share.label());
    if (view == null) {
      return null;
    }
    boolean covered = view.permission().covers(share.permission());
    return new View(view.block(), covered ? share.permission() : view.permission());
  }

  /// The agent's block of that label as this principal sees it; null if there is none.
  private @Nullable View find(String label) {
    Block own = store.block(owner, label);
    if (own != null || isCommon()) {
      return own == null ? null : own(own);
    }
    Block template = store.block(MemoryOwner.templates(agent), label);
    Block common = store.block(agent, label);
    if (common != null && isForAll(template, common)) {
      return own(common);
    }
    return template == null || store.entry(owner, DELETED, label) != null
        ? null
        : own(template.copyFor(owner));
  }

  /// Whether all principals share a block that is stored under the agent's name.
  ///
  /// @param template what it begins with, null if it is not one of the agent's file
  private static boolean isForAll(@Nullable Block template, Block common) {
    return common.permission() == Permission.READ_ONLY
        ? template == null || template.permission() == Permission.READ_ONLY
        : template != null && template.edits() == FOR_ALL;
  }

  /// Whether all principals share a stored block of this owner.
  boolean isForAll(Block block) {
    return isCommon() && isForAll(store.block(MemoryOwner.templates(agent), block.label()), block);
  }

  /// Stores what the agent's blocks begin with, so that each principal's begin with it.
  ///
  /// @param forAll the labels of those that all principals share
  void begin(List<Block> blocks, Set<String> forAll) {
    String templates = MemoryOwner.templates(agent);
    Set<String> labels = new HashSet<>();
    for (Block block : blocks) {
      labels.add(block.label());
      Block known = store.block(templates, block.label());
      Block next = block.copyFor(templates).next(forAll.contains(block.label()) ? FOR_ALL : 0);
      if (known == null || !known.withoutVersion().equals(next.withoutVersion())) {
        boolean unused = store.apply(List.of(new MemoryStore.Change(known, next, null)));
      }
    }
    for (Block left : store.blocks(templates)) {
      if (!labels.contains(left.label())) {
        boolean unused = store.apply(List.of(new MemoryStore.Change(left, null, null)));
      }
    }
  }

  /// The change, of a block that a principal may not have changed so far.
  static MemoryStore.Change begun(MemoryStore.Change change) {
    Block expected = change.expected();
    return expected != null && isUnchanged(expected)
        ? new MemoryStore.Change(null, change.next(), change.edit())
        : change;
  }

  /// Whether the block is one that a principal has not changed so far, which is not stored.
  static boolean isUnchanged(Block block) {
    return block.version() == 0 && !MemoryOwner.agent(block.agent()).equals(block.agent());
  }

  /// Remembers that a principal has deleted the block, if it would begin again otherwise.
  void delete(Block block, Instant at) {
    String of = MemoryOwner.agent(block.agent());
    boolean begins =
        !of.equals(block.agent()) && store.block(MemoryOwner.templates(of), block.label()) != null;
    if (begins) {
      boolean unused =
          store.insert(
              new Entry(
                  block.agent(),
                  DELETED,
                  block.label(),
                  block.label(),
                  null,
                  block.label(),
                  List.of(),
                  at));
    }
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
        owner,
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
    View own = find(label);
    return own != null
        ? own
        : all().stream()
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
    String other = view.block().agent();
    if (!other.equals(owner)) {
      throw new MemoryException(
          Kind.PERMISSION_DENIED,
          "Permission denied: block '%s' belongs to agent '%s', and only that agent can share it."
              .formatted(label, MemoryOwner.agent(other)));
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
