package dev.switchboard.handler;

/// A person who can be asked from within a running call.
///
/// For what only the handler can know, such as a price that it has just looked up. Where a call can
/// be judged by its arguments, use a rule or [ToolBuilder#asksWhen].
@FunctionalInterface
public interface Consent {
  /// Asks the person that question, and waits for the reply.
  ///
  /// The wait ends with the call's deadline, the attempt, the time that a request may wait, or the
  /// conversation: whichever comes first. Where no one can be asked, the reply is no, without a
  /// wait. The reply counts for this question only.
  ///
  /// @param question a sentence that says what will be done
  /// @throws IllegalArgumentException when the question is blank
  Reply ask(String question);

  /// The reply to a question.
  ///
  /// @param agreed whether the person has agreed
  /// @param reason why not: the person's own words, or else the library's; may be empty
  record Reply(boolean agreed, String reason) {
    /// The person has agreed.
    public static final Reply YES = new Reply(true, "");

    /// The person has not agreed, or no one could be asked.
    public static Reply no(String reason) {
      return new Reply(false, reason);
    }
  }
}
