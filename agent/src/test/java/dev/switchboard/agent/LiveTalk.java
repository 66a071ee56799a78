package dev.switchboard.agent;

import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.loop.TranscriptEntryJson;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.state.Spending;
import dev.switchboard.testing.ManualTime;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A live session in which a scripted model replies.
abstract class LiveTalk {
  static final Executor NOT_NEEDED =
      step -> {
        throw new AssertionError("nothing is to be shortened");
      };

  final ManualTime time = new ManualTime();
  final ScriptedModel model = new ScriptedModel(time);
  final InProcessConversations store = new InProcessConversations(time);
  final List<Event> events = new CopyOnWriteArrayList<>();
  final List<String> heard = new CopyOnWriteArrayList<>();

  /// A model under another name.
  record Named(String name, ChatModel model) implements ChatModel {
    @Override
    public ModelReply reply(ModelRequest request, ReplyStream stream) {
      return model.reply(request, stream);
    }

    @Override
    public boolean endsWhenCancelled() {
      return true;
    }
  }

  AgentBuilder shop() {
    Tool lookup =
        Tool.dynamic("lookup").mode(ToolMode.READ).handler(arguments -> "shipped on Monday");
    return Agent.builder("Shop")
        .prompt("You sell.")
        .model(model)
        .store(store)
        .time(time)
        .tools(lookup);
  }

  LiveSession open(AgentBuilder agent) {
    return agent.build().live("CA1", ConversationOptions.NONE, events::add);
  }

  LiveSession.Outcome ask(LiveSession.Request request) {
    return request.reply(heard::add);
  }

  ModelReply reply(LiveSession.Request request) {
    return ((LiveSession.Outcome.Replied) ask(request)).reply();
  }

  /// A round with calls, which are run.
  RoundEnd.@Nullable Exit callRound(LiveSession live) {
    LiveSession.Request request = live.request(true, NOT_NEEDED);
    List<ToolResult> results =
        live.run(live.replied(reply(request), request)).stream()
            .map(step -> ((CallStep.Settled) step).result())
            .toList();
    return live.endRound(live.turn(), live.round(), results);
  }

  /// The last round of a turn; returns its text.
  String lastRound(LiveSession live) {
    return lastRound(live, NOT_NEEDED);
  }

  String lastRound(LiveSession live, Executor journal) {
    LiveSession.Request request = live.request(true, journal);
    ModelReply said = reply(request);
    var unused = live.replied(said, request);
    live.endTurn(StopReason.END_TURN, said.text());
    return said.text();
  }

  /// The stored lines of that type.
  <E extends TranscriptEntry> List<E> lines(Class<E> type) {
    return store.lines("CA1", 1_000).stream()
        .<TranscriptEntry>map((Line line) -> TranscriptEntryJson.read("CA1", line))
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  List<String> keys() {
    return store.lines("CA1", 1_000).stream().map(Line::key).toList();
  }

  static Spending spending(LiveSession live) {
    return live.session().state().spending();
  }

  static ModelReply used(String text, long input, long output) {
    return ModelReply.text(text).withUsage(new ModelReply.Usage(input, output));
  }

  /// The words of the agent's events, such as `model_fallback`.
  List<String> agentEvents() {
    return events.stream()
        .filter(Event.AgentEvent.class::isInstance)
        .map(event -> ((Event.AgentEvent) event).event())
        .toList();
  }
}
