package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Announcement.Topic;
import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.InputJson;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.Selection;
import dev.switchboard.state.Selection.Activity;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.text.PrincipalName;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process that shares a store learns of the work of others, and may do beside it.
@SuppressWarnings("try") // workers are there to be closed
class ClaimedConversationTest {
  private static final Duration HOLD = Duration.ofSeconds(10);

  @TempDir private Path folder;

  private final ScriptedModel model = new ScriptedModel();
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private Storage storage;
  private Agent agent;
  private ConversationStore store;
  private ConversationQueue queue;

  @BeforeEach
  void open() {
    storage = Storage.shared("sqlite:shared.db", folder);
    store = storage.conversations("Desk");
    queue = Objects.requireNonNull(store.queue());
    Tool note =
        Tool.dynamic("note")
            .handler(arguments -> {
              ran.add("note");
              return "Noted.";
            });
    agent =
        Agent.builder("Desk")
            .model(model)
            .store(store)
            .tools(note)
            .rules(ToolRule.consent("note"))
            .build();
  }

  @AfterEach
  void close() {
    agent.close();
    storage.close();
  }

  private Standing standing() {
    return Objects.requireNonNull(queue.standing(List.of("c", "none")).get("c"));
  }

  @Test
  void aCallByHandRunsInWhicheverProcessReadsItsAnswer() {
    ToolCall call = ToolCall.of("hand_1", "note", "{}");
    try (Conversation asked = agent.conversation("c")) {
      assertThat(asked.call(call, event -> {})).isInstanceOf(Turn.Pending.class);
      assertThat(asked.decide("hand_1", Answer.approveOnce())).isNotNull();
    }
    assertThat(queue.due()).isOne();

    try (Agent.Worker unused = agent.work(new Agent.Cluster(HOLD, 1))) {
      await().until(() -> !standing().isRunning());
    }

    assertThat(ran).containsExactly("note");
    assertThat(agent.conversation("c").history().toString()).contains("Noted.");
    assertThat(queue.due()).isZero();
  }

  @Test
  void oneThatIsOpenInItsProcessIsWorkedOnAllTheSame() {
    model.says("Hello.");
    Conversation before = agent.conversation("c");
    boolean unused = agent.queue().submit("c", new Input.Said("i1", "Hi"));

    try (Agent.Worker worker = agent.work(new Agent.Cluster(HOLD, 1))) {
      await().until(() -> !standing().isRunning());
    }
    before.close();

    assertThat(store.events("c", 0, 99))
        .extracting(one -> one.event().text())
        .last()
        .asString()
        .contains("end_turn");
  }

  private List<String> running() {
    return store.directory().conversations(new Selection(null, Activity.RUNNING, null, 9)).stream()
        .map(Summary::id)
        .toList();
  }

  /// As a second server does that has looked for it before the first one's turn, and submits after.
  @Test
  void anInputThatComesAgainAfterItsTurnIsRemoved() {
    model.says("Hello.");
    Input.Said said = new Input.Said("i1", "Hi");
    boolean unused = agent.queue().submit("c", said);
    try (Agent.Worker worker = agent.work(new Agent.Cluster(HOLD, 1))) {
      await().until(() -> !standing().isRunning());
      unused = queue.submit("c", PrincipalName.LOCAL, InputJson.line(said));
      await().until(() -> !standing().isRunning());
    }

    assertThat(queue.inputs("c")).isEmpty();
    assertThat(model.requests()).hasSize(1);
    assertThat(store.events("c", 0, 99))
        .last()
        .extracting(Event.Logged::key)
        .isEqualTo("turn1/end/0");
  }

  @Test
  void howItStandsIsToldWithItsEvents() {
    List<Topic> told = new CopyOnWriteArrayList<>();
    model.blocks().and().says("Hello.");
    try (ConversationQueue.Listening unusedListening = queue.listen(what -> add(told, what))) {
      assertThat(queue.standing(List.of("c"))).isEqualTo(Map.of());
      boolean unused = agent.queue().submit("c", new Input.Said("i1", "Hi"));
      assertThat(standing()).isEqualTo(new Standing(0, false, true));
      assertThat(running()).containsExactly("c");
      try (Agent.Worker unusedWorker = agent.work(new Agent.Cluster(HOLD, 1))) {
        model.awaitRequests(1);
        assertThat(standing().held()).isTrue();
        assertThat(Objects.requireNonNull(store.directory().conversation("c")).running()).isTrue();
        model.release();
        await().until(() -> told.contains(Topic.RESTED));
      }
      assertThat(standing()).isEqualTo(new Standing(store.events("c", 0, 99).size(), false, false));
      assertThat(running()).isEmpty();
      assertThat(told).contains(Topic.DUE, Topic.EVENTS).doesNotContain(Topic.ASKED);
    }
  }

  private static void add(List<Topic> told, Announcement what) {
    assertThat(what.conversation()).isEqualTo("c");
    told.add(what.topic());
  }

  @Test
  void thatAPersonIsAskedIsToldApart() {
    List<Topic> told = new CopyOnWriteArrayList<>();
    model.calls("note", "{}");
    try (ConversationQueue.Listening unusedListening = queue.listen(what -> add(told, what));
        Agent.Worker unusedWorker = agent.work(new Agent.Cluster(HOLD, 1))) {
      boolean unused = agent.queue().submit("c", new Input.Said("i1", "Note it"));
      await().until(() -> told.contains(Topic.RESTED));
      assertThat(told).contains(Topic.ASKED);
      assertThat(standing().isRunning()).isFalse();
    }
  }
}
