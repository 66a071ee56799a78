package dev.switchboard.check;

import dev.switchboard.json.Codec;
import dev.switchboard.text.Surrogates;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Builds a tree of tokens, and finds faults by any schema: duplicate members, half surrogate
/// pairs, numbers out of range. Without a collector the first fault throws [Mismatch].
final class TreeBuilder {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonParser parser;
  private final @Nullable Faults faults;

  /// The budget of the tree, or null if it is free.
  private final @Nullable Faults budget;

  TreeBuilder(JsonParser parser, @Nullable Faults faults, @Nullable Faults budget) {
    this.parser = parser;
    this.faults = faults;
    this.budget = budget;
  }

  /// The value that begins at the current token.
  JsonNode value() {
    JsonToken token = parser.currentToken();
    if (budget != null) {
      budget.step();
    }
    if (token == null) {
      throw Mismatch.INSTANCE;
    }
    return switch (token) {
      case START_OBJECT -> members(parser.nextName());
      case START_ARRAY -> items();
      case VALUE_STRING -> string();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          throw Mismatch.INSTANCE;
    };
  }

  /// The object of which the first member's name has been read.
  JsonNode members(@Nullable String firstName) {
    ObjectNode object = Codec.object();
    for (String name = firstName; name != null; name = parser.nextName()) {
      if (!Surrogates.paired(name)) {
        fault("a name of whole characters", "half a surrogate pair");
      }
      boolean twice = object.has(name);
      if (twice) {
        fault("each member once", "the same name a second time");
      }
      parser.nextToken();
      JsonNode value = value();
      if (!twice) {
        object.set(name, value);
      }
    }
    return object;
  }

  private JsonNode items() {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value());
    }
    return array;
  }

  private JsonNode string() {
    String text = parser.getString();
    if (!Surrogates.paired(text)) {
      return fault("text of whole characters", "half a surrogate pair");
    }
    return NODES.stringNode(text);
  }

  private JsonNode number() {
    boolean integer = parser.currentToken() == JsonToken.VALUE_NUMBER_INT;
    if (integer && parser.getNumberType() == JsonParser.NumberType.INT) {
      return NODES.numberNode(parser.getIntValue());
    }
    if (integer && parser.getNumberType() == JsonParser.NumberType.LONG) {
      return NODES.numberNode(parser.getLongValue());
    }
    BigDecimal number = Numbers.exact(parser);
    if (number == null || !Numbers.inRange(number)) {
      return fault("a number in the range of a double", "a number out of range");
    }
    if (number.signum() == 0) {
      return NODES.numberNode(0);
    }
    return integer ? NODES.numberNode(number.toBigIntegerExact()) : NODES.numberNode(number);
  }

  private JsonNode fault(String expected, String found) {
    if (faults == null) {
      throw Mismatch.INSTANCE;
    }
    faults.add(faults.full() ? Place.ROOT : Place.of(parser.streamReadContext()), expected, found);
    return MissingNode.getInstance();
  }
}
