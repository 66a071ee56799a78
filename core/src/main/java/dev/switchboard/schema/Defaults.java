package dev.switchboard.schema;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// What [Default] annotations say.
final class Defaults {
  private Defaults() {}

  /// The default as JSON: its text read as JSON where that fits, else as a string.
  ///
  /// @throws IllegalArgumentException when neither fits the shape
  static JsonNode value(String text, Shape shape) {
    JsonNode tree = Reading.of(text).tree();
    JsonNode string = JsonNodeFactory.instance.stringNode(text);
    for (JsonNode candidate : tree == null ? List.of(string) : List.of(tree, string)) {
      if (shape.accepts(candidate, new Faults())) {
        return candidate;
      }
    }
    Faults faults = new Faults();
    shape.explain(tree == null ? string : tree, Place.ROOT, faults);
    Fault first = faults.list().getFirst();
    String where = first.pointer().isEmpty() ? "" : " at '" + first.pointer() + "'";
    throw new IllegalArgumentException(
        "has the default "
            + Found.quoted(text)
            + ", which does not fit: expected "
            + first.expected()
            + where
            + ", found "
            + first.found());
  }

  /// What a component gets whose default is this.
  static Absent absent(JsonNode value, Shape shape, Wrapping wrapping) {
    Absent.Fresh fresh = new Absent.Fresh(shape, value, wrapping);
    boolean mutable =
        value.isContainer() || (shape instanceof StringShape string && string.bindsArray());
    return mutable ? fresh : new Absent.Constant(fresh.value());
  }
}
