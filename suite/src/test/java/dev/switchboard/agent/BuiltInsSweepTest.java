package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.host.LeaseTerms;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The process dies behind every write while a built-in tool changes memory or sends a message:
/// that is done once.
class BuiltInsSweepTest {
  private static final int MOST_WRITES = 60;

  private static final class World {
    final InProcessConversations durable = new InProcessConversations();
    final InProcessMemory memory = new InProcessMemory();
    final ManualTime time = new ManualTime();

    long entries() {
      return memory.search(MemoryQuery.of("sweep", "", Entry.ARCHIVAL)).total();
    }

    List<String> said() {
      return durable.events("c", 0, 1000).stream()
          .map(Event.Logged::event)
          .map(Json::tree)
          .filter(event -> event.path("content").asString("").startsWith("Bye"))
          .map(event -> event.path("content").stringValue())
          .toList();
    }
  }

  private static boolean talk(World world, int writes, String tool, String arguments) {
    DyingStore store = new DyingStore(world.durable, writes);
    Agent agent =
        Agent.builder("sweep")
            .model(ScriptedModel.answering(request -> reply(store, request, tool, arguments)))
            .memory(world.memory)
            .blocks(List.of(Block.of("sweep", "guest", Block.Kind.WORKING).withValue("1")))
            .builtIns("block", "recall", "send_message")
            .store(store)
            .time(world.time)
            .build();
    try (Conversation talk =
        agent.conversation("c", ConversationOptions.NONE.withLog(event -> {}))) {
      Turn unused = talk.resume(event -> {});
      if (talk.state().turn() < 1) {
        unused = talk.say("Go.", event -> {});
      }
      return true;
    } catch (DyingStore.Killed e) {
      return false;
    }
  }

  private static ModelReply reply(
      DyingStore store, ModelRequest request, String tool, String arguments) {
    store.alive();
    return request.messages().getLast() instanceof Message.Result
        ? ModelReply.text("Done.")
        : ModelReply.calls(RequestedCall.of("", tool, arguments.replace('\'', '"')));
  }

  private static void sweep(
      String tool, String arguments, Consumer<World> begin, Consumer<World> check) {
    int writes = 1;
    for (boolean survived = false; !survived && writes < MOST_WRITES; writes++) {
      World world = new World();
      begin.accept(world);
      survived = talk(world, writes, tool, arguments);
      if (!survived) {
        world.time.advance(LeaseTerms.LENGTH);
        assertThat(talk(world, -1, tool, arguments)).isTrue();
      }
      check.accept(world);
    }
    assertThat(writes).isBetween(5, MOST_WRITES - 1);
  }

  @Test
  void appendsToABlockOnce() {
    sweep(
        "block",
        "{'operation':'append','label':'guest','content':'Ada'}",
        world -> {},
        world -> assertThat(world.memory.edits("sweep", "guest", 9)).hasSize(1));
  }

  @Test
  void replacesInABlockOnce() {
    sweep(
        "block",
        "{'operation':'replace','label':'guest','old':'1','new':'11'}",
        world -> {},
        world ->
            assertThat(world.memory.block("sweep", "guest"))
                .extracting(Block::value)
                .isEqualTo("11"));
  }

  @Test
  void insertsAnEntryOnce() {
    sweep(
        "recall",
        "{'operation':'insert','label':'diet','content':'no meat'}",
        world -> {},
        world -> assertThat(world.entries()).isEqualTo(1));
  }

  @Test
  void deletesAnEntryOnce() {
    sweep(
        "recall",
        "{'operation':'delete','label':'diet','limit':1}",
        world -> {
          for (int i = 0; i < 3; i++) {
            Entry entry =
                new Entry(
                    "sweep",
                    Entry.ARCHIVAL,
                    "e" + i,
                    "diet",
                    null,
                    "x",
                    List.of(),
                    world.time.now());
            assertThat(world.memory.insert(entry)).isTrue();
          }
        },
        world -> assertThat(world.entries()).isBetween(2L, 3L));
  }

  @Test
  void saysAMessageToTheUserOnce() {
    sweep(
        "send_message",
        "{'target':{'type':'user'},'content':'Bye'}",
        world -> {},
        world -> assertThat(world.said()).containsExactly("Bye"));
  }
}
