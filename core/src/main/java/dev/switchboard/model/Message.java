package dev.switchboard.model;

import java.util.List;

/// A piece of a conversation, as a model reads it.
public sealed interface Message {
  /// What the model is told to be, at the very beginning.
  @SuppressWarnings("AvoidCommonTypeNames") // it is written Message.System everywhere
  record System(String text) implements Message {}

  /// Words of the user's.
  record User(String text) implements Message {}

  /// Words and tool calls of the model's own.
  ///
  /// @param calls with `{}` in place of arguments that are not a JSON object: servers refuse to
  ///   read such again, with all that is said in the conversation
  record Assistant(String text, List<RequestedCall> calls) implements Message {
    public Assistant {
      calls = calls.stream().map(RequestedCall::readable).toList();
    }
  }

  /// What a call has come to.
  ///
  /// @param callId that of its [RequestedCall]
  /// @param success whether the tool did what it was asked for
  record Result(String callId, String tool, String text, boolean success) implements Message {}

  /// A word of the runtime's to the model, in the middle of the conversation, such as a reminder.
  record Notice(String text) implements Message {}
}
