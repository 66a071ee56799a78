package dev.switchboard.consent;

/// Asks a person whether a call may run: by a prompt in a terminal, in a window, in a chat.
///
/// Asked on a thread of its own, which is interrupted when the request is over; an answer that
/// comes later is ignored. Several requests may be open at a time.
@FunctionalInterface
public interface Approver {
  /// Refuses every request at once, since there is no one to ask.
  Approver NOBODY = request -> new Answer.Nobody();

  /// Asks, and waits for the answer.
  ///
  /// @throws Exception when the person could not be asked, which counts as a refusal
  Answer ask(ConsentRequest request) throws Exception;
}
