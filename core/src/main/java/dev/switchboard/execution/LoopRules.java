package dev.switchboard.execution;

import dev.switchboard.check.Checked;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.guard.Guards;
import dev.switchboard.guard.Screen;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.Decision;
import dev.switchboard.ruling.LoopControl;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.ruling.Offer;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.ruling.RuleState;
import dev.switchboard.ruling.RuleText;
import dev.switchboard.ruling.StartCall;
import dev.switchboard.ruling.StartStep;
import dev.switchboard.ruling.ToolChecks;
import dev.switchboard.ruling.Violation;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Ledger;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules of an executor for the loop of a conversation: start calls, offered tools, how the
/// loop continues after a round, and its end. Calls that a rule requires are made here, through the
/// execution pipeline.
///
/// Thread-safe.
public final class LoopRules {
  private final RuleBook book;
  private final CallCheck check;
  private final Pipeline pipeline;
  private final LeftCalls left;

  LoopRules(RuleBook book, CallCheck check, Pipeline pipeline) {
    this.book = book;
    this.check = check;
    this.pipeline = pipeline;
    left = new LeftCalls(pipeline);
  }

  /// The tools that a model is offered in that conversation now, with their allowed operations, and
  /// whether it has to call one.
  public Offer offer(ToolSession session) {
    return book.offer(session);
  }

  /// Why the rules would refuse a call of that tool now, the rest of a sentence; null if they would
  /// not.
  public @Nullable String refusal(String tool, ToolSession session) {
    ToolCall call = ToolCall.of(tool, Json.EMPTY_OBJECT);
    return switch (book.judge(book.rules(session).checks(tool), call, session)) {
      case Decision.Allowed allowed -> null;
      case Decision.Denied denied -> denied.sentence();
    };
  }

  /// The tools that a model may ever be offered: those that are not forbidden, with their allowed
  /// operations.
  public List<ToolDefinition> definitions() {
    return book.everStated();
  }

  /// As [#definitions()], for a conversation with its own tools, which follow the others.
  public List<ToolDefinition> definitions(ToolSession session) {
    return book.everStated(session);
  }

  /// The tools of [#definitions()] in the form in which models read them.
  public List<ToolDefinition> read() {
    return book.everRead();
  }

  /// The tools of [#definitions(ToolSession)] in the form in which models read them.
  public List<ToolDefinition> read(ToolSession session) {
    return book.everRead(session);
  }

  /// As [#offer], with the tools as they are stated.
  public Offer stated(ToolSession session) {
    return book.stated(session);
  }

  /// The verdict of the guardrails on the user's words.
  ///
  /// @param tell receives reports of matches
  public Guards.Verdict input(String words, Consumer<Guards.Report> tell) {
    return check.guards().check(Guardrail.Place.INPUT, words, tell);
  }

  /// Reports a match to the conversation and the listeners.
  public void tell(Guards.Report report, ToolSession session) {
    check.tell(report, session);
  }

  /// The screen of a reply's text, null if no guardrail checks replies.
  ///
  /// @param show receives text that may be shown
  public @Nullable Screen screen(Consumer<String> show, ToolSession session) {
    return check.guards().look(Guardrail.Place.OUTPUT)
        ? check.guards().screen(show, report -> check.tell(report, session))
        : null;
  }

  /// The verdict of the guardrails on a whole text of the agent.
  public Guards.Verdict output(String words, ToolSession session) {
    return check.guards().checkOutput(words, report -> check.tell(report, session));
  }

  /// The text as the user may read it.
  public String said(String words, ToolSession session) {
    return check.said(words, session);
  }

  /// The screen of a reply that is spoken as it arrives, null if no guardrail checks replies.
  public @Nullable Screen spoken(ToolSession session) {
    return check.guards().look(Guardrail.Place.OUTPUT)
        ? check.guards().spoken(report -> check.tell(report, session))
        : null;
  }

  /// What the slow guardrails say instead of spoken text; null for nothing.
  public @Nullable String judged(String words, ToolSession session) {
    return check.guards().judge()
        ? check.guards().judged(words, report -> check.tell(report, session)).substitute()
        : null;
  }

  /// The user's words after the quick guardrails, to be shown at once.
  public String shown(String words) {
    return check.guards().shown(words);
  }

  /// The call, with the replacements of guardrails in its arguments.
  public ToolCall redacted(ToolCall call, ToolSession session) {
    return check.guards().redacted(call, report -> check.tell(report, session));
  }

  /// The rules in words, for the end of a model's prompt; empty without rules.
  public String text() {
    return RuleText.prompt(book.rules());
  }

  /// As [#text()], for a conversation with its own tools.
  public String text(ToolSession session) {
    return RuleText.prompt(book.rules(session));
  }

  /// Calls the start tools that have not succeeded, nor been called in this turn by a dead process,
  /// and whose arguments are known.
  public List<ToolResult> begin(ToolSession session) {
    if (book.compiled(session).empty()) {
      return List.of();
    }
    List<StartCall> calls =
        LoopControl.startCalls(
            book.rules(session),
            session.state().rules(),
            book.agent().uses(),
            name -> takesNothing(name, session));
    Set<String> made =
        session.ownCalls().stream().map(own -> own.call().name()).collect(Collectors.toSet());
    beginTimes(session);
    List<ToolResult> results =
        calls.stream()
            .filter(call -> takes(call, session) && !made.contains(call.tool()))
            .map(call -> make(call.tool(), call.args(), session))
            .toList();
    endStep(session);
    return results;
  }

  /// Begins the time of periodic tools with the first turn.
  private void beginTimes(ToolSession session) {
    if (book.rules(session).hasPeriodic() && session.state().rules().turn().since() == null) {
      Instant now = book.now();
      session.change(state -> {
        RuleState next = state.rules().begun(now);
        return new Ledger.Step<>(state.withRules(next), next);
      });
    }
  }

  /// Calls the tools that are due, only read, and need no arguments.
  public List<ToolResult> callDue(ToolSession session) {
    List<String> due = book.due(session);
    if (due.isEmpty()) {
      return List.of();
    }
    return due.stream()
        .filter(tool -> runsByItself(tool, session))
        .map(tool -> make(tool, Json.EMPTY_OBJECT, session))
        .toList();
  }

  private boolean runsByItself(String name, ToolSession session) {
    Tool tool = book.find(name, session);
    return tool != null
        && tool.definition().mode() == ToolMode.READ
        && takesNothing(name, session)
        && refusal(name, session) == null;
  }

  /// The reminder for the next request to the model: of start tools, for which calls were refused,
  /// and of due tools that it may call now; null for none.
  public @Nullable String reminder(Offer offer, ToolSession session) {
    String start =
        LoopControl.startReminder(
            book.rules(session), session.state().rules(), book.agent().uses());
    String due = dueReminder(offer, session);
    if (start != null && due != null) {
      return start + "\n" + due;
    }
    return start == null ? due : start;
  }

  private @Nullable String dueReminder(Offer offer, ToolSession session) {
    List<String> all = book.due(session);
    if (all.isEmpty()) {
      return null;
    }
    Set<String> offered =
        offer.tools().stream().map(ToolDefinition::name).collect(Collectors.toSet());
    List<String> due = all.stream().filter(offered::contains).toList();
    return due.isEmpty() ? null : "Due now: call " + String.join(", ", due) + ".";
  }

  /// Ends a step of the model, the calls of a round: its successes limit the next step. Without
  /// effect without a success.
  void endStep(ToolSession session) {
    try {
      book.endStep(session);
    } catch (RuntimeException thrown) {
      // It ends with the round that the loop stores, or with the next one.
      Broken.warn("the end of a step was not kept", session, thrown);
    }
  }

  /// As [#endStep], once none of its calls waits for a person.
  void endStepIfSettled(ToolSession session) {
    if (session.state().waiting().isEmpty()) {
      endStep(session);
    }
  }

  /// Calls the tools that are still required before the end and need no arguments; returns the
  /// names of those that are still unmet.
  public List<String> finish(ToolSession session) {
    List<String> open =
        LoopControl.finishing(
            book.rules(session), session.state().rules(), name -> takesNothing(name, session));
    open.forEach(tool -> make(tool, Json.EMPTY_OBJECT, session));
    return unmet(session);
  }

  /// How the loop continues after that round of the model. Nothing changes before [#decided].
  public LoopDecision decide(RoundEnd end, ToolSession session) {
    return LoopControl.decide(
            book.rules(session), session.state().rules(), end, name -> takesNothing(name, session))
        .decision();
  }

  /// Stores what a decision changes; without effect if it is stored, since a process may die before
  /// this.
  public void decided(LoopDecision decision, RoundEnd end, ToolSession session) {
    endStep(session);
    if (decision instanceof LoopDecision.Remind remind) {
      session.change(state -> {
        RuleState reminded = state.rules().reminded(remind.strength());
        RuleState next = end.exit() == null ? reminded : reminded.holding(end.exit());
        return new Ledger.Step<>(state.withRules(next), next);
      });
    }
  }

  /// The end of the loop that a round requests: of the first call in order that does, or of what
  /// has ended the turn in the pipeline; null for none.
  ///
  /// @param results of the calls, in order
  public RoundEnd.@Nullable Exit exit(
      List<ToolCall> calls, List<ToolResult> results, ToolSession session) {
    for (int i = 0; i < results.size(); i++) {
      StopReason reason = exitBy(calls.get(i), results.get(i), session);
      if (reason != null) {
        return new RoundEnd.Exit(reason, results.get(i).sentence());
      }
    }
    StopReason ended = session.state().exit();
    return ended == null ? null : new RoundEnd.Exit(ended, null);
  }

  /// Completes the counts that a dead process has left: the ends of calls that it ran.
  ///
  /// @throws RuntimeException when the store cannot be read or written
  public void recover(ToolSession session) {
    for (String id : session.state().running()) {
      SettledCall settled = session.open().isRunning(id) ? null : session.settledCall(id);
      if (settled != null) {
        ToolChecks checks = book.rules(session).checks(settled.call().name());
        book.ended(checks, settled.call(), session, settled.result(), true);
      }
    }
  }

  /// Logs the events of a call that a dead process settled, if the log lacks them.
  ///
  /// @param own whether the runtime made it
  public void retell(ToolCall call, ToolResult result, boolean own, ToolSession session) {
    session.events().tell(() -> book.called(call, own, session));
    ConsentAnswer answer = session.state().answer(call.id());
    if (answer != null) {
      session.events().tell(() -> new Event.AgentEvent(ConsentAnswer.EVENT, answer.json()));
    }
    session.events().tell(() -> new Event.ToolSettled(result, call.name()));
  }

  /// Gives a result to each call that the log has after the event of that key without one, since
  /// its process died: it may have been done. Calls that wait for a person stay.
  ///
  /// @param since its key; null for the beginning
  /// @return the calls by hand among them
  public List<SettledCall> settleLeft(@Nullable String since, ToolSession session) {
    return left.settle(since, session);
  }

  /// The requests that no one has answered and that have not expired, in the store too; reading
  /// them changes nothing.
  public List<ConsentRequest> open(ToolSession session) {
    Instant now = book.now();
    return session.store().state().latest().value().waiting().stream()
        .filter(waiting -> waiting.isOpen(now))
        .map(ConversationState.Waiting::request)
        .toList();
  }

  /// Sets whether a process that died may have begun the calls of the conversation that follow.
  public void again(boolean may, ToolSession session) {
    session.open().again(may);
  }

  /// Whether the question to the model of that key has ended its process too often.
  public boolean asksTooOften(String key, ToolSession session) {
    return pipeline.begunAgain().asksTooOften(key, session);
  }

  /// Logs the events of a call that waits, if the log lacks them.
  public void retell(ConsentRequest request, ToolSession session) {
    session.events().tell(() -> book.called(request.call(), false, session));
    session.events().tell(() -> new Event.AgentEvent("consent_request", request.json()));
    Consents.tellAgain(request, session);
  }

  /// The tools that are still required, or of which one has to be next, if the turn ends now.
  public List<String> left(ToolSession session) {
    List<String> unmet = unmet(session);
    List<String> next = book.rules(session).next(session.state().rules());
    return unmet.isEmpty() && next.isEmpty()
        ? List.of()
        : Stream.concat(unmet.stream(), next.stream()).distinct().toList();
  }

  /// The required tools that have not succeeded.
  public List<String> unmet(ToolSession session) {
    return book.rules(session).unmet(session.state().rules());
  }

  /// Applies the results of a batch, in the order of its calls.
  void afterBatch(List<Call> calls, ToolSession session) {
    StopReason exit = null;
    for (Call call : calls) {
      ToolResult result = call.ownResult();
      if (result != null && !call.isAbandoned()) {
        exit = exit == null ? exitBy(call.asked(), result, session) : exit;
        afterRefusal(call);
      }
    }
    boolean held = session.exited() && session.state().rules().held() != null;
    if (exit != null && !held && session.exited() && session.state().exit() != exit) {
      decideExit(exit, session);
    }
  }

  private @Nullable StopReason exitBy(ToolCall call, ToolResult result, ToolSession session) {
    if (result.isTerminal()) {
      return StopReason.TERMINAL_RESULT;
    }
    boolean exits = result.success() && book.rules(session).checks(call.name()).exitsLoop();
    return exits ? StopReason.TOOL_RULE : null;
  }

  private static void decideExit(StopReason reason, ToolSession session) {
    try {
      session.change(state -> new Ledger.Step<>(state.exitedFor(reason), reason));
    } catch (RuntimeException thrown) {
      // The turn has ended for the first reason.
      Broken.warn("why a turn ended was not kept", session, thrown);
    }
  }

  /// Applies the refusal of a model's call because start tools had not run.
  void afterRefusal(Call call) {
    if (call.violation() != Violation.START_CONSTRAINTS_NOT_MET || !call.ofModel()) {
      return;
    }
    try {
      remindOrForce(call.session());
    } catch (RuntimeException thrown) {
      // The refused call still has its result.
      Broken.warn("a refusal was not counted", call.session(), thrown);
    }
  }

  private void remindOrForce(ToolSession session) {
    StartStep step =
        session.change(state -> {
          StartStep next =
              LoopControl.startRefused(
                  book.rules(session),
                  state.rules(),
                  book.agent().uses(),
                  name -> takesNothing(name, session));
          return new Ledger.Step<>(state.withRules(next.next()), next);
        });
    String reminder = step.reminder();
    if (reminder != null) {
      Json text = Json.of(Codec.object().put("text", reminder));
      session.show(() -> new Event.AgentEvent("reminder", text));
    }
    force(step.forced().stream().filter(call -> takes(call, session)).toList(), session);
  }

  private void force(List<StartCall> calls, ToolSession session) {
    List<String> failed = new ArrayList<>();
    for (StartCall call : calls) {
      if (!make(call.tool(), call.args(), session).success()) {
        failed.add(call.tool());
      }
    }
    if (!failed.isEmpty()) {
      String message =
          "The conversation has to begin with '%s', which failed; the turn ends here."
              .formatted(String.join("', '", failed));
      session
          .events()
          .show(
              "turn" + session.state().turn() + "/start_failed",
              new Event.Failed(message, "start_failed", Map.of()));
      session.change(state -> new Ledger.Step<>(state.exited(StopReason.TOOL_RULE), state));
    }
  }

  /// The tool of that name in that conversation, null if there is none.
  public @Nullable Tool tool(String name, ToolSession session) {
    return book.find(name, session);
  }

  private boolean takes(StartCall call, ToolSession session) {
    Tool tool = book.find(call.tool(), session);
    return tool != null && tool.check(call.args()) instanceof Checked.Accepted;
  }

  private boolean takesNothing(String name, ToolSession session) {
    return takes(new StartCall(name, Json.EMPTY_OBJECT), session);
  }

  private ToolResult make(String tool, Json arguments, ToolSession session) {
    return pipeline.own(tool, arguments, session);
  }

  /// Sets how long calls of a session may take.
  ///
  /// @param deadlines of a call that begins, by its id and tool
  public void limit(ToolSession session, BiFunction<String, Tool, Duration> deadlines) {
    session.open().limit(deadlines);
  }
}
