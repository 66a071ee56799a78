package dev.switchboard.agent;

import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import org.jspecify.annotations.Nullable;

/// Code that sees what a model is asked and what it replies, and may change both. A hook that
/// throws changes nothing; the conversation goes on.
public interface ModelHook {
  /// What the model is asked instead; null for no change.
  default @Nullable ModelRequest beforeModel(String conversationId, ModelRequest request) {
    return null;
  }

  /// What counts as the model's reply instead, though its words may have been shown as they came;
  /// null for no change.
  default @Nullable ModelReply afterModel(String conversationId, ModelReply reply) {
    return null;
  }
}
