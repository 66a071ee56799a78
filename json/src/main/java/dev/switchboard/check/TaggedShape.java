package dev.switchboard.check;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// One of several objects, distinguished by a member. If that comes later, the members before it
/// are buffered.
///
/// @param tag the member's name, the first property of each variant
record TaggedShape(String tag, Map<String, ObjectShape> variants) implements Shape {
  @Override
  public @Nullable Object read(JsonTokens in) {
    if (in.token() != JsonToken.START_OBJECT) {
      throw Mismatch.INSTANCE;
    }
    String first = in.nextName();
    if (tag.equals(first)) {
      in.next();
      return variant(in.string()).readMembers(in, 1);
    }
    JsonNode tree = in.treeFromFirstName(first);
    JsonNode word = tree.get(tag);
    if (word == null || !word.isString()) {
      throw Mismatch.INSTANCE;
    }
    try (JsonTokens again = in.again(tree)) {
      return variant(word.stringValue()).read(again);
    }
  }

  private ObjectShape variant(String word) {
    ObjectShape variant = variants.get(word);
    if (variant == null) {
      throw Mismatch.INSTANCE;
    }
    return variant;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isObject()) {
      faults.add(at, this, value);
      return;
    }
    JsonNode word = value.get(tag);
    ObjectShape variant = word != null && word.isString() ? variants.get(word.stringValue()) : null;
    if (variant == null) {
      faults.addMember(at.child(tag), words(), word);
    } else {
      variant.explain(value, at, faults);
    }
  }

  /// The values of the tag.
  EnumShape words() {
    return new EnumShape(new LinkedHashMap<>(variants));
  }

  @Override
  public String expected() {
    return "object";
  }
}
