package dev.switchboard.consent;

/// Whoever can be asked whether a call may run: a prompt in a terminal, a window, a chat.
///
/// Asked on a thread of its own, which is interrupted when the request is over; an answer that
/// comes later counts no more. Several requests may be open at a time.
@FunctionalInterface
public interface Approver {
  /// Nobody is there: every request is refused at once.
  Approver NOBODY = request -> new Answer.Nobody();

  /// The answer, waited for.
  ///
  /// @throws Exception when the question could not be put, which counts as nobody being there
  Answer ask(ConsentRequest request) throws Exception;
}
