package dev.switchboard.model;

/// What a model may choose in its next reply.
public enum ToolChoice {
  /// To call tools or to answer.
  AUTO,
  /// To call one of the tools, since nothing else may happen before.
  REQUIRED,
  /// To answer.
  NONE
}
