package dev.switchboard.execution;

/// Who made a call.
sealed interface CallOrigin {
  /// The model.
  CallOrigin MODEL = new Model();

  /// The runtime, by a rule.
  CallOrigin RULE = new Rule();

  record Model() implements CallOrigin {}

  record Rule() implements CallOrigin {}

  /// The tool of another call.
  record Outer(Call call) implements CallOrigin {}
}
