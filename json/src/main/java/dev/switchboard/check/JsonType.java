package dev.switchboard.check;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// The six JSON types.
enum JsonType {
  OBJECT,
  ARRAY,
  STRING,
  NUMBER,
  BOOLEAN,
  NULL;

  static @Nullable JsonType of(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> OBJECT;
      case START_ARRAY -> ARRAY;
      case VALUE_STRING -> STRING;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> BOOLEAN;
      case VALUE_NULL -> NULL;
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT -> null;
    };
  }

  static @Nullable JsonType of(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> OBJECT;
      case ARRAY -> ARRAY;
      case STRING -> STRING;
      case NUMBER -> NUMBER;
      case BOOLEAN -> BOOLEAN;
      case NULL -> NULL;
      case MISSING, BINARY, POJO -> null;
    };
  }
}
