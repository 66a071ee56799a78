package dev.switchboard.ruling;

/// The class of a broken rule: the `violation` of a refusal.
public enum Violation {
  /// A start tool has not succeeded yet.
  START_CONSTRAINTS_NOT_MET,
  /// A required tool has not succeeded yet.
  PREREQUISITES_NOT_MET,
  /// A tool that this one must precede has already succeeded.
  ORDERING_VIOLATION,
  /// The tool has reached its limit of calls.
  MAX_CALLS_EXCEEDED,
  /// Its last start is too recent.
  COOLDOWN_ACTIVE,
  /// Another tool of its group was used.
  EXCLUSIVE_GROUP,
  /// The operation is not allowed.
  OPERATION_NOT_ALLOWED,
  /// Another tool has to be next, or the required one was not the last.
  NOT_ALLOWED_NEXT,
  /// The tool never runs.
  FORBIDDEN
}
