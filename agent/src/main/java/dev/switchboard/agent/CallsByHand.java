package dev.switchboard.agent;

import static java.util.Objects.requireNonNullElse;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The calls that a person makes in a conversation, each a turn of its own. The model reads of them
/// as of its own calls.
///
/// For one thread at a time.
final class CallsByHand {
  private final ToolExecutor executor;
  private final ToolSession session;
  private final HostSession host;
  private final Transcript transcript;
  private final RoundCalls calls;
  private final Map<String, ToolCall> waiting = new HashMap<>(); // by request

  CallsByHand(ToolExecutor executor, ToolSession session, Transcript transcript, RoundCalls calls) {
    this.executor = executor;
    this.session = session;
    host = session.host();
    this.transcript = transcript;
    this.calls = calls;
  }

  /// Runs a call.
  ///
  /// @param by who acts for the principal, null for the principal
  Turn run(ToolCall call, @Nullable String by) {
    host.beginTurn(session.state().turn() + 1, by);
    host.events().run(call.id());
    return switch (calls.run(List.of(call)).getFirst()) {
      case CallStep.Settled(ToolResult result) -> record(call, result);
      case CallStep.Pending(ConsentRequest request) -> {
        waiting.put(request.id(), call);
        yield new Turn.Pending(List.of(request));
      }
    };
  }

  /// Whether that request is for such a call.
  boolean has(String request) {
    return waiting.containsKey(request);
  }

  /// Settles a waiting call by that answer.
  ///
  /// @throws IllegalArgumentException when changed arguments are not valid
  Turn answer(String request, Answer answer) {
    ToolResult result = executor.answer(request, answer, session).orElse(null);
    ToolCall call = waiting.remove(request);
    return call == null || result == null ? new Turn.Reply("") : record(call, result);
  }

  /// Settles the calls whose answers were stored.
  ///
  /// @param alone whether no turn of the loop waits, so that all that waits are such calls, also
  ///   those made in other processes
  void settleDecided(boolean alone) {
    if (alone) {
      session
          .state()
          .waiting()
          .forEach(call -> waiting.putIfAbsent(call.request().id(), call.request().call()));
    }
    if (!waiting.isEmpty()) {
      calls.settleDecided();
      for (ToolCall call : List.copyOf(waiting.values())) {
        ToolResult result = session.result(call.id());
        if (result != null && waiting.remove(call.id()) != null) {
          Turn unused = record(call, result);
        }
      }
    }
  }

  /// Records calls that were settled since their process died.
  void settled(Map<ToolCall, ToolResult> left) {
    left.forEach((call, result) -> {
      Turn unused = record(call, result);
    });
  }

  private Turn record(ToolCall call, ToolResult result) {
    RequestedCall requested = new RequestedCall(call.id(), call.name(), call.arguments(), null);
    List<Message> messages =
        List.of(
            new Message.Assistant("", List.of(requested)), RoundCalls.message(requested, result));
    transcript.once(
        "by_hand/" + call.id(),
        TranscriptEntry.Called.class,
        () -> new TranscriptEntry.Called(messages));
    String words = result.isTerminal() ? result.sentence() : result.message();
    return new Turn.Reply(requireNonNullElse(words, ""));
  }
}
