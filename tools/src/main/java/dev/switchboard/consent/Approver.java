package dev.switchboard.consent;

/// Asks a person whether a call may run: by a prompt in a terminal, in a window, in a chat.
///
/// Called on a separate thread, which is interrupted when the request has ended; a later answer is
/// ignored. Several requests may be open at a time.
@FunctionalInterface
public interface Approver {
  /// Denies every request at once, since no one can be asked.
  Approver NOBODY = request -> new Answer.Nobody();

  /// Asks, and waits for the answer.
  ///
  /// @throws Exception when the person could not be asked, which counts as a denial
  Answer ask(ConsentRequest request) throws Exception;
}
