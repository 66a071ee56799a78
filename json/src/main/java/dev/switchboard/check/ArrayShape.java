package dev.switchboard.check;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// An array.
///
/// @param first the shapes of the first items
/// @param items the shape of all others
/// @param gathering the collection for the bound items; null if nothing is bound
record ArrayShape(
    List<Shape> first,
    Shape items,
    Cardinality size,
    boolean unique,
    @Nullable ItemCollector gathering)
    implements Shape {

  @Override
  public @Nullable Object read(JsonTokens in) {
    if (in.token() != JsonToken.START_ARRAY) {
      throw Mismatch.INSTANCE;
    }
    if (!unique) {
      return readItems(in);
    }
    JsonNode tree = in.tree();
    if (!Equality.allDiffer(tree, in.budget())) {
      throw Mismatch.INSTANCE;
    }
    try (JsonTokens again = in.again(tree)) {
      return readItems(again);
    }
  }

  private @Nullable Object readItems(JsonTokens in) {
    ArrayList<@Nullable Object> bound = gathering == null ? null : new ArrayList<>();
    int count = 0;
    while (in.next() != JsonToken.END_ARRAY) {
      if (count == size.most()) {
        throw Mismatch.INSTANCE;
      }
      Object item = shapeAt(count++).read(in);
      if (bound != null) {
        bound.add(item);
      }
    }
    if (count < size.least()) {
      throw Mismatch.INSTANCE;
    }
    return gathering == null || bound == null ? null : gathering.finish(bound);
  }

  Shape shapeAt(int index) {
    return index < first.size() ? first.get(index) : items;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isArray()) {
      faults.add(at, this, value);
      return;
    }
    faults.step(1 + value.size());
    if (!size.admits(value.size())) {
      faults.add(at, size.describe("array", "item", "items"), "array of " + value.size());
    }
    if (unique && !Equality.allDiffer(value, faults)) {
      faults.add(at, "array of items that all differ", "the same item twice");
    }
    for (int i = 0; i < value.size() && !faults.decided(); i++) {
      shapeAt(i).explain(value.get(i), at.child(i), faults);
    }
  }

  @Override
  public String expected() {
    return "array";
  }
}
