package dev.switchboard.cli;

import dev.switchboard.check.JsonCut;
import dev.switchboard.consent.Answer;
import dev.switchboard.tool.ToolCall;
import java.util.ArrayList;
import java.util.List;

/// A line of the input of `exec`.
sealed interface ExecLine {
  /// The calls of one round, valid and invalid.
  record Round(List<Call> calls) implements ExecLine {
    public Round {
      calls = List.copyOf(calls);
    }
  }

  /// A message of the user, which begins a turn.
  record User() implements ExecLine {}

  /// A person's answer to a request for consent.
  ///
  /// @param id the request's
  record Consent(String id, Answer answer) implements ExecLine {}

  /// A line that cannot be answered.
  ///
  /// @param why a clause
  record Bad(String why) implements ExecLine {}

  /// A call of a round.
  sealed interface Call {}

  /// A valid call.
  record Sound(ToolCall call) implements Call {}

  /// An invalid call with an id, which gets a result.
  ///
  /// @param shown the readable part
  /// @param why a clause
  record Malformed(ToolCall shown, String why) implements Call {}

  /// An invalid call without an id, which cannot be answered.
  ///
  /// @param why a clause
  record Nameless(String why) implements Call {}

  /// Reads that line, which is not blank.
  static ExecLine read(String text) {
    return switch (text.strip().charAt(0)) {
      case '{' -> single(CallText.of(text));
      case '[' -> round(text);
      default ->
          new Bad(
              "a line is a tool call, a list of them, {\"user\": text},"
                  + " or {\"consent\": id, \"decision\": \"approve\"}");
    };
  }

  private static ExecLine single(CallText text) {
    if (text.isUser()) {
      return new User();
    }
    if (text.isConsent()) {
      return ConsentText.read(text.text(), text.cut());
    }
    return switch (text.call(null)) {
      case Nameless(String why) -> new Bad(why);
      case Call call -> new Round(List.of(call));
    };
  }

  private static ExecLine round(String text) {
    JsonCut cut = JsonCut.array(text);
    String broken = cut.whole() ? null : "the list " + CallText.syntax(text);
    List<Call> calls = new ArrayList<>();
    cut.values().forEach(item -> calls.add(CallText.of(item).call(broken)));
    if (broken == null && calls.isEmpty()) {
      return new Bad("the list has no tool call");
    }
    return broken != null && calls.isEmpty() ? new Bad(broken) : new Round(calls);
  }
}
