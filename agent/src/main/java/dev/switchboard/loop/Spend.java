package dev.switchboard.loop;

import dev.switchboard.consent.ConsentRequest;

/// Whether the budget allows a request to the model.
public sealed interface Spend {
  /// It does, or the model was asked before.
  Spend ALLOWED = new Allowed();

  /// A person has agreed to a higher limit, which has to be looked at again.
  Spend RAISED = new Raised();

  /// It does, or the model was asked before.
  record Allowed() implements Spend {}

  /// A person has agreed to a higher limit, which has to be looked at again.
  record Raised() implements Spend {}

  /// A person is asked whether the limit counts once more.
  record Asks(ConsentRequest request) implements Spend {}

  /// It does not, and the turn ends.
  record Over(Exhausted limit) implements Spend {}
}
