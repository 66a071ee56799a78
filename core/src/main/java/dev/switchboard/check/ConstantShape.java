package dev.switchboard.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// One of several values, not all of them strings.
final class ConstantShape implements Shape {
  static final ConstantShape NULL = new ConstantShape(List.of(JsonNodeFactory.instance.nullNode()));

  private final List<JsonNode> values;
  private final Set<String> keys = new HashSet<>();

  ConstantShape(List<JsonNode> values) {
    this.values = List.copyOf(values);
    values.forEach(value -> keys.add(Equality.key(value)));
  }

  List<JsonNode> values() {
    return values;
  }

  @Override
  public @Nullable Object read(Tokens in) {
    if (!keys.contains(Equality.key(in.tree()))) {
      throw Mismatch.INSTANCE;
    }
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    String key = Equality.key(value);
    faults.step(1 + key.length() / 16);
    if (!keys.contains(key)) {
      faults.add(at, this, value);
    }
  }

  @Override
  public String expected() {
    return expected(values.stream().map(JsonNode::toString).toList());
  }

  /// A description of one of these JSON texts.
  static String expected(List<String> texts) {
    return texts.size() == 1 ? texts.getFirst() : "one of [" + String.join(",", texts) + "]";
  }
}
