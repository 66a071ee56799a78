package dev.switchboard.agent;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.execution.host.TurnRules;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The calls of a conversation's rounds: run, or left to wait for a person, until all of their
/// round are done.
///
/// One thread at a time drives it.
final class RoundCalls {
  private final AgentParts agent;
  private final ToolSession session;
  private final HostSession host;
  private final TurnRules rules;
  private final Transcript transcript;
  // The outcomes of calls whose round waits for others: more than the executor's log may remember.
  private final Map<String, CallStep> ofRound = new HashMap<>();
  private boolean replaying; // what may be missing in the log, since a process died

  RoundCalls(AgentParts agent, ToolSession session, TurnRules rules, Transcript transcript) {
    this.agent = agent;
    this.session = session;
    host = session.host();
    this.rules = rules;
    this.transcript = transcript;
  }

  /// Sets whether a process that died had begun what follows, so that its events may be missing.
  void replaying(boolean now) {
    replaying = now;
  }

  /// Whether a process that died had begun what follows.
  boolean isReplaying() {
    return replaying;
  }

  /// The steps of the calls of a round, in their order. Those that have run are not run again.
  List<CallStep> runAll(List<ToolCall> calls) {
    if (calls.isEmpty()) {
      return List.of();
    }
    settleDecided();
    Map<String, CallStep> steps = begunSteps(calls);
    List<ToolCall> open = new ArrayList<>(calls);
    open.removeIf(call -> steps.containsKey(call.id()));
    List<CallStep> ran = open.isEmpty() ? List.of() : run(open);
    for (int i = 0; i < open.size(); i++) {
      steps.put(open.get(i).id(), ran.get(i));
    }
    ofRound.clear();
    List<CallStep> inOrder = new ArrayList<>(calls.size());
    for (ToolCall call : calls) {
      CallStep step = steps.get(call.id());
      if (step != null) {
        inOrder.add(step);
      }
      if (step instanceof CallStep.Pending) {
        ofRound.putAll(steps);
      }
    }
    return inOrder;
  }

  /// Runs calls whose answers were stored.
  void settleDecided() {
    settleExpired();
    if (!session.state().waiting().isEmpty()) {
      List<ToolResult> unused = agent.executor().settleDecided(session);
      host.lease().checkHeld();
    }
  }

  private void settleExpired() {
    if (!session.state().waiting().isEmpty()) {
      session.refresh();
      agent.executor().expire(session);
    }
  }

  /// The steps of those calls that have run, or wait.
  private Map<String, CallStep> begunSteps(List<ToolCall> calls) {
    Map<String, CallStep> steps = new HashMap<>();
    for (ConsentRequest request : waiting()) {
      if (replaying) {
        rules.replay(request);
      }
      steps.put(request.id(), new CallStep.Pending(request));
    }
    for (ToolCall call : calls) {
      ToolResult result = session.result(call.id());
      if (result != null) {
        if (replaying) {
          rules.replay(call, result, false);
        }
        steps.put(call.id(), new CallStep.Settled(result));
      } else if (ofRound.get(call.id()) instanceof CallStep.Settled settled) {
        steps.put(call.id(), settled);
      }
    }
    return steps;
  }

  /// Runs calls of one round, in order.
  List<CallStep> run(List<ToolCall> calls) {
    if (host.lease().isClaimed()) {
      // If the store does not accept them, the turn continues later, and no call is reported as
      // failed.
      host.storeLines();
    }
    List<CallStep> steps =
        agent.asksInline()
            ? agent.executor().executeAll(calls, session).stream()
                .<CallStep>map(CallStep.Settled::new)
                .toList()
            : agent.executor().submitAll(calls, session);
    host.lease().checkHeld();
    rules.setMayHaveBegun(false);
    return steps;
  }

  /// Stores an answer to a waiting request; false if there is none.
  ///
  /// @throws IllegalArgumentException when changed arguments are not valid
  boolean decide(String request, Answer answer) {
    return agent.executor().decide(request, answer, session);
  }

  /// The requests that are unanswered and have not expired.
  List<ConsentRequest> waiting() {
    settleExpired();
    return session.state().waiting().isEmpty() ? List.of() : session.waiting();
  }

  /// The messages of the runtime's own calls in this turn that the transcript lacks.
  List<Message> unwritten() {
    Map<ToolCall, ToolResult> own = host.ownCalls();
    if (own.isEmpty()) {
      return List.of();
    }
    List<Message> messages = new ArrayList<>();
    own.forEach((call, result) -> {
      if (replaying) {
        rules.replay(call, result, true);
      }
      if (!transcript.hasResult(call.id())) {
        RequestedCall requested = new RequestedCall(call.id(), call.name(), call.arguments(), null);
        messages.add(new Message.Assistant("", List.of(requested)));
        messages.add(message(requested, result));
      }
    });
    return messages;
  }

  /// The message by which the model reads the result of a call.
  static Message message(RequestedCall call, ToolResult result) {
    return new Message.Result(
        call.id(), call.name(), String.valueOf(result.text()), result.success());
  }
}
