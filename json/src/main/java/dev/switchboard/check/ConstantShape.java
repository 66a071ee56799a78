package dev.switchboard.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// One of several values, not all of them strings.
final class ConstantShape implements Shape {
  /// The most values that a fault lists.
  static final int MOST_SHOWN = 50;

  private static final int LONGEST_SHOWN = 500;
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
  public @Nullable Object read(JsonTokens in) {
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
    List<String> shown = values.stream().limit(MOST_SHOWN).map(ConstantShape::shown).toList();
    return expected(shown, values.size());
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= LONGEST_SHOWN
        ? text
        : value.isString()
            ? ValueText.quoted(value.stringValue())
            : "a certain " + ValueText.of(value).replaceFirst(" .*", "");
  }

  /// A description of one of several values.
  ///
  /// @param texts of those to show, in JSON
  /// @param all how many there are
  static String expected(List<String> texts, int all) {
    if (all == 1) {
      return texts.getFirst();
    }
    String list = "one of [" + String.join(",", texts) + "]";
    return all == texts.size() ? list : list + " or " + (all - texts.size()) + " more";
  }
}
