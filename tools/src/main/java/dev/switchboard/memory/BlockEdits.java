package dev.switchboard.memory;

import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Block.Permission.Access;
import dev.switchboard.memory.Block.Permission.Verdict;
import dev.switchboard.memory.Memory.View;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.time.Time;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The edits of the blocks that an agent or a person may read: checked against permissions, logged,
/// and computed again where another writer was faster. Immutable.
final class BlockEdits {
  private final Views views;
  private final MemoryStore store;
  private final String writer;
  private final @Nullable Long expected;
  private final @Nullable String key;
  private final Time time;

  /// @param writer named in the log
  /// @param expected the version that a block must have, null for any
  /// @param key the idempotency key of the call that edits, null for none
  BlockEdits(Views views, String writer, @Nullable Long expected, @Nullable String key, Time time) {
    this.views = views;
    this.store = views.store();
    this.writer = writer;
    this.expected = expected;
    this.key = key;
    this.time = time;
  }

  /// These edits, of other blocks.
  BlockEdits of(Views others) {
    return new BlockEdits(others, writer, expected, key, time);
  }

  /// These edits, which succeed only if the block still has that version.
  BlockEdits expecting(long version) {
    return new BlockEdits(views, writer, version, key, time);
  }

  /// These edits, of which those that the call has made before are not made again.
  BlockEdits ofCall(String call) {
    return new BlockEdits(views, writer, expected, call, time);
  }

  /// Creates a block of the owner.
  Block create(Block block) {
    Block created = block.withValue(Editing.checked(block.withValue(""), block.value())).next(0);
    if (key != null && created.equals(store.block(views.owner(), block.label()))) {
      return created;
    }
    if (views.all().stream().anyMatch(view -> view.block().label().equals(block.label()))
        || !store.apply(List.of(new MemoryStore.Change(null, created, null)))) {
      throw new MemoryException(Kind.EXISTS, "Block '" + block.label() + "' is there already.");
    }
    return created;
  }

  /// Changes the value; returns the block.
  ///
  /// @param operation its word in the log
  Block edit(String label, Access access, String operation, Function<Block, String> value) {
    Outcome outcome =
        change(
            label,
            access,
            operation,
            block -> hasEdited(block) ? null : edited(block, operation, value));
    return outcome.block == null ? views.of(label).block() : outcome.block;
  }

  /// Whether the call has edited the block before.
  private boolean hasEdited(Block block) {
    return key != null && store.hasEdit(block.agent(), block.label(), key);
  }

  private MemoryStore.Change edited(Block block, String operation, Function<Block, String> value) {
    refuseUnlessExpected(block);
    String after = value.apply(block);
    int number = block.edits() + 1;
    Block.Edit edit =
        new Block.Edit(
            block.agent(),
            block.label(),
            number,
            time.now(),
            writer,
            operation,
            block.value(),
            after,
            key);
    return new MemoryStore.Change(block, block.withValue(after).next(number), edit);
  }

  private void refuseUnlessExpected(Block block) {
    if (expected != null && expected != block.version()) {
      throw new MemoryException(
          Kind.CONFLICT,
          "Block '%s' is at version %d now, not %d: read it again."
              .formatted(block.label(), block.version(), expected));
    }
  }

  /// @param block after a change; null if nothing changed
  private record Outcome(@Nullable Block block) {}

  /// Makes the change that the step computes from the current block, if any.
  private Outcome change(
      String label,
      Access access,
      String operation,
      Function<Block, MemoryStore.@Nullable Change> step) {
    return OptimisticRetry.won(
        store,
        views.owner(),
        label,
        () -> {
          View view = views.of(label);
          refuseUnless(view, access, operation);
          MemoryStore.Change change = step.apply(view.block());
          if (change == null) {
            return new Outcome(null);
          }
          Block next = change.next();
          return store.apply(List.of(Views.begun(change)))
              ? new Outcome(next == null ? view.block() : next)
              : null;
        });
  }

  private static void refuseUnless(View view, Access access, String operation) {
    if (view.permission().verdict(access) == Verdict.DENY) {
      throw new MemoryException(
          Kind.PERMISSION_DENIED,
          "Permission denied: block '%s' has the permission '%s', and '%s' needs '%s'."
              .formatted(
                  view.block().label(),
                  view.permission().word(),
                  operation,
                  Permission.least(access).word()));
    }
  }

  /// The block, if its value may be overwritten.
  Block toOverwrite(String label) {
    View view = views.of(label);
    refuseUnless(view, Access.OVERWRITE, "overwrite");
    refuseUnlessExpected(view.block());
    return view.block();
  }

  /// Undoes the latest edit and returns the block; null if there is none.
  @Nullable Block undo(String label) {
    return restore(label, "undo", -1);
  }

  /// Redoes the latest undone edit and returns the block; null if there is none.
  @Nullable Block redo(String label) {
    return restore(label, "redo", 1);
  }

  /// @param by 1 for the value after the next edit, -1 for that before the latest
  private @Nullable Block restore(String label, String operation, int by) {
    return change(
            label,
            Access.OVERWRITE,
            operation,
            block -> {
              int number = by < 0 ? block.edits() : block.edits() + 1;
              Block.Edit edit = store.edit(block.agent(), label, number);
              if (edit == null) {
                return null;
              }
              // The limit may have been reduced since.
              String value = Editing.checked(block, by < 0 ? edit.before() : edit.after());
              return new MemoryStore.Change(
                  block, block.withValue(value).next(block.edits() + by), null);
            })
        .block;
  }

  /// Pins the block into the prompt, or unpins it; returns it.
  Block pin(String label, boolean pinned) {
    return moved(
        label, toMove(label), pinned ? "pin" : "unpin", block -> BlockMoves.pinned(block, pinned));
  }

  /// Moves the block out of the prompt; returns it.
  Block archive(String label) {
    return moved(label, Access.OVERWRITE, "archive", BlockMoves::archived);
  }

  /// Moves the block into the prompt; returns it.
  Block load(String label) {
    return moved(label, toMove(label), "load", BlockMoves::loaded);
  }

  /// The access needed to move a block in or out of the prompt: that of another agent is in that
  /// agent's prompt too.
  private Access toMove(String label) {
    return views.of(label).block().agent().equals(views.owner()) ? Access.READ : Access.OVERWRITE;
  }

  private Block moved(
      String label,
      Access access,
      String operation,
      Function<Block, MemoryStore.@Nullable Change> step) {
    Block block = change(label, access, operation, step).block;
    if (block == null) {
      throw new IllegalStateException("a change that is always made was not");
    }
    return block;
  }

  /// Moves one block out of the prompt and another one in, both or neither; returns the latter.
  Block swap(String archive, String load) {
    if (archive.equals(load)) {
      throw new MemoryException(Kind.INVALID, "Block '" + load + "' cannot be swapped for itself.");
    }
    return OptimisticRetry.won(
        store,
        views.owner(),
        load,
        () -> {
          View out = views.of(archive);
          refuseUnless(out, Access.OVERWRITE, "swap");
          View view = views.of(load);
          refuseUnless(view, toMove(load), "swap");
          MemoryStore.Change in = BlockMoves.loaded(view.block());
          List<MemoryStore.Change> both =
              List.of(Views.begun(BlockMoves.archived(out.block())), Views.begun(in));
          return store.apply(both) ? in.next() : null;
        });
  }

  /// Deletes the block, its log and its shares.
  void delete(String label) {
    Outcome unused =
        change(
            label,
            Access.DELETE,
            "delete",
            block -> {
              views.delete(block, time.now());
              return Views.isUnchanged(block) ? null : new MemoryStore.Change(block, null, null);
            });
  }
}
