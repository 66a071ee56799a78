package dev.switchboard.text;

import java.lang.System.Logger.Level;

/// Logs what was thrown. Its message may contain arguments of tools, phone numbers or keys, which
/// no log at INFO or above may have.
public final class Thrown {
  private Thrown() {}

  /// Logs the class as a warning, and everything at DEBUG.
  ///
  /// @param what what has failed, such as `an event could not be shown`
  public static void warn(System.Logger log, String what, Throwable thrown) {
    log.log(Level.WARNING, what + ": " + thrown.getClass().getName());
    log.log(Level.DEBUG, what, thrown);
  }
}
