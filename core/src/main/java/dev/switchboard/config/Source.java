package dev.switchboard.config;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A text read into a neutral tree, with the place of every value: the same whether it was TOML or
/// JSON.
///
/// @param file as it is named in faults
/// @param positions by JSON pointer
/// @param faults where what is wrong with it is put
record Source(String file, JsonNode tree, Map<String, Position> positions, Faults faults) {

  /// The whole of it.
  Value root() {
    return new Value(new Place(this, "", ""), tree);
  }

  /// The place of the value at that pointer, or of the nearest one around it that has one.
  Position at(String pointer) {
    String nearest = pointer;
    while (!nearest.isEmpty() && !positions.containsKey(nearest)) {
      nearest = nearest.substring(0, nearest.lastIndexOf('/'));
    }
    return positions.getOrDefault(nearest, Position.START);
  }
}
