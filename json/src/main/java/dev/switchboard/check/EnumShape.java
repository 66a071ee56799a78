package dev.switchboard.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One of several strings.
///
/// @param constants the bound value of each, in the schema's order; itself for a schema stated as
///   JSON
record EnumShape(Map<String, Object> constants) implements Shape {
  private static final int MOST_COMPARED = 3_000;
  private static final int LONGEST = 40;

  /// One of these words, bound to themselves.
  static EnumShape of(Iterable<String> words) {
    Map<String, Object> constants = new LinkedHashMap<>();
    words.forEach(word -> constants.put(word, word));
    return new EnumShape(constants);
  }

  @Override
  public Object read(JsonTokens in) {
    Object constant = constants.get(in.string());
    if (constant == null) {
      throw Mismatch.INSTANCE;
    }
    return constant;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isString() || !constants.containsKey(value.stringValue())) {
      faults.add(at, this, value);
    }
  }

  @Override
  public String expected() {
    return expected(List.of());
  }

  @Override
  public String expected(@Nullable JsonNode found) {
    boolean some = constants.size() > ConstantShape.MOST_SHOWN && constants.size() <= MOST_COMPARED;
    return some && found != null && found.isString() && found.stringValue().length() <= LONGEST
        ? expected(Closest.to(found.stringValue(), constants.keySet()))
        : expected();
  }

  /// Some of the constants, those first.
  private String expected(List<String> first) {
    List<String> shown =
        Stream.concat(first.stream(), constants.keySet().stream())
            .distinct()
            .limit(ConstantShape.MOST_SHOWN)
            .map(ValueText::quoted)
            .toList();
    return ConstantShape.expected(shown, constants.size());
  }
}
