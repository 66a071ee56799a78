package dev.switchboard.check;

import dev.switchboard.json.Codec;
import dev.switchboard.text.Surrogates;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.JsonNode;

/// The tokens of a text or a tree, with what holds for every JSON value whatever its schema: paired
/// surrogates, numbers in the range of a double. All methods throw [Mismatch] or Jackson's
/// exceptions at what is wrong.
final class Tokens implements AutoCloseable {
  private final JsonParser parser;
  private final long steps;

  /// Whether the tokens are a tree's: what is held back of them a second time costs steps, since
  /// that may happen on each level of it.
  private final boolean again;

  private @Nullable Faults budget;

  private Tokens(JsonParser parser, long steps, boolean again) {
    this.parser = parser;
    this.steps = steps;
    this.again = again;
  }

  /// Standing before the first token of the text.
  ///
  /// @param steps the bound on the work that its check may take beyond one pass
  static Tokens of(String text, long steps) {
    return new Tokens(Codec.partParser(text), steps, false);
  }

  /// Standing at the first token of the tree, which has been checked as it was built.
  static Tokens of(JsonNode tree, Faults budget) {
    Tokens tokens = new Tokens(tree.traverse(ObjectReadContext.empty()), 0, true);
    tokens.budget = budget;
    tokens.next();
    return tokens;
  }

  /// Standing at the first token of a part of this value, which was held back as a tree.
  Tokens again(JsonNode tree) {
    return of(tree, budget());
  }

  /// What bounds the work on the whole value.
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

  /// Makes sure that the text holds no half of a surrogate pair.
  static void requirePaired(String text) {
    if (!Surrogates.paired(text)) {
      throw Mismatch.INSTANCE;
    }
  }

  /// Whether the current token is a number written without fraction and exponent that fits a long.
  boolean isLong() {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  /// The current token, of which [#isLong()] holds.
  long longValue() {
    return parser.getLongValue();
  }

  /// The current token, a number, as a double: never infinite, and zero only for zero.
  double doubleValue() {
    requireNumber();
    double value = parser.getDoubleValue();
    if (value == 0 || Double.isInfinite(value)) {
      Numbers.requireInRange(Numbers.exact(parser));
    }
    return value;
  }

  /// The current token, a number, exactly.
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

  /// The value that begins at the current token; stands at its last token afterwards.
  JsonNode tree() {
    return new TreeBuilder(parser, null, again ? budget() : null).value();
  }

  /// The object whose first member's name has just been read; stands at its end afterwards.
  JsonNode treeFromFirstName(@Nullable String firstName) {
    return new TreeBuilder(parser, null, again ? budget() : null).members(firstName);
  }

  /// Skips the value that begins at the current token.
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

  /// Makes sure that nothing follows.
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
