package dev.switchboard.check;

import dev.switchboard.json.Codec;
import dev.switchboard.text.Surrogates;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.JsonNode;

/// The tokens of a text or a tree, with the rules for every JSON value: paired surrogates, numbers
/// in the range of a double. All methods throw [Mismatch] or Jackson's exceptions.
final class JsonTokens implements AutoCloseable {
  private final JsonParser parser;
  private final long steps;

  /// Whether the tokens are a tree's: buffering them again costs steps, since each level may do it.
  private final boolean again;

  private @Nullable Faults budget;

  private JsonTokens(JsonParser parser, long steps, boolean again) {
    this.parser = parser;
    this.steps = steps;
    this.again = again;
  }

  /// Tokens before the first one of the text.
  ///
  /// @param steps the limit on work in addition to one pass
  static JsonTokens of(String text, long steps) {
    return new JsonTokens(Codec.partParser(text), steps, false);
  }

  /// Tokens at the first one of the tree, which was checked when it was built.
  static JsonTokens of(JsonNode tree, Faults budget) {
    JsonTokens tokens = new JsonTokens(tree.traverse(ObjectReadContext.empty()), 0, true);
    tokens.budget = budget;
    tokens.next();
    return tokens;
  }

  /// Tokens at the first one of a buffered part of this value.
  JsonTokens again(JsonNode tree) {
    return of(tree, budget());
  }

  /// The limit on work for the whole value.
  Faults budget() {
    Faults known = budget;
    if (known == null) {
      known = new Faults(steps);
      budget = known;
    }
    return known;
  }

  @Nullable JsonToken token() {
    return parser.currentToken();
  }

  @Nullable JsonToken next() {
    return parser.nextToken();
  }

  /// The name of the next member, or null at the end of the object.
  @Nullable String nextName() {
    return parser.nextName();
  }

  /// The current token, a string.
  String string() {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw Mismatch.INSTANCE;
    }
    char[] letters = parser.getStringCharacters();
    boolean plain = Surrogates.noneIn(letters, parser.getStringOffset(), parser.getStringLength());
    String text = parser.getString();
    if (!plain) {
      requirePaired(text);
    }
    return text;
  }

  /// Refuses half a surrogate pair.
  static void requirePaired(String text) {
    if (!Surrogates.paired(text)) {
      throw Mismatch.INSTANCE;
    }
  }

  /// Whether the current token is an integer without fraction and exponent, in the range of a long.
  boolean isLong() {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  /// The current token, for which [#isLong()] is true.
  long longValue() {
    return parser.getLongValue();
  }

  /// The current number as a double: finite, and zero only for zero.
  double doubleValue() {
    requireNumber();
    double value = parser.getDoubleValue();
    if (value == 0 || Double.isInfinite(value)) {
      Numbers.requireInRange(Numbers.exact(parser));
    }
    return value;
  }

  /// The current number, exact.
  BigDecimal decimalValue() {
    requireNumber();
    return Numbers.requireInRange(Numbers.exact(parser));
  }

  private void requireNumber() {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      throw Mismatch.INSTANCE;
    }
  }

  /// The value at the current token; then at its last token.
  JsonNode tree() {
    return new TreeBuilder(parser, null, again ? budget() : null).value();
  }

  /// The object whose first member's name has been read; then at its end.
  JsonNode treeFromFirstName(@Nullable String firstName) {
    return new TreeBuilder(parser, null, again ? budget() : null).members(firstName);
  }

  /// Skips the value at the current token.
  void skip() {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_STRING) {
      string();
    } else if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
      doubleValue();
    } else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      tree();
    }
  }

  /// Refuses further tokens.
  void end() {
    if (parser.nextToken() != null) {
      throw Mismatch.INSTANCE;
    }
  }

  @Override
  public void close() {
    parser.close();
  }
}
