package dev.switchboard.text;

/// An exception whose message is a sentence for logs: it names a place and a cause, and contains no
/// data of users.
public interface LoggableMessage {
  /// The sentence.
  String getMessage();
}
