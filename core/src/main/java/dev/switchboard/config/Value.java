package dev.switchboard.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value of a file and its place. Each reading reports what is wrong and gives null then.
record Value(Place place, JsonNode node) {

  @Nullable String text() {
    return node.isString() ? node.stringValue() : wrongType("a string");
  }

  /// A string that is not blank.
  @Nullable String filledText() {
    String text = text();
    return text != null && text.isBlank() ? bad("must not be empty") : text;
  }

  /// The text of a string, a number or a boolean.
  @Nullable String scalarText() {
    return node.isValueNode() ? node.asString() : wrongType("a string, a number or a boolean");
  }

  @Nullable Boolean flag() {
    return node.isBoolean() ? Boolean.valueOf(node.booleanValue()) : wrongType("true or false");
  }

  @Nullable Integer whole(int least, int greatest) {
    if (!node.isIntegralNumber()) {
      return wrongType("an integer");
    }
    boolean within =
        node.canConvertToInt() && node.intValue() >= least && node.intValue() <= greatest;
    return within
        ? Integer.valueOf(node.intValue())
        : bad(
            greatest == Integer.MAX_VALUE
                ? "must be at least %d, not %s".formatted(least, node)
                : "must be %d to %d, not %s".formatted(least, greatest, node));
  }

  @Nullable Duration duration() {
    if (!node.isNumber() && !node.isString()) {
      return wrongType(Durations.FORMS);
    }
    Duration length = Durations.read(node);
    return length == null ? bad("must be " + Durations.FORMS + ", not " + node) : length;
  }

  @Nullable Duration positiveDuration() {
    Duration length = duration();
    return length != null && length.isZero() ? bad("must be more than 0") : length;
  }

  /// One of these words.
  @Nullable String word(List<String> words) {
    String text = text();
    if (text == null || words.contains(text)) {
      return text;
    }
    String list = "'" + String.join("', '", words) + "'";
    return bad("must be one of " + list + ", not '" + text + "'" + Suggestion.of(text, words));
  }

  /// The values of a list; none where it is no list.
  List<Value> items() {
    List<Value> items = new ArrayList<>();
    if (!node.isArray()) {
      wrongType("a list");
      return items;
    }
    for (int i = 0; i < node.size(); i++) {
      items.add(new Value(place.item(i), node.get(i)));
    }
    return items;
  }

  /// The strings of a list; whatever is none is reported and left out.
  List<String> texts() {
    return items().stream().map(Value::filledText).filter(Objects::nonNull).toList();
  }

  /// The table, whose keys are these.
  @Nullable Section section(Keys keys) {
    return node.isObject() ? new Section(this, keys) : wrongType("a table");
  }

  /// The values of a table whose keys are free; none where it is no table.
  List<Member> members() {
    List<Member> members = new ArrayList<>();
    if (node.isObject()) {
      node.forEachEntry(
          (key, value) -> members.add(new Member(key, new Value(place.member(key), value))));
    } else {
      wrongType("a table");
    }
    return members;
  }

  /// A value and its key.
  record Member(String key, Value value) {}

  private <T> @Nullable T wrongType(String expected) {
    place.error(
        FaultClass.WRONG_TYPE, "%s must be %s, not %s".formatted(place.path(), expected, found()));
    return null;
  }

  /// Reports that the value is not to be had here; the rest of the sentence says why.
  <T> @Nullable T bad(String why) {
    place.error(FaultClass.BAD_VALUE, place.path() + " " + why);
    return null;
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
