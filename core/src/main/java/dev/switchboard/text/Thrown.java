package dev.switchboard.text;

import java.lang.System.Logger.Level;

/// Logs what was thrown. Its message may contain arguments of tools, phone numbers or keys, which
/// no log at INFO or above may have.
public final class Thrown {
  private Thrown() {}

  /// Logs the class, or the sentence of one that is [Told], as a warning, and everything at DEBUG.
  ///
  /// @param what what has failed, such as `an event could not be shown`
  public static void warn(System.Logger log, String what, Throwable thrown) {
    log.log(Level.WARNING, what + ": " + words(thrown));
    log.log(Level.DEBUG, what, thrown);
  }

  /// What may be logged of it.
  static String words(Throwable thrown) {
    return thrown instanceof Told told ? told.getMessage() : thrown.getClass().getName();
  }
}
