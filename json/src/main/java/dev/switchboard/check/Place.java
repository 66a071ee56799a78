package dev.switchboard.check;

import dev.switchboard.text.JsonPointer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.TokenStreamContext;

/// A place in a JSON value: a path from its root.
record Place(@Nullable Place parent, String step) {
  static final Place ROOT = new Place(null, "");

  /// The place of the parser.
  static Place of(TokenStreamContext context) {
    TokenStreamContext parent = context.getParent();
    if (parent == null) {
      return ROOT;
    }
    Place above = of(parent);
    if (context.inObject() && context.hasCurrentName()) {
      return above.child(context.currentName());
    }
    return context.inArray() && context.hasCurrentIndex()
        ? above.child(context.getCurrentIndex())
        : above;
  }

  /// The first step from the root, or the root itself.
  Place first() {
    Place above = parent;
    return above == null || above.parent == null ? this : above.first();
  }

  Place child(String name) {
    return new Place(this, name);
  }

  Place child(int index) {
    return new Place(this, Integer.toString(index));
  }

  /// The steps from a place above, as a JSON pointer without its first slash.
  String below(Place above) {
    return pointer().substring(above.pointer().length() + 1);
  }

  /// The place as a JSON pointer (RFC 6901).
  String pointer() {
    StringBuilder pointer = new StringBuilder();
    append(pointer);
    return pointer.toString();
  }

  /// The steps, joined.
  String text() {
    StringBuilder text = new StringBuilder();
    for (Place at = this; at != null; at = at.parent) {
      text.insert(0, at.step);
    }
    return text.toString();
  }

  private void append(StringBuilder pointer) {
    if (parent != null) {
      parent.append(pointer);
      pointer.append('/').append(JsonPointer.step(step));
    }
  }
}
