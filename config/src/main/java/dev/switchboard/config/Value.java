package dev.switchboard.config;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Durations;
import dev.switchboard.toml.TextTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value of a file with its position. Each read method reports a fault and then returns null.
///
/// @param pointer its JSON pointer in the source
/// @param path for messages, such as `tools[0].retry.base`; empty for the whole
/// @param node missing if the value is absent
record Value(Source source, String pointer, String path, JsonNode node) implements StatedValue {
  private static final String BYTES = "a size such as \"64KiB\", \"16MiB\" or a number of bytes";
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9}) ?(KiB|MiB|GiB)?");

  /// The whole of a text.
  static Value root(Source source) {
    return root(source, "");
  }

  /// The whole of a text, with that path for messages.
  static Value root(Source source, String path) {
    return new Value(source, "", path, source.text().tree());
  }

  /// That value, which this package has made.
  static Value of(StatedValue value) {
    return (Value) value;
  }

  @Override
  public Value member(String key) {
    String below = path.isEmpty() ? key : path + "." + key;
    return new Value(source, TextTree.below(pointer, key), below, node.path(key));
  }

  @Override
  public <R extends Record> @Nullable R bind(Class<R> type) {
    return node.isMissingNode() ? Binder.bound(this, type) : Binder.bind(this, type);
  }

  @Override
  public List<String> keys(Class<? extends Record> type) {
    return Binder.keys(type);
  }

  @Override
  public boolean isTable(String type) {
    return is(node.isObject(), type);
  }

  @Override
  public String closest(String word, Collection<String> known) {
    return source.faults().closest(word, known);
  }

  @Override
  public String closestAndAll(String word, Collection<String> known) {
    return Hints.closestAndAll(word, known);
  }

  @Override
  public boolean has(String key) {
    return node.hasNonNull(key);
  }

  /// The value at that pointer inside this one, with this value's path for messages.
  Value within(String relative) {
    return new Value(source, pointer + relative, path, node);
  }

  @Override
  public boolean isString() {
    return node.isString() && !TextTree.isDate(node);
  }

  @Override
  public @Nullable String text() {
    return is(isString(), "a string") ? node.stringValue() : null;
  }

  @Override
  public @Nullable String filledText() {
    String text = text();
    if (text == null || !text.isBlank()) {
      return text;
    }
    bad("must not be empty");
    return null;
  }

  /// The text of a string, a number or a boolean.
  @Nullable String scalarText() {
    boolean scalar =
        is(node.isValueNode() && !TextTree.isDate(node), "a string, a number or a boolean");
    return scalar ? node.asString() : null;
  }

  @Nullable Boolean flag() {
    return is(node.isBoolean(), "true or false") ? Boolean.valueOf(node.booleanValue()) : null;
  }

  @Override
  public @Nullable Integer whole(int least, int most) {
    if (node.isNumber() && !node.isIntegralNumber()) {
      error(FaultClass.WRONG_TYPE, "%s must be an integer, not %s".formatted(path, node));
      return null;
    }
    if (!is(node.isIntegralNumber(), "an integer")) {
      return null;
    }
    if (node.canConvertToInt() && node.intValue() >= least && node.intValue() <= most) {
      return node.intValue();
    }
    bad("must be %s, not %s".formatted(bounds(least, most), node));
    return null;
  }

  /// The bounds that a number out of them should have kept, as a clause.
  private String bounds(int least, int most) {
    if (most < Integer.MAX_VALUE) {
      return least + " to " + most;
    }
    return node.doubleValue() < least ? "at least " + least : "at most " + most;
  }

  @Nullable Double number(int least, int most) {
    if (!is(node.isNumber(), "a number")) {
      return null;
    }
    double number = node.doubleValue();
    if (number >= least && number <= most) {
      return number;
    }
    bad("must be %s, not %s".formatted(bounds(least, most), node));
    return null;
  }

  @Override
  public @Nullable Duration duration() {
    if (!is(node.isNumber() || isString(), Durations.FORMS)) {
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

  /// A duration of at least that many milliseconds.
  @Nullable Duration duration(int least, int most) {
    Duration length = duration();
    if (length == null || length.toMillis() >= least && length.toMillis() <= most) {
      return length;
    }
    bad("must be %d to %d ms, not %s".formatted(least, most, node));
    return null;
  }

  @Override
  public @Nullable Long bytes() {
    if (!is(node.isIntegralNumber() || isString(), BYTES)) {
      return null;
    }
    Matcher parts = SIZE.matcher(node.asString());
    if (!parts.matches()) {
      bad("must be " + BYTES + ", not " + node);
      return null;
    }
    String unit = parts.group(2) == null ? "" : parts.group(2);
    return Long.parseLong(parts.group(1)) << 10 * List.of("", "KiB", "MiB", "GiB").indexOf(unit);
  }

  @Override
  public <E extends Enum<E>> @Nullable E word(Class<E> type) {
    return type.cast(word(type.getEnumConstants()));
  }

  /// One of these constants, by its name in lower case.
  @Nullable Object word(Object[] constants) {
    String text = text();
    List<String> words = new ArrayList<>();
    for (Object constant : constants) {
      words.add(constant.toString().toLowerCase(Locale.ROOT));
    }
    if (text == null || words.contains(text)) {
      return text == null ? null : constants[words.indexOf(text)];
    }
    String list = "'" + String.join("', '", words) + "'";
    bad("must be one of " + list + ", not '" + text + "'" + Hints.closest(text, words));
    return null;
  }

  @Override
  public Json json() {
    return isString() ? Json.text(node.stringValue()) : Json.of(node);
  }

  @Override
  public @Nullable Json table(String form) {
    Json json = json();
    try {
      if (json.tree().isObject()) {
        return json;
      }
      bad("must be " + form);
    } catch (JsonException e) {
      bad("must be " + form + ", but " + e.getMessage());
    }
    return null;
  }

  @Override
  public List<Value> items() {
    List<Value> items = new ArrayList<>();
    if (is(node.isArray(), "a list")) {
      for (int i = 0; i < node.size(); i++) {
        items.add(new Value(source, pointer + "/" + i, path + "[" + i + "]", node.get(i)));
      }
    }
    return items;
  }

  @Override
  public List<String> texts() {
    return items().stream().map(Value::filledText).filter(Objects::nonNull).toList();
  }

  @Override
  public Map<String, Value> members() {
    Map<String, Value> members = new LinkedHashMap<>();
    if (is(node.isObject(), "a table")) {
      for (String key : node.propertyNames()) {
        members.put(key, member(key));
      }
    }
    return members;
  }

  /// Whether it has that type; reports it otherwise.
  boolean is(boolean ofType, String type) {
    if (!ofType) {
      error(FaultClass.WRONG_TYPE, "%s must be %s, not %s".formatted(path, type, found()));
    }
    return ofType;
  }

  @Override
  public void bad(String why) {
    error(FaultClass.BAD_VALUE, path + " " + why);
  }

  void error(FaultClass kind, String message) {
    report(Severity.ERROR, kind, message);
  }

  @Override
  public void warning(FaultClass kind, String message) {
    report(Severity.WARNING, kind, message);
  }

  @Override
  public void report(Severity severity, FaultClass kind, String message) {
    source.faults().add(fault(severity, kind, message));
  }

  @Override
  public ConfigException.Fault fault(Severity severity, FaultClass kind, String message) {
    TextTree.Position at = source.text().at(pointer);
    return new ConfigException.Fault(
        source.file(), at.line(), at.column(), severity, kind, message);
  }

  private String found() {
    return switch (node.getNodeType()) {
      case STRING -> isString() ? "a string" : "a date or time";
      case NUMBER -> node.isIntegralNumber() ? "an integer" : "a number";
      case BOOLEAN -> "a boolean";
      case ARRAY -> "a list";
      case OBJECT -> "a table";
      case NULL, MISSING, BINARY, POJO -> "nothing";
    };
  }
}
