package dev.switchboard.execution;

import dev.switchboard.check.Checked;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.ruling.Decision;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import org.jspecify.annotations.Nullable;

/// What a call has to pass before it runs: known, its arguments good, allowed, not a repeat.
/// Changes nothing outside the call.
record CallCheck(RuleBook book) {
  /// Why a call that has just come in may not run, or null; it then knows what a person has to
  /// agree to.
  @Nullable ToolResult refusal(Call call) {
    ToolResult no = refusalOfAgreed(call);
    if (no != null) {
      return no;
    }
    int limit = call.tool().options().repeatLimit();
    if (limit > 0 && call.ofModel() && call.session().repeats(call.call()) >= limit) {
      return Refusal.repeated(call.call(), limit);
    }
    call.demand(book.demands(call.tool(), call.call().arguments(), call.session()));
    return null;
  }

  /// Why a call that a person has agreed to may not run, or null: all but repeats is checked again.
  @Nullable ToolResult refusalOfAgreed(Call call) {
    ToolResult gone = call.outOfPlace();
    if (gone != null) {
      return gone;
    }
    Tool tool = book.find(call.call().name(), call.session());
    if (tool == null) {
      return Refusal.unknownTool(
          call.call(), book.everOffered(call.session()), book.goneReason(call.call().name()));
    }
    return switch (tool.check(call.call().arguments())) {
      case Checked.Refused refused -> Refusal.invalidArguments(call.call(), refused.faults());
      case Checked.Accepted accepted -> {
        call.accept(tool, accepted);
        yield switch (book.judge(call.call(), call.ofModel(), call.session())) {
          case Decision.Allowed allowed -> null;
          case Decision.Denied denied -> call.denied(denied);
        };
      }
    };
  }

  /// @param arguments that a person puts in the place of the model's, null for none
  /// @throws IllegalArgumentException when that tool does not take them
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
