package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Any value, bound to a tree, to Java's own values, or to nothing.
///
/// @param binding what a typed tool gets
record AnyShape(TreeBinding binding) implements Shape {
  static final AnyShape UNBOUND = new AnyShape(TreeBinding.NONE);

  /// Whether the shape accepts any value and binds none.
  static boolean isUnbound(Shape shape) {
    return shape instanceof AnyShape any && any.binding == TreeBinding.NONE;
  }

  @Override
  public @Nullable Object read(Tokens in) {
    if (binding == TreeBinding.NONE) {
      in.skip();
      return null;
    }
    return binding.bind(in.tree());
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    faults.step();
  }

  @Override
  public String expected() {
    return "any value";
  }
}
