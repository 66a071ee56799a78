package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.MessageRouter;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Block.Permission;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.Memory;
import dev.switchboard.memory.MemoryException;
import dev.switchboard.memory.MemoryStore;
import dev.switchboard.memory.MemoryStore.Share;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.Selection;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MemoryOfPrincipalsTest {
  private final InProcessMemory store = new InProcessMemory();
  private final InProcessConversations conversations = new InProcessConversations();

  private static Block block(String label, Permission permission, String text) {
    return Block.of("Desk", label, Block.Kind.CORE).withPermission(permission).withValue(text);
  }

  private AgentBuilder desk() {
    return Agent.builder("Desk")
        .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
        .memory(store)
        .store(conversations)
        .builtIns("block", "recall", "search")
        .blocks(
            List.of(
                block("notes", Permission.ADMIN, "Nothing so far."),
                block("menu", Permission.READ_ONLY, "Soup."),
                block("board", Permission.READ_WRITE, "Open.")))
        .blocksForAll(List.of("board"));
  }

  private static String call(Agent agent, String principal, String tool, String arguments) {
    List<String> texts = new ArrayList<>();
    try (Conversation conversation =
        agent.conversation(
            principal + "-" + tool, ConversationOptions.NONE.withPrincipal(principal))) {
      conversation.call(
          new ToolCall(tool + texts.size() + UUID.randomUUID(), tool, Json.text(arguments)),
          event -> texts.add(event.json().text()));
    }
    return String.join("\n", texts);
  }

  private static String value(Agent agent, String principal, String label) {
    return agent.memory(principal).block(label).block().value();
  }

  @Test
  void aNameThatNoPrincipalHasIsRefusedAndTakesNothingAway() {
    try (Agent agent = desk().build()) {
      agent.memory("ann").append("notes", " Ann likes tea.");
      for (String name : List.of("", " ", "\u001f", "a\u001fb", "a".repeat(201))) {
        for (ThrowingCallable taking :
            List.<ThrowingCallable>of(
                () -> agent.storedConversations().forget(name),
                () -> agent.storedConversations().of(name),
                () -> agent.memory(name),
                () -> agent.memoryInHandsOf("op", name),
                () -> agent.memory().forPrincipal(name),
                () -> ToolSession.builder("s").principal(name),
                () -> ConversationOptions.NONE.withPrincipal(name),
                () -> new Selection(name, null, 1),
                () -> letter(name))) {
          assertThatThrownBy(taking)
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageStartingWith("the name of a principal must have 1 to 200 characters");
        }
      }
      assertThat(value(agent, "ben", "notes")).isEqualTo("Nothing so far.");
      assertThat(value(agent, "ann", "menu")).isEqualTo("Soup.");
    }
  }

  private static MessageRouter.Letter letter(String principal) {
    MessageRouter.Target desk = new MessageRouter.Target("agent", "Desk");
    return new MessageRouter.Letter("1", "Al", "c", desk, "Lunch?", null, null, principal);
  }

  @Test
  void copiesBlockForPrincipalOnFirstEdit() {
    try (Agent agent = desk().build()) {
      agent.memory("ann").append("notes", " Ann likes tea.");
      agent.memory().append("notes", " Local likes beer.");

      assertThat(value(agent, "ann", "notes")).isEqualTo("Nothing so far. Ann likes tea.");
      assertThat(value(agent, "ben", "notes")).isEqualTo("Nothing so far.");
      assertThat(value(agent, "local", "notes")).isEqualTo("Nothing so far. Local likes beer.");
      assertThat(agent.memory("ann").undo("notes").value()).isEqualTo("Nothing so far.");
    }
  }

  @Test
  void deletedBlocksStayDeletedAfterRestart() {
    try (Agent agent = desk().build()) {
      agent.memory("ann").delete("notes");
    }
    try (Agent agent = desk().build()) {
      assertThatThrownBy(() -> agent.memory("ann").block("notes"))
          .isInstanceOf(MemoryException.class);
      assertThat(labels(agent, "ann")).containsExactly("menu", "board");
      assertThat(labels(agent, "ben")).containsExactly("notes", "menu", "board");
      agent.memory("ann").create(Block.of("Desk", "notes", Block.Kind.WORKING));
      assertThat(value(agent, "ann", "notes")).isEmpty();
    }
  }

  private static List<String> labels(Agent agent, String principal) {
    return agent.memory(principal).blocks().stream().map(view -> view.block().label()).toList();
  }

  @Test
  void allShareReadOnlyBlocksAndThoseThatTheFileSharesWithAll() {
    try (Agent agent = desk().build()) {
      agent.memory("ann").append("board", " Closed on Monday.");
      agent.memoryInHandsOf("cook").overwrite("menu", "Stew.", 1);

      for (String principal : List.of("ann", "ben", "local")) {
        assertThat(value(agent, principal, "board")).isEqualTo("Open. Closed on Monday.");
        assertThat(value(agent, principal, "menu")).isEqualTo("Stew.");
      }
      assertThatThrownBy(() -> agent.memory("ann").append("menu", "!"))
          .isInstanceOf(MemoryException.class);
    }
  }

  @Test
  void blocksThatSomeoneMakesAreTheirs() {
    try (Agent agent = desk().build()) {
      agent.memory("ann").create(Block.of("Desk", "plan", Block.Kind.WORKING).withValue("a"));
      agent.memory().create(Block.of("Desk", "own", Block.Kind.WORKING).withValue("b"));

      assertThat(labels(agent, "ann")).containsExactly("notes", "menu", "board", "plan");
      assertThat(labels(agent, "ben")).containsExactly("notes", "menu", "board");
      assertThat(labels(agent, "local")).containsExactly("notes", "menu", "board", "own");
    }
  }

  @Test
  void hidesLocalEditsOfReadOnlyBlock() {
    try (Agent agent = desk().build()) {
      agent.memory().append("notes", " A secret.");
    }
    List<Block> later = List.of(block("notes", Permission.READ_ONLY, "Public."));
    try (Agent agent =
        Agent.builder("Desk").memory(store).blocks(later).builtIns("block").build()) {
      assertThat(value(agent, "ann", "notes")).isEqualTo("Public.");
      assertThat(value(agent, "local", "notes")).contains("A secret.");
    }
  }

  @Test
  void recallAndSearchFindOnlyWhatBelongsToThePrincipal() {
    try (Agent agent = desk().build()) {
      call(
          agent,
          "ann",
          "recall",
          "{\"operation\":\"insert\",\"label\":\"a\",\"content\":\"whale blue\"}");
      agent
          .conversation("talk", ConversationOptions.NONE.withPrincipal("ann"))
          .say("A whale sings.");

      String search = "{\"query\":\"whale\"}";
      assertThat(call(agent, "ann", "search", search)).contains("whale blue", "A whale sings.");
      assertThat(call(agent, "ben", "search", search)).contains("\"total\":0");
      assertThat(call(agent, "local", "search", search)).contains("\"total\":0");
      String recall = "{\"operation\":\"search\",\"query\":\"whale\"}";
      assertThat(call(agent, "ben", "recall", recall)).contains("\"total\":0");
      assertThat(call(agent, "ben", "recall", "{\"operation\":\"read\",\"label\":\"a\"}"))
          .contains("No entry 'a' was found");
      assertThat(call(agent, "ben", "recall", "{\"operation\":\"delete\",\"label\":\"a\"}"))
          .contains("No entry 'a' was found");
      assertThat(store.agents()).containsExactly("Desk");
    }
  }

  @Test
  void allShareTheMemoryOfAnAgentThatSaysSoButNotWhatWasSaid() {
    try (Agent agent = desk().memoryScope(Memory.Scope.AGENT).build()) {
      agent.memory("ann").append("notes", " Tea.");
      call(
          agent,
          "ann",
          "recall",
          "{\"operation\":\"insert\",\"label\":\"a\",\"content\":\"whale blue\"}");
      agent
          .conversation("talk", ConversationOptions.NONE.withPrincipal("ann"))
          .say("A whale sings.");

      assertThat(value(agent, "ben", "notes")).isEqualTo("Nothing so far. Tea.");
      String search = "{\"query\":\"whale\"}";
      assertThat(call(agent, "ann", "search", search)).contains("whale blue", "A whale sings.");
      assertThat(call(agent, "ben", "search", search))
          .contains("whale blue")
          .doesNotContain("sings");
      assertThat(call(agent, "ben", "search", "{\"query\":\"whale\",\"domain\":\"conversations\"}"))
          .contains("\"total\":0");
    }
  }

  @Test
  void thePromptHasThePrincipalsBlocks() {
    List<String> prompts = new ArrayList<>();
    ScriptedModel model =
        ScriptedModel.answering(request -> {
          prompts.add(request.messages().getFirst().toString());
          return ModelReply.text("Hello.");
        });
    try (Agent agent = desk().model(model).build()) {
      agent.memory("ann").append("notes", " Ann likes tea.");
      agent.conversation("a", ConversationOptions.NONE.withPrincipal("ann")).say("Hi");
      agent.conversation("b", ConversationOptions.NONE.withPrincipal("ben")).say("Hi");
      agent.conversation("l").say("Hi");
    }
    assertThat(prompts.get(0)).contains("Ann likes tea.");
    assertThat(prompts.get(1)).contains("Nothing so far.").doesNotContain("Ann");
    assertThat(prompts.get(2)).contains("Nothing so far.").doesNotContain("Ann");
  }

  @Test
  void aBlockThatAnotherAgentSharesIsThePrincipalsCopy() {
    try (Agent desk = desk().build();
        Agent kitchen =
            Agent.builder("Kitchen").memory(store).builtIns("block").blocks(List.of()).build()) {
      store.share(new Share("Desk", "notes", "Kitchen", Permission.APPEND));
      desk.memory("ann").append("notes", " Ann likes tea.");

      assertThat(value(kitchen, "ann", "notes")).isEqualTo("Nothing so far. Ann likes tea.");
      assertThat(value(kitchen, "ben", "notes")).isEqualTo("Nothing so far.");
      kitchen.memory("ben").append("notes", " Ben has come.");
      assertThat(value(desk, "ben", "notes")).isEqualTo("Nothing so far. Ben has come.");
      assertThat(value(desk, "ann", "notes")).doesNotContain("Ben");
      assertThat(value(desk, "local", "notes")).isEqualTo("Nothing so far.");
    }
  }

  @Test
  void theMemoryOfAConversationGoesWithIt() {
    try (Agent agent = desk().build()) {
      call(
          agent,
          "ann",
          "recall",
          "{\"operation\":\"insert\",\"label\":\"a\",\"content\":\"whale blue\"}");
      assertThat(agent.storedConversations().delete("ann-recall", false)).isTrue();

      assertThat(call(agent, "ann", "search", "{\"query\":\"whale\"}")).contains("\"total\":0");
    }
  }

  @Test
  void whatAConversationRecalledForAllGoesWithItToo() {
    try (Agent agent = desk().memoryScope(Memory.Scope.AGENT).build()) {
      for (String principal : List.of("ann", "local")) {
        String insert = "{\"operation\":\"insert\",\"label\":\"a\",\"content\":\"whale blue\"}";
        assertThat(call(agent, principal, "recall", insert)).contains("\"length\":10");
        assertThat(agent.storedConversations().delete(principal + "-recall", false)).isTrue();

        assertThat(call(agent, "ben", "recall", "{\"operation\":\"search\",\"query\":\"whale\"}"))
            .contains("\"total\":0");
        store.forEachEntry("Desk", entry -> assertThat(entry.text()).isNotEqualTo("whale blue"));
      }
    }
  }

  @Test
  void aStoreOfOneUserHasNothingMore() {
    try (Agent agent = desk().build()) {
      agent.conversation("l").say("Hi");
      agent.memory().append("notes", "!");
    }
    MemoryStore same = store;
    assertThat(same.blocks("Desk")).hasSize(3);
    assertThat(same.blocks("Desk\u001F")).isEmpty();
  }

  @Test
  void nothingOfAForgottenPrincipalIsLeft() {
    try (Agent agent = desk().build()) {
      agent.memory("ann").append("notes", " Tea.");
      agent.memory("ann").create(Block.of("Desk", "plan", Block.Kind.WORKING));
      agent.memory("ann").append("board", " Closed.");
      agent.memory("ben").append("notes", " Beer.");
      call(
          agent,
          "ann",
          "recall",
          "{\"operation\":\"insert\",\"label\":\"a\",\"content\":\"whale blue\"}");
      agent
          .conversation("talk", ConversationOptions.NONE.withPrincipal("ann"))
          .say("A whale sings.");
      agent.conversation("talk", ConversationOptions.NONE.withPrincipal("ann")).close();
      StoredConversations stored = agent.storedConversations();

      assertThat(stored.of("ann")).containsExactlyInAnyOrder("talk", "ann-recall");
      assertThat(stored.forget("ann").all()).isTrue();

      String owner = "Desk\u001Fann";
      assertThat(store.blocks(owner)).isEmpty();
      store.forEachEntry(owner, entry -> assertThat(entry).isNull());
      assertThat(value(agent, "ann", "notes")).isEqualTo("Nothing so far.");
      assertThat(value(agent, "ben", "notes")).isEqualTo("Nothing so far. Beer.");
      assertThat(value(agent, "ben", "board")).isEqualTo("Open. Closed.");
    }
  }

  @Test
  void theMemoryOfACallGoesWithIt() {
    ConversationOptions call = ConversationOptions.NONE.withPrincipal("call:CA1");
    try (Agent agent = desk().build()) {
      agent.conversation("CA1", call).say("Hi");
      agent.conversation("CA1", call).close();
      agent.memory("call:CA1").append("notes", " Tea.");

      assertThat(agent.storedConversations().delete("CA1", false)).isTrue();
      assertThat(store.blocks("Desk\u001Fcall:CA1")).isEmpty();
    }
  }

  @Test
  void lastingConsentHoldsForOnePrincipal() {
    Tool pay = Tool.dynamic("pay").mode(ToolMode.EXTERNAL).handler(arguments -> "paid");
    try (Agent agent = desk().tools(pay).rules(ToolRule.consent("pay")).build()) {
      Conversation ann = agent.conversation("a", ConversationOptions.NONE.withPrincipal("ann"));
      Turn asked = ann.call(ToolCall.of("c1", "pay", "{}"), event -> {});
      ann.answer(((Turn.Pending) asked).requests().getFirst(), Answer.approveAlways());

      assertThat(ann.call(ToolCall.of("c2", "pay", "{}"), event -> {}))
          .isInstanceOf(Turn.Reply.class);
      for (String other : List.of("ben", "local")) {
        Conversation theirs =
            agent.conversation(other, ConversationOptions.NONE.withPrincipal(other));
        assertThat(theirs.call(ToolCall.of("c1", "pay", "{}"), event -> {}))
            .isInstanceOf(Turn.Pending.class);
      }
    }
  }

  @Test
  void aHostIsToldOnceOfMemoryThatClientsDoNotSee() {
    try (Agent agent = desk().blocksForAll(List.of()).build()) {
      assertThat(agent.admitPrincipals())
          .containsExactly("All principals share these memory blocks of agent 'Desk': board.");
      agent.memory().append("notes", " Local likes beer.");
      assertThat(agent.admitPrincipals())
          .hasSize(2)
          .last()
          .asString()
          .startsWith("Memory of agent 'Desk' that was stored before belongs to 'local'");
      assertThat(agent.admitPrincipals()).hasSize(1);
    }
    try (Agent agent = desk().memoryScope(Memory.Scope.AGENT).build()) {
      assertThat(agent.admitPrincipals())
          .containsExactly(
              "All principals share the memory of agent 'Desk': memory_scope is \"agent\".");
    }
  }

  @Test
  void aHostIsNotToldOfMemoryThatItsAgentDoesNotRead() {
    try (Agent agent = desk().build()) {
      agent.memory().append("notes", " Local likes beer.");
    }
    try (Agent agent =
        Agent.builder("Desk")
            .model(ScriptedModel.answering(request -> ModelReply.text("Hello.")))
            .memory(store)
            .store(conversations)
            .builtIns("send_message")
            .build()) {
      assertThat(agent.admitPrincipals()).isEmpty();
    }
  }
}
