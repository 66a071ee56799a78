package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.memory.Block;
import dev.switchboard.memory.Entry;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.memory.MemoryQuery;
import dev.switchboard.state.Grant;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredConversationsTest {
  private final ManualTime time = new ManualTime();
  private final InProcessConversations store = new InProcessConversations();
  private final InProcessMemory memory = new InProcessMemory();
  private final ScriptedModel model = new ScriptedModel();
  private final StoredConversations stored = new StoredConversations("desk", store, memory, time);

  private Agent agent() {
    return Agent.builder("desk")
        .model(model)
        .memory(memory)
        .blocks(List.of(Block.of("desk", "guest", Block.Kind.CORE)))
        .builtIns("recall", "search", "block")
        .tools(Tool.dynamic("pay").mode(ToolMode.LOCAL).handler(arguments -> "paid"))
        .store(store)
        .time(time)
        .build();
  }

  private long remembered(String domain) {
    return memory.search(MemoryQuery.of("desk", "", domain)).total();
  }

  @Test
  void forgetsAConversationWithItsWordsAndRequests() {
    model
        .calls("recall", "{\"operation\":\"insert\",\"label\":\"diet\",\"content\":\"no meat\"}")
        .says("Noted.")
        .calls("recall", "{\"operation\":\"insert\",\"label\":\"diet\",\"content\":\"fish\"}")
        .says("Noted too.")
        .calls("pay", "{}");
    try (Agent agent = agent()) {
      agent.conversation("one").say("I eat no meat");
      agent.conversation("other").say("I eat fish");
      agent.conversation("one").say("Pay");
    }
    assertThat(stored.find("one")).extracting(Summary::waiting).isEqualTo(1);
    assertThat(stored.show("one").lines()).isNotEmpty();
    assertThat(remembered(Entry.ARCHIVAL)).isEqualTo(2);

    assertThat(stored.delete("one", false)).isTrue();
    assertThat(stored.delete("one", false)).isFalse();
    assertThat(stored.find("one")).isNull();
    assertThat(stored.show("one").lines()).isEmpty();
    assertThat(store.waiting()).isEmpty();
    assertThat(
            memory.search(MemoryQuery.of("desk", "meat", "conversations", Entry.ARCHIVAL)).total())
        .isZero();
    assertThat(remembered(Entry.ARCHIVAL)).isEqualTo(1);
    assertThat(stored.all()).extracting(Summary::id).containsExactly("other");
    model.says("Hello again.");
    try (Agent agent = agent()) {
      assertThat(agent.conversation("one").say("Hi").text()).isEqualTo("Hello again.");
      assertThat(agent.conversation("one").history()).hasSize(2);
    }
  }

  @Test
  void forgetsTheLastingConsentsThatWereGivenInAConversation() {
    model.calls("pay", "{}").says("Paid.").calls("pay", "{}").says("Paid too.");
    try (Agent agent = agent()) {
      for (String id : List.of("one", "other")) {
        Conversation talk = agent.conversation(id);
        if (talk.say("Pay") instanceof Turn.Pending(var requests)) {
          talk.answer(requests.getFirst(), Answer.approveAlways());
        }
      }
    }
    assertThat(store.agent().load().value().grants().all())
        .extracting(Grant::conversation)
        .containsExactly("one");

    assertThat(stored.delete("other", false)).isTrue();
    assertThat(store.agent().load().value().grants().all()).hasSize(1);
    assertThat(stored.delete("one", false)).isTrue();
    assertThat(store.agent().load().value().grants().all()).isEmpty();
  }

  @Test
  void leavesAConversationAloneThatAProcessHolds() {
    model.says("Hi.");
    try (Agent agent = agent()) {
      agent.conversation("one").say("Hello");
    }
    OtherProcess.takes(store, "one", time.now().plusSeconds(20));

    assertThatThrownBy(() -> stored.delete("one", false))
        .isInstanceOfSatisfying(
            ConversationConflictException.class,
            e -> assertThat(e.held()).isEqualTo(Duration.ofSeconds(20)));
    assertThat(stored.find("one")).isNotNull();
    assertThat(stored.delete("one", true)).isTrue();
    assertThat(stored.find("one")).isNull();
  }

  @Test
  void aProcessThatIsInADeletedConversationIsSentAway() {
    model.says("Hi.").says("Ho.");
    try (Agent agent = agent()) {
      Conversation talk = agent.conversation("one");
      talk.say("Hello");
      assertThat(stored.delete("one", false)).isTrue();

      assertThatThrownBy(() -> talk.say("Still there?"))
          .isInstanceOf(ConversationConflictException.class);
    }
  }

  @Test
  void tellsWhatIsOlder() {
    model.says("Hi.");
    try (Agent agent = agent()) {
      agent.conversation("one").say("Hello");
    }

    assertThat(stored.before(Time.SYSTEM.now().plusSeconds(9))).hasSize(1);
    assertThat(stored.before(Time.SYSTEM.now().minusSeconds(9))).isEmpty();
  }
}
