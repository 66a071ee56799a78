package dev.switchboard.agent;

import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.guard.SessionGuards;
import dev.switchboard.loop.AgentLoop;
import dev.switchboard.loop.Sentences;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.ruling.Offer;
import dev.switchboard.state.WaitingCall;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The model's part of a round: builds the request, calls hooks, asks the model, shows its text,
/// and gives its calls ids.
final class ModelTurn {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());
  private static final int LONGEST_NAME = 200; // longer than any tool's, so that none becomes one
  private static final String NO_NAME = "(no name)"; // which no tool can have
  // The ids that we give, and those of the runtime's own calls.
  private static final Pattern OURS = Pattern.compile("call_\\d+_\\d+_\\d+_*|auto_.*");

  private final AgentParts agent;
  private final ToolSession session;
  private final SessionGuards guards;
  private final Transcript transcript;
  private final String conversation;
  private final ModelLog log;
  private final RequestBuilder requests;
  private final AtomicInteger droppedIn = new AtomicInteger(); // the turn in which it was said

  ModelTurn(
      AgentParts agent,
      Variables variables,
      ToolSession session,
      TurnRules rules,
      Transcript transcript) {
    this.agent = agent;
    this.session = session;
    guards = agent.executor().guards(session);
    this.transcript = transcript;
    conversation = session.conversationId();
    log = new ModelLog(agent.name(), conversation);
    requests = new RequestBuilder(agent, variables, conversation, rules, transcript);
  }

  /// Asks the model.
  ///
  /// @param key of the request
  /// @param show receives the events; null if no one listens
  /// @param form of the reply, which is not streamed; null for any
  TranscriptEntry.ModelOutcome ask(
      String key, int turn, int round, @Nullable Consumer<Event> show, @Nullable ReplyForm form) {
    ModelCall call = new ModelCall(models(key), agent.limits(), agent.time(), log);
    return session.host().cancellable(call::cancel, () -> ask(call, key, form, turn, round, show));
  }

  /// The models to ask, in order: if a turn has continued with a fallback, that model comes first.
  private List<ChatModel> models(String key) {
    if (agent.fallbacks().isEmpty()) {
      return List.of(agent.model());
    }
    List<ChatModel> models = new ArrayList<>();
    models.add(agent.model());
    models.addAll(agent.fallbacks());
    for (TranscriptEntry entry : transcript.latestTurn(key)) {
      if (entry instanceof TranscriptEntry.Replied replied) {
        List<String> names = models.stream().map(ChatModel::name).toList();
        int since = replied.model() == null ? 0 : names.lastIndexOf(replied.model());
        return models.subList(Math.max(0, since), models.size());
      }
    }
    return models;
  }

  private TranscriptEntry.ModelOutcome ask(
      ModelCall asking,
      String key,
      @Nullable ReplyForm form,
      int turn,
      int round,
      @Nullable Consumer<Event> show) {
    Consumer<Event> shown = show == null ? event -> {} : show;
    Screening screening = new Screening(guards, form != null, form == null ? show : null);
    ModelRequest request = before(requests.build(key, form, asking.models(), shown));
    ModelCall.Shortening shortening =
        (model, window) -> {
          ModelRequest shorter = requests.shorter(key, form, model, window, shown);
          return shorter == null ? null : before(shorter);
        };
    Supplier<ReplyStream> plain = screening.screens() ? screening::stream : streams(form, show);
    Supplier<ReplyStream> streams =
        () -> {
          ReplyStream stream = plain.get();
          stream.onDropped(reason -> dropped(reason, turn, shown));
          return stream;
        };
    return switch (asking.ask(request, streams, shown, shortening)) {
      case ModelCall.Answer.Failed failed when screening.blocked() ->
          new TranscriptEntry.Replied(
              screening.left(ModelReply.text("")), List.of(), false, null, failed.used());
      case ModelCall.Answer.Failed(var reason, var cause, var used) ->
          Sentences.failed(reason, cause, used);
      case ModelCall.Answer.Replied(ModelReply reply, boolean streamed, ChatModel by, var used) -> {
        log.note(by.name(), reply);
        requests.count(reply.usage());
        ModelReply complete = after(reply);
        ModelReply kept = screening.screens() ? screening.left(complete) : complete;
        boolean unstreamed = form == null ? !streamed && !screening.screens() : screening.blocked();
        if (unstreamed && show != null && !kept.text().isEmpty()) {
          show.accept(new Event.Content(kept.text()));
        }
        Event incomplete = Sentences.incomplete(kept);
        if (incomplete != null) {
          shown.accept(incomplete);
        }
        TranscriptEntry.Replied replied = replied(kept, turn, round);
        String other = by.equals(agent.model()) ? null : by.name();
        yield new TranscriptEntry.Replied(
            replied.reply(),
            replied.ids(),
            form != null && !screening.blocked(),
            other,
            used.equals(Map.of(by.name(), replied.reply().usage())) ? Map.of() : used);
      }
    };
  }

  /// Says once a turn that the provider did not use the reasoning of earlier replies.
  private void dropped(String reason, int turn, Consumer<Event> shown) {
    if (droppedIn.getAndSet(turn) != turn) {
      shown.accept(Sentences.droppedReasoning(reason));
    }
  }

  private static Supplier<ReplyStream> streams(
      @Nullable ReplyForm form, @Nullable Consumer<Event> show) {
    if (show == null) {
      return ReplyStream::unheard;
    }
    return form == null
        ? () -> new ReplyStream(words -> show.accept(new Event.Content(words)))
        : ReplyStream::held;
  }

  /// The prompt with memory and rules, for a model with these tools.
  String instructions(Offer offer) {
    return requests.instructions(offer.tools(), agent.memory().prompt().text());
  }

  /// The messages, with results cut that are too long for the model's window.
  List<Message> fitted(List<Message> messages) {
    return requests.fitted(messages, agent.model());
  }

  private ModelRequest before(ModelRequest request) {
    ModelRequest changed = request;
    for (ModelHook hook : agent.hooks()) {
      ModelRequest now = changed;
      ModelRequest other = guarded(() -> hook.beforeModel(conversation, now));
      changed = other == null ? changed : other;
    }
    // A hook that makes a request of its own does not know of forms.
    return changed.format() == null ? changed.withFormat(request.format()) : changed;
  }

  private ModelReply after(ModelReply reply) {
    ModelReply changed = reply;
    for (ModelHook hook : agent.hooks()) {
      ModelReply now = changed;
      ModelReply other = guarded(() -> hook.afterModel(conversation, now));
      changed = other == null ? changed : other;
    }
    return changed;
  }

  private <T> @Nullable T guarded(Supplier<@Nullable T> hook) {
    try {
      return hook.get();
    } catch (RuntimeException thrown) {
      ExceptionLog.warn(LOG, ExceptionLog.in(agent.name(), conversation, "a hook failed"), thrown);
      return null;
    }
  }

  /// The id, made longer if another host of the conversation has used it.
  private String free(String id) {
    String free = id;
    while (waits(free) || session.result(free) != null) {
      free += "_";
    }
    return free;
  }

  private boolean waits(String id) {
    List<WaitingCall> waiting = session.state().waiting();
    return !waiting.isEmpty() && waiting.stream().anyMatch(call -> call.request().id().equals(id));
  }

  /// The name as the model said it: only a tool of exactly that name may run.
  private static String name(RequestedCall call) {
    String said = call.name();
    return said.isBlank() ? NO_NAME : said.substring(0, Math.min(said.length(), LONGEST_NAME));
  }

  /// The reply with ids that are unique in the conversation, and the provider's own id if it gave a
  /// unique one.
  TranscriptEntry.Replied replied(ModelReply reply, int turn, int round) {
    if (reply.calls().isEmpty()) {
      return new TranscriptEntry.Replied(reply, List.of());
    }
    Set<String> taken = new HashSet<>();
    List<String> ids = new ArrayList<>();
    List<RequestedCall> calls = new ArrayList<>();
    for (RequestedCall call : reply.calls()) {
      String name = name(call);
      String own = free("call_" + turn + '_' + round + '_' + (ids.size() + 1));
      boolean usable =
          !call.id().isBlank()
              && !OURS.matcher(call.id()).matches()
              && !transcript.history().knowsCall(call.id())
              && taken.add(call.id());
      ids.add(own);
      ToolCall clean = guards.redacted(new ToolCall(own, name, call.arguments()));
      calls.add(
          new RequestedCall(
              usable ? call.id() : own, clean.name(), clean.arguments(), call.extra()));
    }
    return new TranscriptEntry.Replied(reply.withCalls(calls), ids);
  }
}
