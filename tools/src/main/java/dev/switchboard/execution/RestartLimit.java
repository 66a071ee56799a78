package dev.switchboard.execution;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Ledger;
import dev.switchboard.state.Restarts;
import dev.switchboard.state.Restarts.Started;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.text.InvisibleCharacters;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Counts in the conversation how often a call begins that a dead process may have begun, or that a
/// person has allowed, and gives up a call that has ended its process each time.
record RestartLimit(RuleBook book, Reservations reservations) {
  /// Counts a beginning of the call if a dead process may have begun it; the result instead of it
  /// if it has begun too often, otherwise null.
  @Nullable ToolResult begins(Call call) {
    return call.session().open().mayHaveBegun() && isCounted(call) ? counted(call, false, 1) : null;
  }

  /// As [#begins], for a call that a person has just approved: it had not begun unless that was
  /// counted.
  @Nullable ToolResult beginsApproved(Call call) {
    return isCounted(call) ? counted(call, false, 0) : null;
  }

  /// Counts a probe that is to determine the outcome of the call; its result if there were too many
  /// of them, otherwise null.
  @Nullable ToolResult probes(Call call) {
    return isCounted(call) ? counted(call, true, 1) : null;
  }

  private static boolean isCounted(Call call) {
    return call.session().isStored() && call.isLogged();
  }

  private @Nullable ToolResult counted(Call call, boolean probe, int before) {
    ToolSession session = call.session();
    String id = call.call().id();
    Started now = begin(id, probe, before, session);
    if (!now.isTooOften()) {
      return null;
    }
    session.change(state -> new Ledger.Step<>(state.givingUp(id), state));
    int times = probe ? now.probes() - 1 : now.runs() - 1;
    Json details =
        Json.of(Codec.object().put("id", id).put("tool", call.call().name()).put("times", times));
    session.events().show("given_up/" + id, new Event.AgentEvent("call_given_up", details));
    Broken.calls()
        .log(
            Level.WARNING,
            ExceptionLog.in(
                session.conversationId(),
                "a call of tool '%s' began %d times, and its process died each time: it is not made again"
                    .formatted(InvisibleCharacters.line(call.call().name()), times)));
    call.outcome(Refusal.outcomeUnknown(call.call()));
    reservations.endOfBegun(call);
    return call.outcome();
  }

  private Started begin(String id, boolean probe, int before, ToolSession session) {
    return session.change(state -> {
      ConversationState next = state.beginningAgain(id, probe, before, book.now());
      return new Ledger.Step<>(next, Objects.requireNonNull(next.restarts().of(id)));
    });
  }

  /// Counts a question to the model that a dead process may have asked; true if it has ended its
  /// process too often, so that the turn is to end.
  boolean asksTooOften(String key, ToolSession session) {
    if (!session.isStored() || !session.open().mayHaveBegun()) {
      return false;
    }
    if (!begin(key, false, 1, session).isTooOften()) {
      return false;
    }
    session.change(state -> {
      ConversationState next = state;
      for (int i = 0; i < Restarts.MOST; i++) {
        next = next.givingUp(key);
      }
      return new Ledger.Step<>(next, state);
    });
    Broken.calls()
        .log(
            Level.WARNING,
            ExceptionLog.in(
                session.conversationId(),
                "a turn began %d times, and its process died".formatted(Restarts.MOST)));
    return true;
  }

  /// How the call may have begun before, null if it has not.
  static ConsentRequest.@Nullable Begun before(String id, ToolSession session) {
    Started known = session.state().restarts().of(id);
    return known == null ? null : new ConsentRequest.Begun(known.at(), false);
  }
}
