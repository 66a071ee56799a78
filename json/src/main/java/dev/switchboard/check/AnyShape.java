package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// Any value, bound to a tree, to Java's own values, or to nothing.
///
/// @param binding what a typed tool gets
/// @param orNull whether null is accepted
record AnyShape(TreeBinding binding, boolean orNull) implements Shape {
  static final AnyShape UNBOUND = new AnyShape(TreeBinding.NONE, true);

  /// Whether the shape accepts any value and binds none.
  static boolean isUnbound(Shape shape) {
    return shape instanceof AnyShape any && any.binding == TreeBinding.NONE;
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
    if (binding == TreeBinding.NONE) {
      in.skip();
      return null;
    }
    if (!orNull && in.token() == JsonToken.VALUE_NULL) {
      throw Mismatch.INSTANCE;
    }
    return binding.bind(in.tree());
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    faults.step();
    if (!orNull && value.isNull()) {
      faults.add(at, this, value);
    }
  }

  @Override
  public String expected() {
    return orNull ? "any value" : "any value but null";
  }
}
