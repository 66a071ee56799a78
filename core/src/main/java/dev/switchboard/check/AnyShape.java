package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Anything, handed on as a tree, as Java's own values, or not at all.
///
/// @param binding how a typed tool gets it
record AnyShape(TreeBinding binding) implements Shape {
  static final AnyShape UNBOUND = new AnyShape(TreeBinding.NONE);

  /// Whether that one takes any value and binds none.
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
