package dev.switchboard.contract;

import static dev.switchboard.contract.MemoryPlace.block;
import static dev.switchboard.contract.MemoryPlace.entry;
import static dev.switchboard.contract.MemoryPlace.query;
import static dev.switchboard.contract.MemoryPlace.tagged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryQuery.Hits;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Archived blocks, which a search finds in every store.
interface MemoryArchiveContract extends MemoryPlace {
  /// Agent a's block of that label, archived.
  default Block archive(String label, String value) {
    Block unused = memory("a").create(block(label, value));
    return memory("a").archive(label);
  }

  default List<String> searched(MemoryQuery query) {
    return memory(query.agent()).search(query).hits().stream()
        .map(hit -> hit.entry().label())
        .toList();
  }

  @Test
  default void anArchivedBlockIsFoundUntilItIsLoaded() {
    Block unused = memory("a").create(block("fact", "The vault code is 4711"));
    assertThat(searched(query("vault code"))).isEmpty();
    unused = memory("a").archive("fact");

    Hits hits = memory("a").search(query("vault code"));
    assertThat(hits.total()).isEqualTo(1);
    assertThat(hits.hits().getFirst().score()).isEqualTo(1);
    Entry found = hits.hits().getFirst().entry();
    assertThat(found.id()).isEqualTo("block/fact");
    assertThat(found.domain()).isEqualTo(Entry.ARCHIVAL);
    assertThat(found.label()).isEqualTo("fact");
    assertThat(found.text()).isEqualTo("The vault code is 4711");
    assertThat(searched(query("secret"))).isEmpty();
    assertThat(searched(MemoryQuery.of("a", "vault", Entry.CONVERSATIONS))).isEmpty();
    assertThat(searched(MemoryQuery.of("a", "vault", Entry.CONVERSATIONS, Entry.ARCHIVAL)))
        .hasSize(1);

    unused = memory("a").load("fact");
    assertThat(searched(query("vault code"))).isEmpty();
  }

  @Test
  default void anArchivedBlockStandsAmongTheEntries() {
    remember("a", "the vault", "the door");
    Block unused = archive("fact", "The vault code");

    assertThat(searched(query("vault code"))).containsExactly("fact", "label");
    assertThat(searched(query("vault code").withLimit(1))).containsExactly("fact");
    assertThat(memory("a").search(query("vault code").withLimit(1)).total()).isEqualTo(2);
    assertThat(searched(query(""))).containsExactly("label", "label", "fact");
    assertThat(searched(query("").withLabel("fact"))).containsExactly("fact");
  }

  @Test
  default void filtersHoldForArchivedBlocksToo() {
    Block unused = archive("never", "vault");
    unused = archive("edited", "");
    unused = memory("a").append("edited", "vault");
    assertThat(open().insert(tagged(entry("1", "vault"), "food"))).isTrue();

    assertThat(searched(query("vault").withTags(List.of("food")))).containsExactly("label");
    assertThat(searched(query("vault").withRole("user"))).isEmpty();
    assertThat(searched(query("vault").withLabel("edited"))).containsExactly("edited");
    Instant later = NOON.plusSeconds(1);
    assertThat(searched(query("vault").between(null, later))).containsOnly("edited", "label");
    assertThat(searched(query("vault").between(later, null))).isEmpty();
  }

  @Test
  default void everyPermissionAllowsToFindAndASharedBlockIsFoundByBoth() {
    for (Permission permission : Permission.values()) {
      Block made =
          block(permission.word(), "vault")
              .withPermission(permission)
              .withKind(Block.Kind.ARCHIVAL);
      Block unused = memory("a").create(made);
      memory("a").share(made.label(), "b", Permission.READ_ONLY, List.of("b"));
    }
    List<String> all = Arrays.stream(Permission.values()).map(Permission::word).toList();

    assertThat(searched(query("vault"))).containsExactlyInAnyOrderElementsOf(all);
    assertThat(searched(MemoryQuery.of("b", "vault", Entry.ARCHIVAL)))
        .containsExactlyInAnyOrderElementsOf(all);
    assertThat(searched(MemoryQuery.of("c", "vault", Entry.ARCHIVAL))).isEmpty();
    Memory memory = memory("a");
    assertThatThrownBy(() -> memory.search(MemoryQuery.of("b", "vault", Entry.ARCHIVAL)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
