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
import dev.switchboard.ruling.Offer;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.tool.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The model's part of a round: builds the request, calls hooks, asks the model, shows its text,
/// and makes the line of its reply.
///
/// Used by one thread at a time, except for a request that is built.
final class ModelTurn {
  private static final System.Logger LOG = System.getLogger(AgentLoop.class.getName());

  private final AgentParts agent;
  private final ToolSession session;
  private final SessionGuards guards;
  private final Transcript transcript;
  private final AssignedIds ids;
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
    ids = new AssignedIds(session, guards, transcript);
    requests = new RequestBuilder(agent, variables, conversation, rules, transcript);
  }

  /// Asks the model.
  ///
  /// @param key of the request
  /// @param show receives the events; null if no one listens
  /// @param form of the reply, which is not streamed; null for any
  TranscriptEntry.ModelOutcome ask(
      String key, int turn, int round, @Nullable Consumer<Event> show, @Nullable ReplyForm form) {
    Consumer<Event> shown = show == null ? event -> {} : show;
    Asking asking = build(new RequestBuilder.Wanted(key, form, true, shown), turn);
    ModelCall.Answer answer =
        session
            .host()
            .cancellable(asking::cancel, () -> asking.ask(show, UnaryOperator.identity()));
    return switch (answer) {
      case ModelCall.Answer.Failed(var reason, var cause, var by, var used) ->
          Sentences.failed(reason, cause, used);
      case ModelCall.Answer.Replied replied -> line(replied.reply(), asking, turn, round);
    };
  }

  /// Builds a request.
  Asking build(RequestBuilder.Wanted wanted, int turn) {
    List<ChatModel> models = models(wanted.key());
    return new Asking(wanted, turn, models, requests.build(wanted, models));
  }

  /// The line of a reply to a request, once that is answered.
  ///
  /// @param said what is left of the reply
  TranscriptEntry.Replied line(ModelReply said, Asking asking, int turn, int round) {
    ModelCall.Answer answer = asking.answer();
    requests.count(asking.usage());
    TranscriptEntry.Replied line = ids.assign(said, turn, round);
    String by = answer.by().name();
    return new TranscriptEntry.Replied(
        line.reply(),
        line.ids(),
        asking.held,
        answer.by().equals(agent.model()) ? null : by,
        answer.used().equals(Map.of(by, line.reply().usage())) ? Map.of() : answer.used());
  }

  /// The line of a reply that a model of the host has made.
  TranscriptEntry.Replied line(ModelReply said, int turn, int round) {
    return ids.assign(said, turn, round);
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

  /// A request that is built. It is asked once, on any thread, and cancelled from any.
  final class Asking {
    private final RequestBuilder.Wanted wanted;
    private final int turn;
    private final ModelCall call;
    private final ModelRequest first;
    private boolean held; // whether the text is shown at the end of the turn
    private ModelReply.Usage usage = ModelReply.Usage.NONE; // as the model has counted
    private volatile ModelCall.@Nullable Answer answer; // written after the others

    private Asking(
        RequestBuilder.Wanted wanted, int turn, List<ChatModel> models, ModelRequest first) {
      this.wanted = wanted;
      this.turn = turn;
      this.first = first;
      call = new ModelCall(models, agent.limits(), agent.time(), log);
    }

    /// Cancels it.
    void cancel() {
      call.cancel();
    }

    /// Whether it is answered.
    boolean isAnswered() {
      return answer != null;
    }

    /// The answer after hooks and guardrails, once it is there.
    ModelCall.Answer answer() {
      return Objects.requireNonNull(answer);
    }

    /// What the model has counted for its reply.
    ModelReply.Usage usage() {
      return usage;
    }

    /// Waits for the answer.
    ///
    /// @param show receives the events and the text; null if no one listens
    /// @param onThread takes what makes the request shorter to the thread of the conversation
    ModelCall.Answer ask(
        @Nullable Consumer<Event> show, UnaryOperator<ModelCall.Shortening> onThread) {
      boolean formed = wanted.form() != null;
      Screening screening = new Screening(guards, formed, formed ? null : show);
      ModelCall.Shortening shortening =
          onThread.apply((model, window) -> requests.shorter(wanted, model, window));
      ModelCall.Answer given =
          call.ask(
              before(first),
              () -> stream(screening, show),
              wanted.show(),
              (model, window) -> {
                ModelRequest shorter = shortening.shorter(model, window);
                return shorter == null ? null : before(shorter);
              });
      ModelCall.Answer left = left(given, screening, show);
      held = formed && !screening.blocked();
      answer = left;
      return left;
    }

    private ReplyStream stream(Screening screening, @Nullable Consumer<Event> show) {
      ReplyStream stream = screening.screens() ? screening.stream() : unscreened(show);
      stream.onDropped(reason -> dropped(reason, turn, wanted.show()));
      return stream;
    }

    private ReplyStream unscreened(@Nullable Consumer<Event> show) {
      if (show == null) {
        return ReplyStream.unheard();
      }
      return wanted.form() == null
          ? new ReplyStream(words -> show.accept(new Event.Content(words)))
          : ReplyStream.held();
    }

    private ModelCall.Answer left(
        ModelCall.Answer given, Screening screening, @Nullable Consumer<Event> show) {
      return switch (given) {
        case ModelCall.Answer.Failed(var reason, var cause, var by, var used) ->
            screening.blocked()
                ? new ModelCall.Answer.Replied(screening.left(ModelReply.text("")), true, by, used)
                : given;
        case ModelCall.Answer.Replied(ModelReply reply, boolean streamed, var by, var used) -> {
          log.note(by.name(), reply);
          usage = reply.usage();
          ModelReply complete = after(reply);
          ModelReply kept = screening.screens() ? screening.left(complete) : complete;
          boolean unstreamed =
              wanted.form() == null ? !streamed && !screening.screens() : screening.blocked();
          if (unstreamed && show != null && !kept.text().isEmpty()) {
            show.accept(new Event.Content(kept.text()));
          }
          Event incomplete = Sentences.incomplete(kept);
          if (incomplete != null) {
            wanted.show().accept(incomplete);
          }
          yield new ModelCall.Answer.Replied(kept, streamed, by, used);
        }
      };
    }
  }

  /// Says once a turn that the provider did not use the reasoning of earlier replies.
  private void dropped(String reason, int turn, Consumer<Event> shown) {
    if (droppedIn.getAndSet(turn) != turn) {
      shown.accept(Sentences.droppedReasoning(reason));
    }
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
}
