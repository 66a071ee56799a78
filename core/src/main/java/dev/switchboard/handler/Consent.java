package dev.switchboard.handler;

/// A person who can be asked from within a running call.
///
/// For what only the handler can know, such as a price that it has just looked up; a tool that
/// always has to be asked for says so with a rule or with [ToolBuilder#asksWhen].
@FunctionalInterface
public interface Consent {
  /// What the person says to that question, waited for.
  ///
  /// The wait ends with the call's deadline, the attempt, the time that a request may wait, or the
  /// conversation: whatever is first. Where nobody can be asked the reply is there at once, and is
  /// no. The reply counts for this question alone.
  ///
  /// @param question a sentence that says what will be done
  /// @throws IllegalArgumentException when the question is blank
  Reply ask(String question);

  /// What came of a question.
  ///
  /// @param agreed whether the person has agreed
  /// @param reason why not: the person's own words, or ours where there were none; may be empty
  record Reply(boolean agreed, String reason) {
    /// The person has agreed.
    public static final Reply YES = new Reply(true, "");

    /// The person has not agreed, or nobody could be asked.
    public static Reply no(String reason) {
      return new Reply(false, reason);
    }
  }
}
