package dev.switchboard.phone.call;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;

/// Records the events of a call, in order. Called on the call's thread; must not block.
public interface CallRecorder {
  /// An event.
  ///
  /// @param type a word, such as `turn`, `mark`, `truncated`, `key`
  /// @param details an object
  void happened(String type, Json details);

  /// A line of the transcript, with the words that were heard.
  ///
  /// @param role `caller`, `agent`, `tool` or `system`
  void line(String role, String text);

  /// The call has ended; only late results follow.
  ///
  /// @param usage the tokens that the engine has counted
  void ended(String reason, ModelReply.Usage usage);

  /// A tool that still ran at the end of the call has a result.
  ///
  /// @param details an object
  default void late(Json details) {}
}
