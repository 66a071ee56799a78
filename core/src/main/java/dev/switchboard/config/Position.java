package dev.switchboard.config;

/// A place in a text.
///
/// @param line from 1
/// @param column from 1
record Position(int line, int column) {
  static final Position START = new Position(1, 1);
}
