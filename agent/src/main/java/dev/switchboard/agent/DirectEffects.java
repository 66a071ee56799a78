package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.guard.Guards;
import dev.switchboard.guard.SessionGuards;
import dev.switchboard.loop.Effects;
import dev.switchboard.loop.Exhausted;
import dev.switchboard.loop.Input;
import dev.switchboard.loop.Sentences;
import dev.switchboard.loop.Spend;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.Spending;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The effects of a conversation in one process: they happen at once, and their outcomes are stored
/// in the transcript, the results of calls in the executor's log.
///
/// One thread at a time drives it; cancels and events of running calls come from others.
final class DirectEffects implements Effects {
  private final AgentParts agent;
  private final ToolSession session;
  private final HostSession host;
  private final TurnRules rules;
  private final SessionGuards guards;
  private final Transcript transcript;
  private final ModelTurn modelTurn;
  private final TurnForms forms;
  private final RoundCalls calls;
  private final SpendCheck spendCheck;
  private volatile boolean listened;

  DirectEffects(AgentParts agent, Variables variables, ToolSession session, Transcript transcript) {
    this.agent = agent;
    this.session = session;
    host = session.host();
    rules = agent.executor().rules(session);
    guards = agent.executor().guards(session);
    this.transcript = transcript;
    calls = new RoundCalls(agent, session, rules, transcript);
    spendCheck = new SpendCheck(agent, session, transcript, calls);
    forms = new TurnForms(agent.form(), transcript);
    modelTurn = new ModelTurn(agent, variables, session, rules, transcript);
  }

  /// Prepares for a turn.
  ///
  /// @param wanted whether the model's text is to be streamed
  void open(boolean wanted) {
    listened = wanted || host.events().isLogged();
    host.forgetCancelledTurn();
  }

  /// Sets whether the following effects were begun by a process that died.
  void replaying(boolean now) {
    calls.replaying(now);
    rules.setMayHaveBegun(now && host.lease().isTakenOver());
  }

  @Override
  public TranscriptEntry.Said begin(String key, Input.Said said) {
    List<Guards.Report> reports = new ArrayList<>();
    TranscriptEntry.Said begun;
    if (transcript.find(key) instanceof TranscriptEntry.Said before) {
      // A process that died may not have logged it.
      transcript.log(before);
      begun = before;
    } else {
      begun = transcript.write(key, checked(said, reports::add));
    }
    // Without effect if the line has begun it.
    host.beginTurn(begun.turn(), begun.by());
    reports.forEach(guards::report);
    return begun;
  }

  /// The message after the guardrails; blocked text is not stored.
  private TranscriptEntry.Said checked(Input.Said said, Consumer<Guards.Report> reports) {
    Guards.Verdict verdict = guards.input(said.text(), reports);
    String text = verdict.by() == null ? verdict.text() : blocked(verdict.by());
    return new TranscriptEntry.Said(
        said.id(),
        text,
        said.run(),
        session.state().turn() + 1,
        verdict.by() == null ? said.files() : List.of(),
        said.reply(),
        verdict.substitute(),
        said.by());
  }

  /// The text that replaces what a guardrail has blocked.
  static String blocked(String guardrail) {
    return "(blocked by guardrail '" + guardrail + "')";
  }

  /// The forms that replies must have.
  TurnForms forms() {
    return forms;
  }

  @Override
  public void start(String key) {
    boolean replied = transcript.hasReplied(key);
    rules.begin();
    // After the first reply, which a dead process got, calls are in the line of the round's end.
    if (!replied) {
      List<ToolResult> unused = rules.callDue();
      ownCalls(key);
    }
  }

  /// Records the runtime's own calls in this turn, unless they are recorded.
  List<Message> ownCalls(String key) {
    List<Message> messages = modelTurn.fitted(calls.unwritten());
    if (!messages.isEmpty() && transcript.find(key) == null) {
      transcript.write(key, new TranscriptEntry.Called(messages));
    }
    return messages;
  }

  @Override
  public TranscriptEntry.ModelOutcome ask(String key, int turn, int round) {
    String words = key + "/words";
    TranscriptEntry.ModelOutcome before = asked(key);
    if (before != null) {
      if (calls.isReplaying() && before instanceof TranscriptEntry.Replied reply && !reply.held()) {
        host.events().complete(words, reply.reply().text());
      }
      return before;
    }
    TranscriptEntry.ModelOutcome again = transcript.unwritten(key);
    if (again != null) {
      return written(key, again);
    }
    TranscriptEntry.ModelOutcome outcome =
        rules.beginsRequest(key)
            ? modelTurn.ask(key, turn, round, shown(words), forms.now())
            : Sentences.setAside();
    return written(key, outcome);
  }

  /// Writes an outcome, and counts what models have used for it.
  <E extends TranscriptEntry.ModelOutcome> E written(String key, E outcome) {
    Spending.Sum used = agent.spending().priced(outcome.used(agent.model().name()));
    E line = transcript.write(key, outcome, used);
    agent.spending().count(used);
    return line;
  }

  @Override
  public Spend spend(String key, int turn, int round, int number) {
    return spendCheck.check(turn, round, number);
  }

  /// The limit of the budget that a request would exceed where no person can be asked, null for
  /// none.
  @Nullable Exhausted exceeded() {
    return spendCheck.exceeded();
  }

  @Override
  public TranscriptEntry.@Nullable ModelOutcome asked(String key) {
    return transcript.find(key) instanceof TranscriptEntry.ModelOutcome outcome ? outcome : null;
  }

  /// The receiver of a reply's events, whose text is logged under that key; null for none.
  private @Nullable Consumer<Event> shown(String words) {
    if (!listened) {
      return null;
    }
    if (calls.isReplaying()) {
      host.events().restart(words);
    }
    return event -> {
      if (event instanceof Event.Content(String text)) {
        host.events().showText(words, text);
      } else {
        host.events().show(event);
      }
    };
  }

  /// The model's part of its rounds.
  ModelTurn model() {
    return modelTurn;
  }

  /// The calls of its rounds.
  RoundCalls calls() {
    return calls;
  }

  @Override
  public List<CallStep> runAll(String key, List<ToolCall> round) {
    return calls.runAll(round);
  }

  @Override
  public void answer(String key, String request, Answer answer) {
    agent.executor().answer(request, answer, session);
    host.lease().checkHeld();
  }

  @Override
  public List<ConsentRequest> waiting(String key) {
    return calls.waiting();
  }

  @Override
  public void hangUp(String key) {
    session.cancel();
    calls
        .waiting()
        .forEach(one -> answer(key, one.id(), Answer.deny("the conversation has ended")));
  }

  @Override
  public TranscriptEntry.Ended endRound(
      String key,
      TranscriptEntry.Replied replied,
      List<ToolResult> results,
      @Nullable StopReason stop) {
    RoundEnd end = roundEnd(replied, results, stop);
    TranscriptEntry.Ended ended;
    if (transcript.find(key) instanceof TranscriptEntry.Ended before) {
      ended = before;
    } else {
      List<Message> messages = messages(replied, results);
      LoopDecision decision = judged(key, replied, rules.decide(end));
      ended = transcript.write(key, new TranscriptEntry.Ended(messages, decision));
    }
    rules.apply(ended.decision(), end);
    return ended;
  }

  /// A text that replaces blocked text need not match the schema.
  private LoopDecision judged(String key, TranscriptEntry.Replied replied, LoopDecision decision) {
    return replied.held() ? forms.judged(key, replied.reply(), decision) : decision;
  }

  /// Records the end of a round with that decision, unless it is recorded.
  void endRound(
      String key,
      TranscriptEntry.Replied replied,
      List<ToolResult> results,
      LoopDecision decision) {
    if (transcript.find(key) == null) {
      transcript.write(key, new TranscriptEntry.Ended(messages(replied, results), decision));
    }
  }

  /// The results of a round as messages, and the calls that the runtime has made since the last
  /// one, those that are due now among them.
  private List<Message> messages(TranscriptEntry.Replied replied, List<ToolResult> results) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      messages.add(RoundCalls.message(replied.reply().calls().get(i), results.get(i)));
    }
    if (!results.isEmpty()) {
      List<ToolResult> unused = rules.callDue();
    }
    messages.addAll(calls.unwritten());
    return modelTurn.fitted(messages);
  }

  /// The text beside a tool that ends the loop without a message is the last one, even if the end
  /// is delayed.
  private RoundEnd roundEnd(
      TranscriptEntry.Replied replied, List<ToolResult> results, @Nullable StopReason stop) {
    RoundEnd.Exit exit = rules.exit(replied.reply().calls(), results);
    String words = replied.reply().text();
    if (exit != null
        && exit.message() == null
        && exit.reason() == StopReason.TOOL_RULE
        && !words.isBlank()) {
      exit = new RoundEnd.Exit(StopReason.TOOL_RULE, words, true);
    }
    return new RoundEnd(stop, exit, !results.isEmpty());
  }

  @Override
  public void finish(String key) {
    if (transcript.find(key) == null) {
      List<String> unused = rules.finish();
      host.lease().checkHeld();
      ownCalls(key);
    }
  }

  @Override
  public TranscriptEntry.Closed close(String key, TranscriptEntry.Closed closing) {
    if (session.state().isSetAside()) {
      show(key + "/set_aside", Sentences.SET_ASIDE);
    }
    TranscriptEntry.Said said = transcript.said();
    if (calls.isReplaying() && said != null) {
      // Of calls that a dead process made and that were not made again.
      rules.settleLeft("user/" + said.input());
    }
    return transcript.find(key) instanceof TranscriptEntry.Closed before
        ? before
        : transcript.write(key, withUsage(closing));
  }

  /// The end of a turn with what its models have used.
  private TranscriptEntry.Closed withUsage(TranscriptEntry.Closed closing) {
    Spending.Sum sum = session.state().spending().turn();
    Map<String, ModelReply.Usage> models = new HashMap<>();
    sum.models().forEach((name, used) -> models.put(name, used.usage()));
    boolean priced =
        !models.isEmpty() && models.keySet().stream().allMatch(agent.spending().prices()::has);
    return closing.with(rules.outstanding(), models, priced ? sum.cost() : null);
  }

  @Override
  public boolean cancelled(String key) {
    return session.cancelled()
        || Thread.currentThread().isInterrupted()
        || session.state().isSetAside();
  }

  @Override
  public boolean hasListeners() {
    return listened;
  }

  @Override
  public void show(String key, Event event) {
    host.events().show(key, event);
  }

  @Override
  public void rest(String key, List<ConsentRequest> waiting, Event event) {
    List<ConsentAnswer> answers = session.state().answers();
    // An answered request waits again if its call was cut off.
    String since = answers.isEmpty() ? "" : "/" + answers.getLast().at().toEpochMilli();
    Effects.super.rest(key + since, waiting, event);
  }
}
