package dev.switchboard.contract;

import dev.switchboard.harness.Vectors;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.testing.ManualTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A place where memory is kept, and what tests put there.
public interface MemoryPlace {
  Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");

  /// What the store is called.
  default String name() {
    return getClass().getSimpleName();
  }

  /// Another opening of the same place, which is empty at first.
  MemoryStore open();

  /// Another opening, as by another process.
  default MemoryStore ofAnotherProcess() {
    return open();
  }

  default Memory memory(String agent) {
    return Memory.of(open(), agent, new ManualTime(NOON));
  }

  /// The texts that a search finds.
  default List<String> found(MemoryQuery query) {
    return open().search(query).hits().stream().map(hit -> hit.entry().text()).toList();
  }

  /// Puts texts into the agent's archival memory, each a second after the one before.
  default void remember(String agent, String... texts) {
    MemoryStore store = open();
    for (int i = 0; i < texts.length; i++) {
      String id = agent + i;
      if (!store.insert(written(NOON.plusSeconds(i), owned(agent, entry(id, texts[i]))))) {
        throw new IllegalStateException("an entry is there already");
      }
    }
  }

  /// The memory of agent `a` with the blocks of that case.
  default Memory given(String vector) {
    Memory memory = memory("a");
    for (JsonNode one : Vectors.byId(vector).given().path("blocks")) {
      Block block =
          Block.of("a", one.path("label").stringValue(), kind(one))
              .withValue(one.path("text").asString(""))
              .withCharLimit(one.path("limit").asInt(Block.DEFAULT_LIMIT))
              .withPermission(Permission.of(one.path("permission").asString("read_write")));
      Block unused = memory.create(block);
    }
    return memory;
  }

  private static Block.Kind kind(JsonNode block) {
    return Block.Kind.of(block.path("type").asString("working"));
  }

  /// The text of agent a's block.
  default String text(String label) {
    return memory("a").block(label).block().value();
  }

  static Block block(String label, String value) {
    return Block.of("a", label, Block.Kind.WORKING).withValue(value);
  }

  static Entry entry(String id, String text) {
    return new Entry("a", Entry.ARCHIVAL, id, "label", null, text, List.of(), NOON);
  }

  static Entry message(String id, String role, String text) {
    return new Entry("a", Entry.CONVERSATIONS, id, "c1", role, text, List.of(), NOON);
  }

  static Entry owned(String agent, Entry e) {
    return new Entry(agent, e.domain(), e.id(), e.label(), e.role(), e.text(), e.tags(), e.at());
  }

  static Entry labelled(String label, Entry e) {
    return new Entry(e.agent(), e.domain(), e.id(), label, e.role(), e.text(), e.tags(), e.at());
  }

  static Entry written(Instant at, Entry e) {
    return new Entry(e.agent(), e.domain(), e.id(), e.label(), e.role(), e.text(), e.tags(), at);
  }

  static Entry tagged(Entry e, String... tags) {
    List<String> all = Arrays.asList(tags);
    return new Entry(e.agent(), e.domain(), e.id(), e.label(), e.role(), e.text(), all, e.at());
  }

  static MemoryQuery query(String text) {
    return MemoryQuery.of("a", text, Entry.ARCHIVAL);
  }
}
