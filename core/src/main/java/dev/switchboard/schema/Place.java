package dev.switchboard.schema;

import org.jspecify.annotations.Nullable;

/// A place in a JSON value, as a path of steps from its root.
record Place(@Nullable Place parent, String step) {
  static final Place ROOT = new Place(null, "");

  Place child(String name) {
    return new Place(this, name);
  }

  Place child(int index) {
    return new Place(this, Integer.toString(index));
  }

  /// The place as a JSON pointer (RFC 6901).
  String pointer() {
    StringBuilder pointer = new StringBuilder();
    append(pointer);
    return pointer.toString();
  }

  private void append(StringBuilder pointer) {
    if (parent != null) {
      parent.append(pointer);
      pointer.append('/').append(step.replace("~", "~0").replace("/", "~1"));
    }
  }
}
