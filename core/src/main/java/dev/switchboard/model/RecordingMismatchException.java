package dev.switchboard.model;

import java.io.Serial;

/// A request that differs from the one in the recording, with the difference as its message.
///
/// An [AssertionError], so that no loop takes it for a model that failed.
public final class RecordingMismatchException extends AssertionError {
  @Serial private static final long serialVersionUID = 1;

  RecordingMismatchException(String message) {
    super(message);
  }
}
