package dev.switchboard.config;

import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value of a file and its place. Each reading reports what is wrong and gives null then.
record Value(Place place, JsonNode node) {

  @Nullable String text() {
    return is(node.isString(), "a string") ? node.stringValue() : null;
  }

  /// A string that is not blank.
  @Nullable String filledText() {
    String text = text();
    if (text == null || !text.isBlank()) {
      return text;
    }
    bad("must not be empty");
    return null;
  }

  /// The text of a string, a number or a boolean.
  @Nullable String scalarText() {
    boolean scalar = is(node.isValueNode(), "a string, a number or a boolean");
    return scalar ? node.asString() : null;
  }

  @Nullable Boolean flag() {
    return is(node.isBoolean(), "true or false") ? Boolean.valueOf(node.booleanValue()) : null;
  }

  @Nullable Integer whole(int least, int greatest) {
    if (!is(node.isIntegralNumber(), "an integer")) {
      return null;
    }
    if (node.canConvertToInt() && node.intValue() >= least && node.intValue() <= greatest) {
      return node.intValue();
    }
    bad(
        greatest == Integer.MAX_VALUE
            ? "must be at least %d, not %s".formatted(least, node)
            : "must be %d to %d, not %s".formatted(least, greatest, node));
    return null;
  }

  @Nullable Double number(int least, int greatest) {
    if (!is(node.isNumber(), "a number")) {
      return null;
    }
    double number = node.doubleValue();
    if (number >= least && number <= greatest) {
      return number;
    }
    bad("must be %d to %d, not %s".formatted(least, greatest, node));
    return null;
  }

  @Nullable Duration duration() {
    if (!is(node.isNumber() || node.isString(), Durations.FORMS)) {
      return null;
    }
    Duration length =
        node.isNumber()
            ? Durations.seconds(node.decimalValue())
            : Durations.withUnit(node.stringValue());
    if (length == null) {
      bad("must be " + Durations.FORMS + ", not " + node);
    }
    return length;
  }

  @Nullable Duration positiveDuration() {
    Duration length = duration();
    if (length == null || length.isPositive()) {
      return length;
    }
    bad("must be more than 0");
    return null;
  }

  /// One of these words.
  @Nullable String word(List<String> words) {
    String text = text();
    if (text == null || words.contains(text)) {
      return text;
    }
    String list = "'" + String.join("', '", words) + "'";
    bad("must be one of " + list + ", not '" + text + "'" + Suggestion.of(text, words));
    return null;
  }

  /// The values of a list; none if it is not a list.
  List<Value> items() {
    List<Value> items = new ArrayList<>();
    if (is(node.isArray(), "a list")) {
      for (int i = 0; i < node.size(); i++) {
        items.add(new Value(place.item(i), node.get(i)));
      }
    }
    return items;
  }

  /// The strings of a list; other values are reported and left out.
  List<String> texts() {
    return items().stream().map(Value::filledText).filter(Objects::nonNull).toList();
  }

  /// The table, whose keys are these.
  @Nullable Section section(Keys keys) {
    return is(node.isObject(), "a table") ? new Section(this, keys) : null;
  }

  /// The values of a table whose keys are free; none if it is not a table.
  List<Member> members() {
    List<Member> members = new ArrayList<>();
    if (is(node.isObject(), "a table")) {
      node.forEachEntry(
          (key, value) -> members.add(new Member(key, new Value(place.member(key), value))));
    }
    return members;
  }

  /// A value and its key.
  record Member(String key, Value value) {}

  /// Whether it is of that type; reports it where it is not.
  boolean is(boolean ofType, String type) {
    if (!ofType) {
      String sentence = "%s must be %s, not %s".formatted(place.path(), type, found());
      place.error(FaultClass.WRONG_TYPE, sentence);
    }
    return ofType;
  }

  /// Reports that the value is not to be had here; the rest of the sentence says why.
  void bad(String why) {
    place.error(FaultClass.BAD_VALUE, place.path() + " " + why);
  }

  private String found() {
    return switch (node.getNodeType()) {
      case STRING -> "a string";
      case NUMBER -> node.isIntegralNumber() ? "an integer" : "a number";
      case BOOLEAN -> "a boolean";
      case ARRAY -> "a list";
      case OBJECT -> "a table";
      case NULL, MISSING, BINARY, POJO -> "nothing";
    };
  }
}
