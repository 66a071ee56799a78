package dev.switchboard.store;

/// An open database with the indexes by which memory is searched.
interface SearchableSql extends Sql {
  /// The index of the words of entries.
  WordIndex words();

  /// The index of the vectors of entries.
  VectorIndex vectors();
}
