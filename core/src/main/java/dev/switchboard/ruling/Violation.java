package dev.switchboard.ruling;

/// The kind of a broken rule: the `violation` of a refusal.
public enum Violation {
  /// A tool that has to come first has not succeeded yet.
  START_CONSTRAINTS_NOT_MET,
  /// A tool that has to come before this one has not succeeded yet.
  PREREQUISITES_NOT_MET,
  /// A tool that this one has to come before has already succeeded.
  ORDERING_VIOLATION,
  /// The tool was started as often as it may be.
  MAX_CALLS_EXCEEDED,
  /// Its last start is too recent.
  COOLDOWN_ACTIVE,
  /// Another tool of its group was chosen.
  EXCLUSIVE_GROUP,
  /// The operation is not one of those allowed.
  OPERATION_NOT_ALLOWED,
  /// Another tool has to be next, or one that this has to come right after was not the last.
  NOT_ALLOWED_NEXT,
  /// The tool never runs here.
  FORBIDDEN
}
