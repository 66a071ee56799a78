package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryContract.refuses;
import static dev.switchboard.contract.MemoryPlace.block;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryException.Kind;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.time.Time;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Blocks that several agents use, through every store.
interface MemorySharesContract extends MemoryPlace {
  /// Agent a's block `plan`, which b may use so.
  default void shared(Permission permission) {
    Block unused = memory("a").create(block("plan", "one"));
    memory("a").share("plan", "b", permission, List.of("a", "b"));
  }

  @Test
  default void r165TheOtherMayDoWhatItsShareSays() {
    shared(Permission.APPEND);
    Memory other = memory("b");

    assertThat(other.append("plan", "two").value()).isEqualTo("onetwo");
    assertThat(memory("a").block("plan").block().value()).isEqualTo("onetwo");
    assertThat(memory("a").history("plan", 1).getFirst().by()).isEqualTo("b");
    assertThat(other.history("plan", 9)).hasSize(1);
    refuses(
        Kind.PERMISSION_DENIED,
        "'append', and 'replace' needs 'read_write'.",
        () -> other.replace("plan", "one", "x", false));
    refuses(
        Kind.PERMISSION_DENIED,
        "'append', and 'delete' needs 'admin'.",
        () -> other.delete("plan"));
    refuses(
        Kind.PERMISSION_DENIED,
        "'append', and 'archive' needs 'read_write'.",
        () -> other.archive("plan"));
    refuses(Kind.EXISTS, "'plan'", () -> other.create(Block.of("b", "plan", Block.Kind.CORE)));
    refuses(Kind.NOT_FOUND, "'plan'", () -> memory("c").block("plan"));
  }

  @Test
  default void onlyEditorsMoveASharedBlockInThePrompt() {
    shared(Permission.READ_ONLY);
    Block own = memory("b").create(Block.of("b", "own", Block.Kind.WORKING));
    refuses(
        Kind.PERMISSION_DENIED,
        "block 'plan' has the permission 'read_only', and 'pin' needs 'read_write'.",
        () -> memory("b").pin("plan", true));
    refuses(Kind.PERMISSION_DENIED, "and 'unpin' needs", () -> memory("b").pin("plan", false));
    refuses(Kind.PERMISSION_DENIED, "and 'load' needs", () -> memory("b").load("plan"));
    refuses(
        Kind.PERMISSION_DENIED, "and 'swap' needs", () -> memory("b").swap(own.label(), "plan"));

    memory("a").share("plan", "b", Permission.READ_WRITE, List.of("b"));
    assertThat(memory("b").pin("plan", true).pinned()).isTrue();
  }

  @Test
  default void ofTwoBlocksOfOneLabelTheOwnIsMeant() {
    Block unused = memory("b").create(Block.of("b", "plan", Block.Kind.CORE).withValue("mine"));
    shared(Permission.READ_WRITE);

    assertThat(memory("b").blocks())
        .extracting(view -> view.block().value())
        .containsExactly("mine");
    assertThat(memory("b").block("plan").block().value()).isEqualTo("mine");
  }

  @Test
  default void r167OnlyKnownBlocksAreSharedWithKnownAgents() {
    Memory memory = memory("a");
    Block unused = memory.create(block("plan", ""));
    refuses(
        Kind.NOT_FOUND,
        "Agent 'x' was not found",
        () -> memory.share("plan", "x", Permission.ADMIN, List.of("a", "b")));
    refuses(
        Kind.NOT_FOUND,
        "Block 'x' was not found",
        () -> memory.share("x", "b", Permission.ADMIN, List.of("a", "b")));
    open().share(new MemoryStore.Share("a", "x", "b", Permission.ADMIN));
    assertThat(open().shares("b")).isEmpty();
  }

  @Test
  default void noOneGivesAwayMoreThanItHas() {
    Memory memory = memory("a");
    Map<Permission, String> given =
        Map.of(
            Permission.READ_ONLY, "READ_ONLY",
            Permission.PARTNER, "READ_ONLY, PARTNER",
            Permission.HUMAN, "READ_ONLY, HUMAN",
            Permission.APPEND, "READ_ONLY, APPEND",
            Permission.READ_WRITE, "READ_ONLY, PARTNER, HUMAN, APPEND, READ_WRITE",
            Permission.ADMIN, "READ_ONLY, PARTNER, HUMAN, APPEND, READ_WRITE, ADMIN");
    for (Permission own : Permission.values()) {
      Block unused = memory.create(block(own.word(), "").withPermission(own));
      String may =
          Arrays.stream(Permission.values())
              .filter(permission -> shares(memory, own.word(), permission))
              .map(Permission::name)
              .collect(Collectors.joining(", "));
      assertThat(may).as(own.word()).isEqualTo(given.get(own));
    }
    Memory person = Memory.inHandsOf("Ann", open(), "a", Time.SYSTEM);
    assertThat(shares(person, "read_only", Permission.ADMIN)).isTrue();
  }

  private static boolean shares(Memory memory, String label, Permission permission) {
    try {
      memory.share(label, "b", permission, List.of("a", "b"));
      return true;
    } catch (MemoryException e) {
      assertThat(e.kind()).isEqualTo(Kind.PERMISSION_DENIED);
      assertThat(e)
          .hasMessage(
              "Permission denied: block '%s' is %s and cannot be shared as %s.",
              label, label, permission.word());
      return false;
    }
  }

  @Test
  default void noOneSharesWithItself() {
    Memory memory = memory("a");
    Block unused = memory.create(block("plan", ""));
    refuses(
        Kind.INVALID,
        "Block 'plan' is shared with other agents alone.",
        () -> memory.share("plan", "a", Permission.READ_ONLY, List.of("a", "b")));
    assertThat(open().shares("a")).isEmpty();
  }

  @Test
  default void aBlockIsSharedByItsOwnAgentOnly() {
    shared(Permission.READ_WRITE);

    refuses(
        Kind.PERMISSION_DENIED,
        "block 'plan' belongs to agent 'a', and only that agent can share it.",
        () -> memory("b").share("plan", "c", Permission.READ_ONLY, List.of("a", "b", "c")));
    assertThat(open().shares("c")).isEmpty();
  }

  @Test
  default void r168ASharedBlockIsTakenBack() {
    shared(Permission.READ_WRITE);
    assertThat(memory("b").blocks()).hasSize(1);

    assertThat(memory("a").unshare("plan", "b")).isTrue();
    assertThat(memory("a").unshare("plan", "b")).isFalse();
    assertThat(memory("b").blocks()).isEmpty();
    refuses(Kind.NOT_FOUND, "'plan'", () -> memory("b").block("plan"));
  }

  @Test
  default void aLaterShareTakesThePlaceOfTheEarlier() {
    shared(Permission.READ_ONLY);
    Block unused = memory("a").create(block("more", ""));
    MemoryStore.Share more = new MemoryStore.Share("a", "more", "b", Permission.APPEND);
    open().share(more);
    MemoryStore.Share plan = new MemoryStore.Share("a", "plan", "b", Permission.ADMIN);
    open().share(plan);

    assertThat(open().shares("b")).containsExactly(plan, more);
    assertThat(open().shares("a")).isEmpty();
  }
}
