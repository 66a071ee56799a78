package dev.switchboard.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.loop.TranscriptEntryJson;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/// Replies of the agent's own models in a live session.
class LiveRequestTest {
  private static final Executor NOT_NEEDED =
      step -> {
        throw new AssertionError("nothing is to be shortened");
      };

  private final ManualTime time = new ManualTime();
  private final ScriptedModel model = new ScriptedModel(time);
  private final InProcessConversations store = new InProcessConversations(time);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<String> heard = new CopyOnWriteArrayList<>();

  private AgentBuilder shop() {
    Tool lookup =
        Tool.dynamic("lookup").mode(ToolMode.READ).handler(arguments -> "shipped on Monday");
    return Agent.builder("Shop")
        .prompt("You sell.")
        .model(model)
        .store(store)
        .time(time)
        .tools(lookup);
  }

  private LiveSession open(AgentBuilder agent) {
    return agent.build().live("CA1", ConversationOptions.NONE, events::add);
  }

  private LiveSession.Outcome ask(LiveSession.Request request) {
    return request.reply(heard::add);
  }

  private ModelReply reply(LiveSession.Request request) {
    return ((LiveSession.Outcome.Replied) ask(request)).reply();
  }

  /// A reply with calls, which are run.
  private void callRound(LiveSession live) {
    LiveSession.Request request = live.request(true, NOT_NEEDED);
    List<ToolResult> results =
        live.run(live.replied(reply(request), request)).stream()
            .map(step -> ((CallStep.Settled) step).result())
            .toList();
    assertThat(live.endRound(live.turn(), live.round(), results)).isNull();
  }

  /// The last reply of a turn.
  private void lastRound(LiveSession live) {
    LiveSession.Request request = live.request(true, NOT_NEEDED);
    ModelReply said = reply(request);
    assertThat(live.replied(said, request)).isEmpty();
    live.endTurn(StopReason.END_TURN, said.text());
  }

  private List<TranscriptEntry> lines() {
    return store.lines("CA1", 1_000).stream()
        .<TranscriptEntry>map((Line line) -> TranscriptEntryJson.read("CA1", line))
        .toList();
  }

  private static void continues(ModelRequest earlier, ModelRequest later) {
    List<Message> before = earlier.messages();
    assertThat(later.messages())
        .hasSizeGreaterThan(before.size())
        .startsWith(before.toArray(Message[]::new));
    assertThat(later.declared()).isEqualTo(earlier.declared());
  }

  @Test
  void eachRequestContinuesTheOneBefore() {
    model.calls("lookup", "{}").says("It is ", "on its way.").says("You are welcome.");
    LiveSession live = open(shop());
    live.said("i1", "Where is it?");
    callRound(live);
    lastRound(live);
    live.said("i2", "Thanks.");
    lastRound(live);
    live.close();

    assertThat(heard).containsExactly("It is ", "on its way.", "You are welcome.");
    List<ModelRequest> requests = new ArrayList<>(model.requests());
    assertThat(requests).hasSize(3);
    continues(requests.get(0), requests.get(1));
    continues(requests.get(1), requests.get(2));
    assertThat(requests.getLast().messages())
        .endsWith(
            new Message.Assistant("It is on its way.", List.of()), new Message.User("Thanks."));
  }
}
