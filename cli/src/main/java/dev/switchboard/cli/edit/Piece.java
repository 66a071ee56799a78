package dev.switchboard.cli.edit;

import java.util.List;

/// A value of a TOML text and where it stands.
sealed interface Piece {
  /// The offset of its first character.
  int start();

  /// The offset after its last character.
  int end();

  /// A text, number, truth value or time.
  record Scalar(int start, int end) implements Piece {}

  /// A list in brackets.
  record Items(int start, int end, List<Piece> items) implements Piece {}

  /// A table in braces.
  record Members(int start, int end, List<Member> members) implements Piece {}

  /// A key in a table in braces, dotted or not, and its value.
  record Member(List<String> path, Piece value) {}
}
