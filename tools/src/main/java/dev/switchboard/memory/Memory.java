package dev.switchboard.memory;

import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Block.Permission.Access;
import dev.switchboard.memory.Block.Permission.Verdict;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.memory.MemoryQuery.Hits;
import dev.switchboard.text.MemoryOwner;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An agent's memory of a principal, used by the agent or by a person. Limits and permissions apply
/// on every path, every edit is logged and can be undone, and no concurrent edit is lost.
///
/// What a principal's conversations write belongs to the principal; see [#forPrincipal].
///
/// Thread-safe; safe for several processes if the store is.
public final class Memory {
  private final MemoryStore store;
  private final Views views;
  private final String said; // the owner of what was said
  private final Scope scope;
  private final BlockEdits edits;

  private Memory(Views views, String said, Scope scope, BlockEdits edits) {
    this.store = views.store();
    this.views = views;
    this.said = said;
    this.scope = scope;
    this.edits = edits;
  }

  /// Who shares an agent's memory.
  public enum Scope {
    /// Each principal has its own.
    PRINCIPAL,
    /// All principals share blocks and entries; what was said stays each principal's own.
    AGENT
  }

  /// Who shares what of an agent's memory.
  ///
  /// @param scope of all blocks and entries
  /// @param blocksForAll the labels of blocks that all principals share, beside those that they may
  ///   only read
  /// @param shares the blocks of other agents that it shares
  public record Ownership(Scope scope, Set<String> blocksForAll, List<MemoryStore.Share> shares) {
    public Ownership {
      blocksForAll = Set.copyOf(blocksForAll);
      shares = List.copyOf(shares);
    }
  }

  /// The memory of that agent for the local user, used by the agent itself.
  public static Memory of(MemoryStore store, String agent, Time time) {
    return local(Views.ofLocal(store, agent, false), agent, time);
  }

  /// The memory of that agent, used by a person, who may do everything.
  ///
  /// @param name the person's name in the log
  public static Memory inHandsOf(String name, MemoryStore store, String agent, Time time) {
    return local(Views.ofLocal(store, agent, true), name, time);
  }

  private static Memory local(Views views, String writer, Time time) {
    BlockEdits edits = new BlockEdits(views, writer, null, null, time);
    return new Memory(views, views.agent(), Scope.PRINCIPAL, edits);
  }

  /// Who shares it.
  public Scope scope() {
    return scope;
  }

  /// This memory, of which all principals share blocks and entries, or nothing.
  public Memory withScope(Scope who) {
    return new Memory(views, said, who, edits);
  }

  /// This memory as a principal's conversations use it. Blocks of the agent's file begin with the
  /// file's text and are the principal's own from the first change on; all share its blocks that
  /// are read_only.
  public Memory forPrincipal(String principal) {
    String own = MemoryOwner.of(agent(), PrincipalName.checked(principal));
    String owner = scope == Scope.AGENT ? agent() : own;
    Views theirs = new Views(store, agent(), owner, principal, views.person());
    return new Memory(theirs, own, scope, edits.of(theirs));
  }

  /// This memory, where an edit succeeds only if its block still has that version.
  public Memory expecting(long version) {
    return new Memory(views, said, scope, edits.expecting(version));
  }

  /// This memory for one call: a change that the call has made before, in a process that died, is
  /// not repeated.
  ///
  /// @param call its idempotency key
  public Memory ofCall(String call) {
    return new Memory(views, said, scope, edits.ofCall(call));
  }

  /// Creates the blocks that an agent begins with; existing ones are not changed.
  public static void begin(MemoryStore store, List<Block> blocks) {
    for (Block block : blocks) {
      if (store.block(block.agent(), block.label()) == null) {
        boolean unused = store.apply(List.of(new MemoryStore.Change(null, block.next(0), null)));
      }
    }
  }

  /// Whether it is that of the principal.
  public boolean isOf(String principal) {
    return MemoryOwner.principal(said).equals(principal);
  }

  /// Stores what the agent's blocks begin with for principals other than the local user.
  ///
  /// @param forAll the labels of those that all principals share
  public static void beginForPrincipals(
      MemoryStore store, String agent, List<Block> blocks, Set<String> forAll) {
    Views.ofLocal(store, agent, false).begin(blocks, forAll);
  }

  /// Deletes all that belongs to this memory's principal: what was said, and, unless all share
  /// them, blocks and entries. Blocks that all share stay.
  public void forget() {
    forgetEntries(said, entry -> entry.domain().equals(Entry.CONVERSATIONS));
    if (scope == Scope.PRINCIPAL) {
      forgetEntries(owner(), entry -> true);
      for (Block block : store.blocks(owner())) {
        if (!views.isForAll(block)) {
          boolean unused = store.apply(List.of(new MemoryStore.Change(block, null, null)));
        }
      }
    }
  }

  private void forgetEntries(String owner, Predicate<Entry> which) {
    List<Entry> all = new ArrayList<>();
    store.forEachEntry(
        owner,
        entry -> {
          if (which.test(entry)) {
            all.add(entry);
          }
        });
    all.forEach(entry -> {
      boolean unused = store.delete(owner, entry.domain(), entry.id());
    });
  }

  /// A block, and the permission that applies here.
  public record View(Block block, Permission permission) {}

  /// The agent's name.
  public String agent() {
    return views.agent();
  }

  /// The owner of blocks and entries in the store: the parameter `agent` of its methods.
  public String owner() {
    return views.owner();
  }

  /// The owner of what was said, in the store.
  public String ownerOfWords() {
    return said;
  }

  /// The blocks that the agent may read: its own, then those shared with it. If two have one label,
  /// its own.
  public List<View> blocks() {
    return views.all();
  }

  /// The block of that label.
  ///
  /// @throws MemoryException when there is none; the message names the closest
  public View block(String label) {
    return views.of(label);
  }

  /// The hits among the entries of the agent's store and the archived blocks that it may read.
  ///
  /// @param query of the agent, whose principal's memory is searched
  /// @throws IllegalArgumentException when the query is about another agent's memory
  public Hits search(MemoryQuery query) {
    if (!query.agent().equals(agent()) && !query.agent().equals(owner())) {
      throw new IllegalArgumentException("an agent searches its own memory alone");
    }
    MemoryQuery own = query.of(owner());
    if (said.equals(owner()) || !query.domains().contains(Entry.CONVERSATIONS)) {
      return store.search(own, views.archived(own));
    }
    Hits words = store.search(query.of(said).in(List.of(Entry.CONVERSATIONS)));
    List<String> others =
        query.domains().stream().filter(one -> !one.equals(Entry.CONVERSATIONS)).toList();
    if (others.isEmpty()) {
      return words;
    }
    MemoryQuery rest = own.in(others);
    return store.search(rest, views.archived(rest)).and(words, query);
  }

  /// Whether the agent may access the block, so that a person can be asked before.
  ///
  /// @throws MemoryException when there is no such block
  public Verdict verdict(String label, Access access) {
    return block(label).permission().verdict(access);
  }

  /// Creates a block.
  ///
  /// @throws MemoryException when the label is taken, or the value exceeds the limit
  /// @throws IllegalArgumentException when its owner is another agent
  public Block create(Block given) {
    if (!given.agent().equals(agent()) && !given.agent().equals(owner())) {
      throw new IllegalArgumentException("an agent creates only blocks of its own");
    }
    return edits.create(given.agent().equals(owner()) ? given : given.copyFor(owner()));
  }

  /// Appends that content; returns the block.
  public Block append(String label, String content) {
    return edits.edit(label, Access.APPEND, "append", block -> Editing.append(block, content));
  }

  /// Replaces one text by another; returns the block.
  ///
  /// @param all whether it may occur more than once
  public Block replace(String label, String old, String with, boolean all) {
    return edits.edit(
        label, Access.OVERWRITE, "replace", block -> Editing.replace(block, old, with, all));
  }

  /// Sets the value if the block is still at that version; returns the block.
  public Block overwrite(String label, String value, long version) {
    return edits
        .expecting(version)
        .edit(label, Access.OVERWRITE, "overwrite", block -> Editing.checked(block, value));
  }

  /// The block, if its value may be overwritten.
  ///
  /// @throws MemoryException when there is none, it is not allowed, or another version is expected
  public Block toOverwrite(String label) {
    return edits.toOverwrite(label);
  }

  /// Undoes the latest edit and returns the block; null if there is none, such as beyond the stored
  /// [MemoryStore#MOST_EDITS].
  ///
  /// @throws MemoryException when the earlier value exceeds the current limit and is longer than
  ///   the current value
  public @Nullable Block undo(String label) {
    return edits.undo(label);
  }

  /// Redoes the latest undone edit and returns the block; null if there is nothing to redo.
  ///
  /// @throws MemoryException as [#undo]
  public @Nullable Block redo(String label) {
    return edits.redo(label);
  }

  /// The block's edits, the latest first.
  public List<Block.Edit> history(String label, int most) {
    return store.edits(block(label).block().agent(), label, most);
  }

  /// Pins the block into the prompt, or unpins it; returns it.
  ///
  /// @throws MemoryException when its kind keeps it out of the prompt, or in it
  public Block pin(String label, boolean pinned) {
    return edits.pin(label, pinned);
  }

  /// Moves the block out of the prompt; returns it.
  public Block archive(String label) {
    return edits.archive(label);
  }

  /// Moves the block into the prompt; returns it.
  public Block load(String label) {
    return edits.load(label);
  }

  /// Moves one block out of the prompt and another one in, both or neither; returns the latter.
  public Block swap(String archive, String load) {
    return edits.swap(archive, load);
  }

  /// Deletes the block, its log and its shares.
  public void delete(String label) {
    edits.delete(label);
  }

  /// Shares one of its own blocks with another agent, with no more access than its own agent has.
  ///
  /// @param known the known agents
  /// @throws MemoryException when there is no such block or agent, the agent is its own, or the
  ///   permission allows more than this agent's
  public void share(String label, String other, Permission permission, List<String> known) {
    if (!owner().equals(agent())) {
      throw new MemoryException(
          Kind.INVALID,
          "Block '%s' is shared by agents, not by principals: each gets its copy."
              .formatted(label));
    }
    store.share(Sharing.of(views.ownOf(label), other, permission, known));
  }

  /// Revokes a share; false if there is none.
  public boolean unshare(String label, String other) {
    return store.unshare(agent(), label, other);
  }
}
