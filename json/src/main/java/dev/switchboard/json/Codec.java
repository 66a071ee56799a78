package dev.switchboard.json;

import dev.switchboard.text.Surrogates;
import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The configuration of Jackson: the only place that sets its mapper and limits.
public final class Codec {
  /// The maximum nesting depth of JSON, in levels.
  public static final int MAX_DEPTH = 200;

  /// The maximum nesting depth of a part, such as the arguments of a call or the data of its
  /// result. The difference is for the events, requests and stored lines around it.
  public static final int MAX_PART_DEPTH = MAX_DEPTH - 16;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .recyclerPool(new Buffers())
          .build();
  private static final JsonFactory WATCHED =
      FACTORY.rebuild().addDecorator(InspectingGenerator::decorate).build();
  private static final JsonFactory PARTS =
      FACTORY
          .rebuild()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_PART_DEPTH).build())
          .build();

  /// The mapper; a separate class, so that [Jackson] can explain why it does not load.
  static final class Mapping {
    private static final JsonMapper MAPPER =
        mapper(WATCHED)
            .annotationIntrospector(new SealedTags())
            .addModule(KotlinJson.module())
            .build();
    private static final ObjectReader TREE = MAPPER.readerFor(JsonNode.class);

    private Mapping() {}

    static void load() {}
  }

  private Codec() {}

  static JsonMapper.Builder mapper() {
    return mapper(FACTORY);
  }

  private static JsonMapper.Builder mapper(JsonFactory factory) {
    return JsonMapper.builder(factory)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  }

  /// A token reader over the text, with the depth limit. It does not detect duplicate members.
  ///
  /// @throws JacksonException while reading, at invalid syntax
  public static JsonParser parser(String text) {
    return FACTORY.createParser(ObjectReadContext.empty(), text);
  }

  /// A token reader over that stream, as [#parser(String)]; it may read ahead.
  ///
  /// @throws JacksonException while reading, at invalid syntax or a failed stream
  public static JsonParser parser(InputStream stream) {
    return FACTORY.createParser(ObjectReadContext.empty(), stream);
  }

  /// A reader like [#parser], with the depth limit of a part.
  ///
  /// @throws JacksonException while reading, at invalid syntax
  public static JsonParser partParser(String text) {
    return PARTS.createParser(ObjectReadContext.empty(), text);
  }

  /// A new, empty object.
  public static ObjectNode object() {
    Jackson.check();
    return JsonNodeFactory.instance.objectNode();
  }

  static JsonNode read(String text) {
    JsonNode tree = readPiece(text);
    checkPaired(text, tree);
    return tree;
  }

  private static void checkPaired(String text, JsonNode tree) {
    if (!allPaired(text, () -> tree)) {
      throw new JsonException("is not JSON: it holds half a surrogate pair", null);
    }
  }

  /// Whether every surrogate in valid JSON is paired.
  private static boolean allPaired(String text, Supplier<JsonNode> tree) {
    return text.contains("\\u") ? paired(tree.get()) : Surrogates.paired(text);
  }

  private static boolean paired(JsonNode tree) {
    if (tree.isString()) {
      return Surrogates.paired(tree.stringValue());
    }
    for (String name : tree.propertyNames()) {
      if (!Surrogates.paired(name)) {
        return false;
      }
    }
    for (JsonNode child : tree) {
      if (!paired(child)) {
        return false;
      }
    }
    return true;
  }

  /// Reads like [#read], but allows unpaired surrogates.
  static JsonNode readPiece(String text) {
    Jackson.check();
    try {
      JsonNode tree = Mapping.TREE.readValue(text);
      if (tree == null || tree.isMissingNode()) {
        throw new JsonException("is empty", null);
      }
      return tree;
    } catch (JacksonException e) {
      throw new JsonException(Syntax.describe(e), e);
    } catch (NumberFormatException e) {
      // Jackson accepts an exponent that is too large for numbers here.
      throw new JsonException("is not JSON: a number in it is too large", e);
    }
  }

  /// Whether every parser accepts that JSON object, also as a part of a larger text.
  static boolean isReadable(String text) {
    Jackson.check();
    try (JsonParser in = Mapping.TREE.createParser(text)) {
      int depth = 0;
      do {
        depth += depthOf(in);
        if (depth > MAX_PART_DEPTH) {
          return false;
        }
      } while (depth > 0);
      return in.nextToken() == null && allPaired(text, () -> readPiece(text));
    } catch (JacksonException | NumberFormatException e) {
      return false;
    }
  }

  /// Whether valid JSON nests deeper than a part may. Builds no tree.
  static boolean nestsTooDeep(String text) {
    if (text.length() <= 2 * MAX_PART_DEPTH) {
      return false;
    }
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '{' || c == '[')) {
        depth++;
      } else if (!quoted && (c == '}' || c == ']')) {
        depth--;
      }
      if (depth > MAX_PART_DEPTH) {
        return true;
      }
    }
    return false;
  }

  /// The change of depth by the next token.
  ///
  /// @throws NumberFormatException for a number that many parsers reject
  private static int depthOf(JsonParser in) {
    return switch (in.nextToken()) {
      case START_OBJECT, START_ARRAY -> 1;
      case END_OBJECT, END_ARRAY -> -1;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        boolean small =
            in.currentToken() == JsonToken.VALUE_NUMBER_INT && in.getStringLength() < 300;
        if (!small && !Double.isFinite(in.getDoubleValue())) {
          throw new NumberFormatException("beyond a double's range");
        }
        yield 0;
      }
      case null, default -> 0;
    };
  }

  static TextWriter write(@Nullable Object value, boolean foreign) {
    Jackson.check();
    TextWriter out = new TextWriter(foreign);
    try {
      write(value, out, 0);
      return out;
    } catch (JacksonException | StackOverflowError e) {
      throw new JsonException("cannot be written as JSON", e);
    }
  }

  private static void write(@Nullable Object value, TextWriter out, int depth) {
    if (depth > MAX_DEPTH) {
      throw new JsonException("cannot be written as JSON: it is too deep", null);
    }
    if (!(value instanceof List<?> list) || list.isEmpty()) {
      Mapping.MAPPER.writeValue(out, value);
      return;
    }
    // Written one by one, since a plain list does not know the type of its elements.
    char separator = '[';
    for (Object element : list) {
      out.write(separator);
      write(element, out, depth + 1);
      separator = ',';
    }
    out.write(']');
  }

  static <T> T convert(JsonNode tree, Class<T> type) {
    Jackson.check();
    JacksonException cause = null;
    try {
      T value = Mapping.MAPPER.treeToValue(tree, type);
      if (value != null) {
        return value;
      }
    } catch (JacksonException e) {
      cause = e;
    }
    throw new JsonException("does not fit " + type.getSimpleName(), cause);
  }
}
