package dev.switchboard.execution;

import dev.switchboard.check.Checked;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.guard.Guards;
import dev.switchboard.guard.SessionGuards;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.rule.Guardrail;
import dev.switchboard.ruling.Decision;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The checks of a call before it runs: known tool, valid arguments, rules, repeats; and the
/// guardrails, also on its result and on what the agent says. Changes nothing outside the call.
final class CallCheck {
  /// How deep calls of tools may nest.
  private static final int MAX_DEPTH = 4;

  private final RuleBook book;
  private final Guards guards;
  private final boolean guarded; // whether guardrails look at calls or results
  private final Listeners listeners;

  CallCheck(RuleBook book, Guards guards, Listeners listeners) {
    this.book = book;
    this.guards = guards;
    this.listeners = listeners;
    guarded = guards.look(Guardrail.Place.CALL) || guards.look(Guardrail.Place.RESULT);
  }

  /// Why an arrived call may not run, or null; it then knows the reasons for consent.
  @Nullable ToolResult refusal(Call call) {
    ToolResult no = judged(call);
    if (no != null) {
      return no;
    }
    int limit = call.tool().options().repeatLimit();
    if (limit > 0 && call.ofModel() && call.session().repeats(call.call()) >= limit) {
      return Refusal.repeated(call.call(), limit);
    }
    if (!call.compiled().isFree()) {
      call.demand(
          book.demands().of(call.compiled(), call.call().arguments(), call.session().principal()));
    }
    return guarded ? refusalByGuards(call) : null;
  }

  private @Nullable ToolResult refusalByGuards(Call call) {
    if (!guards.look(Guardrail.Place.CALL)) {
      return null;
    }
    Guards.Verdict verdict = guards.check(call.call(), logger(call));
    if (verdict.by() != null) {
      return Refusal.guarded(call.call(), verdict.by());
    }
    List<ConsentRequest.Demand> demands = new ArrayList<>(call.demands());
    verdict.asks().forEach(name -> demands.add(demand(name, call)));
    call.demand(demands);
    return null;
  }

  /// Why a guardrail blocks the arguments of a person, or null.
  @Nullable ToolResult refusalByGuard(Call call) {
    String by = guards.check(call.call(), logger(call)).by();
    return by == null ? null : Refusal.guarded(call.call(), by);
  }

  private static ConsentRequest.Demand demand(String guardrail, Call call) {
    String reason = "Guardrail '" + guardrail + "' has found something in the arguments.";
    return new ConsentRequest.Demand(reason, null, call.call().arguments(), "");
  }

  /// Reports a match in a call to the conversation and the listeners.
  private Consumer<Guards.Report> logger(Call call) {
    return report -> log(report, call.session());
  }

  /// Reports a match in a text to the conversation and the listeners.
  void log(Guards.Report report, ToolSession session) {
    session.show(report::event);
    listeners.guarded(report, session);
  }

  /// The guardrails of that conversation.
  SessionGuards guards(ToolSession session) {
    return new SessionGuards(guards, report -> log(report, session));
  }

  /// Whether guardrails check calls or results.
  boolean isGuarded() {
    return guarded;
  }

  /// Checks the outcome of a call by the guardrails.
  void guardResult(Call call) {
    ToolResult outcome = call.outcome();
    if (outcome != null && guards.look(Guardrail.Place.RESULT)) {
      call.outcome(guards.checked(call.call(), outcome, logger(call)));
    }
  }

  /// Why an approved call may not run, or null: everything but repeats is checked again.
  @Nullable ToolResult refusalOfAgreed(Call call) {
    call.lookUp(book.compiled(call.session()));
    return judged(call);
  }

  private @Nullable ToolResult judged(Call call) {
    ToolResult gone = outOfPlace(call);
    if (gone != null) {
      return gone;
    }
    CompiledTool compiled = call.found();
    if (compiled == null) {
      return Refusal.unknownTool(
          call.call(), book.everOffered(call.session()), book.goneReason(call.call().name()));
    }
    return switch (compiled.tool().check(call.call().arguments())) {
      case Checked.Refused refused -> Refusal.invalidArguments(call.call(), refused.faults());
      case Checked.Accepted accepted -> {
        call.accept(accepted);
        yield compiled.isFree() ? null : refusalByRules(call);
      }
    };
  }

  /// Why no call may run here now, or null.
  private static @Nullable ToolResult outOfPlace(Call call) {
    if (call.session().cancelled()) {
      // A process that died may have begun it.
      ToolResult cancelled = Refusal.cancelled(call.call());
      return call.session().open().mayHaveBegun() ? Refusal.inDoubt(cancelled) : cancelled;
    }
    return switch (call.origin()) {
      case CallOrigin.Model model -> call.isLate() ? Refusal.skippedAfterExit(call.call()) : null;
      case CallOrigin.Rule rule -> null;
      case CallOrigin.Outer(Call outer) ->
          outer.depth() >= MAX_DEPTH ? Refusal.tooDeep(call.call(), MAX_DEPTH) : null;
    };
  }

  private @Nullable ToolResult refusalByRules(Call call) {
    return switch (book.judge(call.checks(), call.call(), call.session())) {
      case Decision.Allowed allowed -> null;
      case Decision.Denied denied -> call.denied(denied);
    };
  }

  /// @param arguments of a person, null for none
  /// @throws IllegalArgumentException when that tool does not accept them
  void checkArguments(String name, @Nullable Json arguments, ToolSession session) {
    Tool tool = book.find(name, session);
    if (arguments != null
        && tool != null
        && tool.check(arguments) instanceof Checked.Refused refused) {
      String error =
          Refusal.invalidArguments(ToolCall.of(name, arguments), refused.faults()).error();
      throw new IllegalArgumentException(String.valueOf(error));
    }
  }
}
