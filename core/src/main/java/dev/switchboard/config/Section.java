package dev.switchboard.config;

import dev.switchboard.json.Codec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A table of a file whose keys are known. Each reading gives null where the key is left out, and
/// where the value is faulty, which is then reported.
final class Section {
  private final Value table;
  private final Keys keys;

  /// Reports every key that means nothing here.
  Section(Value table, Keys keys) {
    this.table = table;
    this.keys = keys;
    table.node().propertyNames().stream().filter(key -> !known(key)).forEach(this::unknown);
  }

  private boolean known(String key) {
    return keys.names().contains(key);
  }

  private void unknown(String key) {
    String where = place().path().isEmpty() ? "" : " in " + place().path();
    place()
        .member(key)
        .error(
            FaultClass.UNKNOWN_KEY,
            "unknown key '" + key + "'" + where + keys.meant(key, place().path()));
  }

  /// Whether it holds no key at all.
  boolean isEmpty() {
    return table.node().isEmpty();
  }

  Place place() {
    return table.place();
  }

  /// The value of that key, null where it is left out.
  @Nullable Value value(String key) {
    if (!known(key)) {
      throw new IllegalArgumentException(keys + " has no key " + key);
    }
    JsonNode node = table.node().get(key);
    return node == null || node.isNull() ? null : new Value(place().member(key), node);
  }

  boolean has(String key) {
    return value(key) != null;
  }

  @Nullable String text(String key) {
    Value value = value(key);
    return value == null ? null : value.text();
  }

  @Nullable String filledText(String key) {
    Value value = value(key);
    return value == null ? null : value.filledText();
  }

  boolean flag(String key) {
    return Boolean.TRUE.equals(optionalFlag(key));
  }

  @Nullable Boolean optionalFlag(String key) {
    Value value = value(key);
    return value == null ? null : value.flag();
  }

  @Nullable Integer whole(String key, int least, int greatest) {
    Value value = value(key);
    return value == null ? null : value.whole(least, greatest);
  }

  @Nullable Double number(String key, int least, int greatest) {
    Value value = value(key);
    return value == null ? null : value.number(least, greatest);
  }

  @Nullable Duration duration(String key) {
    Value value = value(key);
    return value == null ? null : value.duration();
  }

  @Nullable Duration positiveDuration(String key) {
    Value value = value(key);
    return value == null ? null : value.positiveDuration();
  }

  @Nullable String word(String key, List<String> words) {
    Value value = value(key);
    return value == null ? null : value.word(words);
  }

  List<String> texts(String key) {
    Value value = value(key);
    return value == null ? List.of() : value.texts();
  }

  @Nullable Section section(String key, Keys below) {
    Value value = value(key);
    return value == null ? null : value.section(below);
  }

  /// The table of that key; an empty one where it is left out or no table.
  Section sectionOrEmpty(String key, Keys below) {
    Section section = section(key, below);
    return section == null
        ? new Section(new Value(place().member(key), Codec.object()), below)
        : section;
  }
}
