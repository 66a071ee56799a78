package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// A value of another shape, or null.
///
/// @param whenNull the bound value of null
/// @param absent the bound value if it is absent
/// @param wrapping the wrapper of a value
record NullableShape(Shape content, Absent whenNull, Absent absent, OptionalWrapper wrapping)
    implements Shape {
  @Override
  public @Nullable Object read(JsonTokens in) {
    return in.token() == JsonToken.VALUE_NULL ? whenNull.value() : wrapping.wrap(content.read(in));
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isNull()) {
      content.explain(value, at, faults);
    }
  }

  @Override
  public String expected() {
    return content.expected() + " or null";
  }
}
