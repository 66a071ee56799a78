package dev.switchboard.agent;

import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import org.jspecify.annotations.Nullable;

/// Code that sees each model request and reply, and may change both. A hook that throws changes
/// nothing, and the conversation continues.
public interface ModelHook {
  /// The request to send instead; null for no change.
  default @Nullable ModelRequest beforeModel(String conversationId, ModelRequest request) {
    return null;
  }

  /// The reply to use instead, though its text may have been streamed already; null for no change.
  default @Nullable ModelReply afterModel(String conversationId, ModelReply reply) {
    return null;
  }
}
