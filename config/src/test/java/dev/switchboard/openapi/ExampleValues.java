package dev.switchboard.openapi;

import dev.switchboard.json.Codec;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Values that a document gives as examples, or that its schemas allow.
///
/// @param stated whether the document's own examples are taken; else all values are made
record ExampleValues(OpenApiDocument document, boolean stated) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int DEEP = 5;

  private static final Pattern CHOICE = Pattern.compile("\\((?:\\?:)?([^()|]*)\\|[^()]*\\)");
  private static final Pattern PART =
      Pattern.compile("(\\[(?:\\\\.|[^\\]])*]|\\\\.|[^\\\\(){}|^$])([*+?]|\\{[0-9,]+})?");

  private static final Map<String, String> OF_FORMATS =
      new TreeMap<>(
          Map.of(
              "date-time", "2024-05-06T07:08:09Z",
              "date", "2024-05-06",
              "time", "07:08:09Z",
              "uuid", "123e4567-e89b-12d3-a456-426614174000",
              "uri", "https://example.com/a?b=c",
              "email", "ada@example.com",
              "ipv4", "192.0.2.1",
              "ipv6", "2001:db8::1",
              "duration", "PT1H"));

  JsonNode at(JsonNode node) {
    try {
      return document.at(node);
    } catch (Unsupported e) {
      throw new IllegalStateException(e);
    }
  }

  JsonNode ofParameter(JsonNode parameter) {
    JsonNode content = parameter.path("content");
    JsonNode holder = content.isObject() ? content.iterator().next() : parameter;
    JsonNode example = example(holder);
    boolean empty = example.isNull() || example.asString("x").isEmpty();
    return example.isMissingNode() || empty ? ofSchema(holder.path("schema"), 0) : example;
  }

  JsonNode ofMedia(JsonNode media) {
    JsonNode example = example(media);
    return example.isMissingNode()
        ? ofSchema(media.path("schema"), 0)
        : withoutReadOnly(media.path("schema"), example);
  }

  private JsonNode example(JsonNode holder) {
    if (!stated) {
      return NODES.missingNode();
    }
    JsonNode first =
        holder.path("examples").isObject() && !holder.path("examples").isEmpty()
            ? at(holder.path("examples").iterator().next()).path("value")
            : NODES.missingNode();
    return holder.has("example") ? holder.path("example") : first;
  }

  private JsonNode ofSchema(JsonNode reference, int depth) {
    JsonNode schema = at(reference);
    if (depth > 4 * DEEP) {
      return NODES.nullNode();
    }
    if (stated && schema.has("example") && !schema.path("example").isNull()) {
      return withoutReadOnly(schema, schema.path("example"));
    }
    if (schema.path("enum").isArray() && !schema.path("enum").isEmpty()) {
      return schema.path("enum").get(0);
    }
    if (schema.has("const")) {
      return schema.path("const");
    }
    for (String choice : new String[] {"oneOf", "anyOf"}) {
      if (schema.has(choice) && !schema.has("properties")) {
        return ofSchema(schema.path(choice).get(0), depth + 1);
      }
    }
    if (schema.has("allOf")) {
      return ofAll(schema, depth);
    }
    return switch (type(schema)) {
      case "integer" -> NODES.numberNode(Math.max(1, schema.path("minimum").asInt(1)));
      case "number" -> NODES.numberNode(Math.max(1, schema.path("minimum").asInt(1)));
      case "boolean" -> NODES.booleanNode(true);
      case "array" -> array(schema, depth);
      case "object" -> object(schema, depth);
      case "null" -> NODES.nullNode();
      default -> text(schema);
    };
  }

  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    JsonNode first = type.isArray() ? type.get(0) : type;
    return first.asString(
        schema.has("properties") ? "object" : schema.has("items") ? "array" : "string");
  }

  private JsonNode ofAll(JsonNode schema, int depth) {
    ObjectNode all = Codec.object();
    JsonNode other = NODES.missingNode();
    for (JsonNode part : schema.path("allOf")) {
      JsonNode value = ofSchema(part, depth + 1);
      if (value instanceof ObjectNode object) {
        all.setAll(object);
      } else {
        other = value;
      }
    }
    if (schema.has("properties")) {
      all.setAll((ObjectNode) object(schema, depth));
    }
    return all.isEmpty() && !other.isMissingNode() ? other : withoutReadOnly(schema, all);
  }

  private JsonNode array(JsonNode schema, int depth) {
    ArrayNode list = NODES.arrayNode();
    if (depth < DEEP || schema.path("minItems").asInt(0) > 0) {
      JsonNode item = ofSchema(schema.path("items"), depth + 1);
      boolean one =
          schema.path("uniqueItems").asBoolean(false) || schema.path("maxItems").asInt(2) < 2;
      list.add(item);
      if (!one) {
        list.add(item);
      }
    }
    return list;
  }

  private JsonNode object(JsonNode schema, int depth) {
    ObjectNode object = Codec.object();
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      boolean required =
          schema
              .path("required")
              .valueStream()
              .anyMatch(name -> name.asString("").equals(member.getKey()));
      if (!isReadOnly(member.getValue()) && (required || depth < 2)) {
        object.set(member.getKey(), ofSchema(member.getValue(), depth + 1));
      }
    }
    return object;
  }

  /// A text that meets a simple pattern: of each part the first character that it allows, as often
  /// as it has to be there.
  private static String matching(String pattern) {
    StringBuilder text = new StringBuilder();
    Matcher part =
        PART.matcher(CHOICE.matcher(pattern).replaceAll("$1").replaceAll("^\\^|\\$$", ""));
    while (part.find()) {
      String one = part.group(1);
      String first =
          one.startsWith("[^")
              ? "x"
              : one.startsWith("[") && one.length() > 2 ? first(one.substring(1)) : first(one);
      String times = part.group(2) == null ? "" : part.group(2);
      int least =
          times.startsWith("{")
              ? Integer.parseInt(times.replaceAll("[{},]+", " ").strip().split(" ")[0])
              : times.isEmpty() || times.equals("+") ? 1 : 0;
      text.append(first.repeat(least));
    }
    return text.toString();
  }

  private static String first(String part) {
    return switch (part.length() > 1 && part.startsWith("\\") ? part.charAt(1) : 0) {
      case 'd' -> "1";
      case 'w' -> "a";
      case 's' -> " ";
      case 'S' -> "x";
      case 0 -> part.startsWith(".") ? "x" : part.substring(0, 1);
      default -> part.substring(1, 2);
    };
  }

  private static JsonNode text(JsonNode schema) {
    if (schema.has("pattern")) {
      return NODES.stringNode(matching(schema.path("pattern").asString("")));
    }
    String text = OF_FORMATS.getOrDefault(schema.path("format").asString(""), "a b/c");
    int least = schema.path("minLength").asInt(0);
    int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
    String padded = text + "x".repeat(Math.max(0, least - text.length()));
    return NODES.stringNode(padded.substring(0, Math.min(padded.length(), most)));
  }

  private boolean isReadOnly(JsonNode schema) {
    return schema.path("readOnly").asBoolean(false) || at(schema).path("readOnly").asBoolean(false);
  }

  /// An example without what a service only answers, at its top.
  private JsonNode withoutReadOnly(JsonNode reference, JsonNode example) {
    JsonNode schema = at(reference);
    if (!(example instanceof ObjectNode object)) {
      return example;
    }
    ObjectNode copy = object.deepCopy();
    for (JsonNode part : schema.path("allOf")) {
      copy.retain(withoutReadOnly(part, copy).propertyNames());
    }
    schema
        .path("properties")
        .forEachEntry((name, member) -> {
          if (isReadOnly(member)) {
            copy.remove(name);
          }
        });
    return copy;
  }
}
