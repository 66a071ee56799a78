package dev.switchboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.builtin.MemoryPrompt;
import dev.switchboard.contract.MemoryHand.Outcome;
import dev.switchboard.handler.LocalRouter;
import dev.switchboard.handler.MessageRouter.Delivery;
import dev.switchboard.handler.MessageRouter.Target;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.testing.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A store with the blocks, entries and agents of a case, what is done there, and what came of it.
final class MemoryScene {
  private final MemoryStore store;
  private final boolean byTools;
  private final boolean pinnedAtFirst;
  private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
  private final LocalRouter router = new LocalRouter(time);
  private final Map<String, MemoryHand.OfTools> models = new HashMap<>();
  private @Nullable String wanted;

  /// What came of each step.
  final List<Outcome> outcomes = new ArrayList<>();

  /// Whether the block was pinned after each step.
  final List<Boolean> pinned = new ArrayList<>();

  /// Of each permission, whether its block could be read, added to, overwritten and deleted.
  final Map<String, List<String>> verdicts = new HashMap<>();

  /// The prompt that was rendered.
  String prompt = "";

  MemoryScene(MemoryStore store, boolean byTools, boolean pinnedAtFirst) {
    this.store = store;
    this.byTools = byTools;
    this.pinnedAtFirst = pinnedAtFirst;
    router.user(letter -> Delivery.DONE);
    router.agent("x", letter -> Delivery.DONE).agent("y", letter -> Delivery.DONE);
    router.group(
        "group",
        List.of(new Target("agent", "x"), new Target("agent", "gone"), new Target("agent", "y")));
  }

  void given(JsonNode given) {
    given.path("blocks").forEach(this::make);
    JsonNode entries = given.path("entries");
    if (entries.isArray()) {
      entries.forEach(text -> remember("a", text.stringValue()));
    }
    entries.properties().forEach(entry -> remember(entry.getKey(), entry.getValue().stringValue()));
  }

  private void make(JsonNode one) {
    String owner = one.path("owner").asString("a");
    String label = one.path("label").stringValue();
    Block block =
        new Block(
            owner,
            label,
            Block.Kind.of(one.path("type").asString("working")),
            "",
            one.path("text").asString("old text"),
            one.path("limit").asInt(Block.DEFAULT_LIMIT),
            Permission.of(one.path("permission").asString("read_write")),
            pinnedAtFirst,
            one.path("version").asLong(1),
            0);
    assertThat(store.apply(List.of(new MemoryStore.Change(null, block, null)))).isTrue();
    for (var share : one.path("shared_with").properties()) {
      Permission permission = Permission.of(share.getValue().stringValue());
      store.share(new MemoryStore.Share(owner, label, share.getKey(), permission));
    }
  }

  private void remember(String agent, String text) {
    time.advance(Duration.ofSeconds(1));
    Entry entry = new Entry(agent, Entry.ARCHIVAL, text, "l", null, text, List.of(), time.now());
    assertThat(store.insert(entry)).isTrue();
  }

  Memory memory(String agent) {
    return Memory.of(store, agent, time);
  }

  /// The agent's tools.
  MemoryHand.OfTools model(String agent) {
    return models.computeIfAbsent(agent, name -> new MemoryHand.OfTools(name, store, router, time));
  }

  private Outcome does(String agent, String tool, String operation, Map<String, Object> members) {
    MemoryHand hand = byTools ? model(agent) : new MemoryHand.OfLibrary(memory(agent), store, time);
    Outcome outcome = hand.does(tool, operation, members);
    outcomes.add(outcome);
    return outcome;
  }

  /// An operation of the agent's on a block, which is the only one where none is named.
  void block(String agent, String operation, @Nullable String label, Object... members) {
    Map<String, Object> all = new HashMap<>();
    all.put("label", label == null ? only().label() : label);
    for (int i = 0; i < members.length; i += 2) {
      all.put(members[i].toString(), members[i + 1]);
    }
    Outcome unused = does(agent, "block", operation, all);
    pinned.add(store.blocks("a").stream().anyMatch(Block::pinned));
  }

  void replace(String old, String with) {
    block("a", "replace", null, "old", old, "new", with);
  }

  void replaceAll(String old, String with) {
    block("a", "replace", null, "old", old, "new", with, "all", true);
  }

  void replaceNothing() {
    replace("", "x");
    replaceAll("", "x");
  }

  void replaceBehindOddCharacters() {
    Block block = only();
    String odd = block.value().replace("naive cafe", "naïve café 🍕 日本");
    Block unused = memory("a").overwrite(block.label(), odd, block.version());
    wanted = odd.substring(0, odd.length() - "match".length()) + "find 🍕";
    replace("match", "find 🍕");
  }

  /// Something that no tool does.
  void step(Supplier<@Nullable Object> step) {
    outcomes.add(MemoryHand.of(false, step));
  }

  /// A step back or forth; nothing to make is a failure.
  void move(String word, @Nullable Block moved) {
    outcomes.add(
        new Outcome(
            moved != null,
            moved == null ? "nothing to " + word : "",
            null,
            false,
            Json.EMPTY_OBJECT.tree()));
  }

  void delete(String label) {
    step(() -> {
      Memory.inHandsOf("person", store, "a", time).delete(label);
      return null;
    });
  }

  /// Two who have read the same version.
  void race(long version) {
    String label = only().label();
    for (String text : List.of("one", "other")) {
      step(() -> memory("a").overwrite(label, text, version).label());
    }
  }

  void share(String label, String other) {
    Block own = Block.of("a", "own", Block.Kind.WORKING);
    if (store.block("a", "own") == null) {
      Block unused = memory("a").create(own);
    }
    step(() -> {
      memory("a").share(label, other, Permission.READ_ONLY, List.of("a", "b"));
      return null;
    });
  }

  void unshare(String label) {
    Block unused = memory("a").create(Block.of("a", label, Block.Kind.WORKING));
    memory("a").share(label, "b", Permission.READ_WRITE, List.of("a", "b"));
    assertThat(isSeenByB()).isTrue();
    step(() -> memory("a").unshare(label, "b"));
  }

  /// Every access to a block of every permission.
  void checkAll() {
    for (Permission permission : Permission.values()) {
      String label = permission.word();
      Block block = Block.of("a", label, Block.Kind.WORKING).withPermission(permission);
      assertThat(store.apply(List.of(new MemoryStore.Change(null, block.withValue("old"), null))))
          .isTrue();
      block("a", "info", label);
      block("a", "append", label, "content", "x");
      block("a", "replace", label, "old", "old", "new", "new");
      step(() -> {
        memory("a").delete(label);
        return null;
      });
      verdicts.put(label, outcomes.stream().map(MemoryScene::verdict).toList());
      outcomes.clear();
    }
  }

  private static String verdict(Outcome outcome) {
    if (!outcome.success()) {
      MemoryScript.says(outcome, "permission denied");
      return "deny";
    }
    return outcome.asked() ? "consent" : "allow";
  }

  void render() {
    prompt = MemoryPrompt.of(memory("a").blocks()).text();
  }

  void search(String text) {
    Outcome unused = does("a", "recall", "search", Map.of("query", text));
  }

  void readAndDelete() {
    for (String label : List.of("pet", "car")) {
      Outcome unused =
          does("a", "recall", "insert", Map.of("label", label, "content", label + "'s text"));
    }
    assertThat(does("a", "recall", "read", Map.of("label", "pet")).texts())
        .containsExactly("pet's text");
    Outcome unused = does("a", "recall", "delete", Map.of("label", "pet"));
    assertThat(store.search(MemoryQuery.of("a", "", Entry.ARCHIVAL)).hits())
        .extracting(hit -> hit.entry().label())
        .containsExactly("car");
  }

  void send(String type, String id) {
    Map<String, Object> target = Map.of("type", type, "id", id);
    outcomes.add(model("a").call("send_message", Map.of("target", target, "content", "Hi")));
  }

  void sendTwice(String agent) {
    send("agent", agent);
    time.advance(Duration.ofSeconds(12));
    send("agent", agent);
  }

  Outcome last() {
    return outcomes.getLast();
  }

  /// The only block of agent a.
  Block only() {
    assertThat(store.blocks("a")).hasSize(1);
    return store.blocks("a").getFirst();
  }

  /// The text of the only block.
  String value() {
    return only().value();
  }

  /// The text that is expected: what the case says, or what its sentence means.
  String wanted(JsonNode expected) {
    return wanted == null ? expected.stringValue() : wanted;
  }

  boolean isSeenByB() {
    return !memory("b").blocks().isEmpty();
  }
}
