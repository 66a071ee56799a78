package dev.switchboard.cli.edit;

import java.util.ArrayList;
import java.util.List;

/// A header or a key of a TOML text and where it stands, without the comment behind it.
sealed interface Statement {
  /// The offset of its first character.
  int start();

  /// The offset after its last character.
  int end();

  /// `[path]`, or `[[path]]` where it begins another element of a list.
  record Header(int start, int end, List<String> path, boolean element) implements Statement {}

  /// `path = value`.
  record Key(int start, Piece value, List<String> path) implements Statement {
    @Override
    public int end() {
      return value.end();
    }
  }

  /// A header and the keys below it; the keys before the first header have none.
  ///
  /// @param path of the table, empty for the file itself
  record Section(List<String> path, boolean element, List<Statement> statements) {
    int start() {
      return statements.getFirst().start();
    }

    int end() {
      return statements.getLast().end();
    }

    boolean isBelow(List<String> other) {
      return path.size() > other.size() && path.subList(0, other.size()).equals(other);
    }

    /// The whole path of a key of it.
    List<String> path(Key key) {
      List<String> whole = new ArrayList<>(path);
      whole.addAll(key.path());
      return whole;
    }
  }
}
