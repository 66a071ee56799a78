package dev.switchboard.text;

import java.lang.System.Logger.Level;

/// Logs what was thrown. Its message may contain arguments of tools, phone numbers or keys, which
/// no log at INFO or above may have.
public final class ExceptionLog {
  private ExceptionLog() {}

  /// Logs the class, or the sentence of one that is [LoggableMessage], as a warning, and everything
  /// at DEBUG.
  ///
  /// @param what what has failed, such as `an event could not be shown`
  public static void warn(System.Logger log, String what, Throwable thrown) {
    log.log(Level.WARNING, what + ": " + words(thrown));
    log.log(Level.DEBUG, what, thrown);
  }

  /// What has failed in that conversation of that agent, as a line of a log.
  public static String in(String agent, String conversation, String what) {
    return InvisibleCharacters.line(
        "agent '%s', conversation '%s': %s".formatted(agent, conversation, what));
  }

  /// What has failed in that conversation.
  public static String in(String conversation, String what) {
    return InvisibleCharacters.line("conversation '%s': %s".formatted(conversation, what));
  }

  /// What may be logged of it.
  static String words(Throwable thrown) {
    return thrown instanceof LoggableMessage loggable
        ? loggable.getMessage()
        : thrown.getClass().getName();
  }
}
