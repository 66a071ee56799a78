package dev.switchboard.check;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A string.
///
/// @param length in code points
/// @param patterns that must all be found in it
/// @param type the bound type, whose syntax binding checks
record StringShape(
    Cardinality length, List<Regex> patterns, @Nullable TextFormat format, @Nullable TextType type)
    implements Shape {
  /// The string of a stated schema.
  static StringShape stated(JsonNode schema) {
    List<Regex> patterns =
        schema.has("pattern") ? List.of(Regex.of(schema.path("pattern").stringValue())) : List.of();
    return of(schema, patterns, TextFormat.of(schema.path("format").asString("")), null);
  }

  /// A string that is bound to that type.
  ///
  /// @param patterns that must all be found in it
  static StringShape bound(TextType type, JsonNode schema, List<String> patterns) {
    TextFormat format =
        type == TextType.STRING ? TextFormat.of(schema.path("format").asString("")) : null;
    return of(schema, patterns.stream().map(Regex::of).toList(), format, type);
  }

  private static StringShape of(
      JsonNode schema, List<Regex> patterns, @Nullable TextFormat format, @Nullable TextType type) {
    return new StringShape(
        Cardinality.of(schema, "minLength", "maxLength"), patterns, format, type);
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
    String text = in.string();
    if (!lengthFits(text) || (format != null && !format.holds(text))) {
      throw Mismatch.INSTANCE;
    }
    for (int i = 0; i < patterns.size(); i++) {
      Regex pattern = patterns.get(i);
      if (pattern.isLarge()) {
        in.budget().step(pattern.cost(text));
      }
      if (!pattern.found(text)) {
        throw Mismatch.INSTANCE;
      }
    }
    if (type == null) {
      return text;
    }
    Object bound = type.bind(text);
    if (bound == null) {
      throw Mismatch.INSTANCE;
    }
    return bound;
  }

  /// Whether the bound value is mutable.
  boolean bindsArray() {
    return type == TextType.BYTES || type == TextType.CHARACTERS;
  }

  private boolean lengthFits(String text) {
    int units = text.length();
    boolean surely = units >= 2L * length.least() && units <= length.most();
    return surely || length.admits(text.codePointCount(0, units));
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isString()) {
      faults.add(at, this, value);
      return;
    }
    String text = value.stringValue();
    faults.step(1 + text.length() / 16);
    if ((type != null && type.bind(text) == null) || (format != null && !format.holds(text))) {
      faults.add(at, this, value);
    }
    if (!lengthFits(text)) {
      faults.add(at, () -> length.describe("string", "character", "characters"), value);
    }
    for (Regex pattern : patterns) {
      faults.step(pattern.cost(text));
      if (!pattern.found(text)) {
        faults.add(at, () -> "string matching " + pattern.source(), value);
      }
    }
  }

  @Override
  public String expected() {
    if (type != null) {
      return type.label();
    }
    return format == null ? "string" : "string in format " + format.word();
  }
}
