package dev.switchboard.openapi;

import dev.switchboard.json.Codec;
import dev.switchboard.text.Surrogates;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads YAML 1.2 (core schema) into a JSON tree. Input that an attacker could make large or
/// endless is refused: depth, aliases of aliases, duplicate members.
///
/// A node with an anchor is shared by all its aliases, so the tree must not be changed.
public final class YamlText {
  /// The maximum number of nodes of the tree, including those that aliases repeat.
  private static final long MOST_NODES = 2_000_000;

  private static final int LONGEST_NUMBER = 400;
  private static final String MERGE = "<<";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// @param nodes the number of nodes in it, including those that aliases repeat
  private record Anchored(JsonNode node, long nodes) {}

  private final Iterator<Event> events;
  private final ScalarResolver types = new CoreSchema().getScalarResolver();
  private final Map<String, Anchored> anchors = new HashMap<>();
  private long nodes;

  private YamlText(String text) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
    events = new Parse(settings).parseString(text).iterator();
  }

  /// The only document of that text.
  ///
  /// @throws IllegalArgumentException when it cannot be read, with the rest of a sentence
  public static JsonNode tree(String text) {
    try {
      return read(text);
    } catch (Unsupported e) {
      throw new IllegalArgumentException(e.why(), e);
    }
  }

  /// The only document of that text.
  ///
  /// @throws Unsupported with the reason why it cannot be read
  static JsonNode read(String text) throws Unsupported {
    try {
      return new YamlText(text).document();
    } catch (YamlEngineException e) {
      String why =
          String.valueOf(e.getMessage()).lines().limit(2).reduce("", (a, b) -> a + " " + b);
      throw new Unsupported("is neither JSON nor YAML:" + why.replaceAll("\\s+", " "));
    }
  }

  private JsonNode document() throws Unsupported {
    events.next(); // the stream
    if (events.next().getEventId() != Event.ID.DocumentStart) {
      throw new Unsupported("is empty");
    }
    JsonNode node = node(events.next(), 0);
    events.next(); // the end of the document
    if (events.next().getEventId() != Event.ID.StreamEnd) {
      throw new Unsupported("holds several YAML documents");
    }
    return node;
  }

  private JsonNode node(Event event, int depth) throws Unsupported {
    if (event instanceof AliasEvent alias) {
      Anchored anchored = anchors.get(alias.getAlias().getValue());
      if (anchored == null) {
        throw new Unsupported(
            "has a YAML alias of something around or below it: '*"
                + alias.getAlias().getValue()
                + "'");
      }
      count(anchored.nodes);
      return anchored.node;
    }
    if (depth > Codec.MAX_DEPTH) {
      throw new Unsupported("nests deeper than " + Codec.MAX_DEPTH + " levels");
    }
    long before = nodes;
    count(1);
    JsonNode node = content(event, depth);
    if (event instanceof NodeEvent anchored && anchored.getAnchor().isPresent()) {
      anchors.put(anchored.getAnchor().get().getValue(), new Anchored(node, nodes - before));
    }
    return node;
  }

  private void count(long more) throws Unsupported {
    nodes += more;
    if (nodes > MOST_NODES) {
      throw new Unsupported(
          "has more than " + MOST_NODES + " values, with those that aliases repeat");
    }
  }

  private JsonNode content(Event event, int depth) throws Unsupported {
    if (event instanceof MappingStartEvent) {
      return object(depth);
    }
    if (event instanceof SequenceStartEvent) {
      ArrayNode list = NODES.arrayNode();
      for (Event item = events.next();
          item.getEventId() != Event.ID.SequenceEnd;
          item = events.next()) {
        list.add(node(item, depth + 1));
      }
      return list;
    }
    return scalar((ScalarEvent) event);
  }

  private ObjectNode object(int depth) throws Unsupported {
    ObjectNode object = NODES.objectNode();
    JsonNode merged = null;
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      if (!(event instanceof ScalarEvent key)) {
        throw new Unsupported("has a YAML key that is not a text");
      }
      count(1);
      JsonNode value = node(events.next(), depth + 1);
      if (key.isPlain() && key.getValue().equals(MERGE)) {
        merged = value;
      } else if (object.putIfAbsent(key.getValue(), value) != null) {
        throw new Unsupported("names '" + key.getValue() + "' twice in one YAML mapping");
      }
    }
    merge(merged, object);
    return object;
  }

  /// YAML 1.1's `<<`, which documents still use.
  private static void merge(@Nullable JsonNode merged, ObjectNode object) {
    if (merged != null && merged.isArray()) {
      merged.forEach(each -> merge(each, object));
    } else if (merged != null) {
      merged.forEachEntry(object::putIfAbsent);
    }
  }

  private JsonNode scalar(ScalarEvent scalar) throws Unsupported {
    String text = scalar.getValue();
    if (!Surrogates.paired(text)) {
      throw new Unsupported("has half a surrogate pair");
    }
    Tag type =
        scalar.getTag().isPresent()
            ? new Tag(scalar.getTag().get())
            : scalar.isPlain() ? types.resolve(text, true) : Tag.STR;
    boolean number = Tag.INT.equals(type) || Tag.FLOAT.equals(type);
    if (number && text.length() > LONGEST_NUMBER) {
      throw new Unsupported("has a number of more than " + LONGEST_NUMBER + " digits");
    }
    try {
      return Tag.NULL.equals(type)
          ? NODES.nullNode()
          : Tag.BOOL.equals(type)
              ? NODES.booleanNode(text.equalsIgnoreCase("true"))
              : Tag.INT.equals(type)
                  ? whole(text)
                  : Tag.FLOAT.equals(type) && text.matches("[-+0-9.eE]+")
                      ? NODES.numberNode(new BigDecimal(text))
                      : NODES.stringNode(text);
    } catch (NumberFormatException e) {
      throw new Unsupported("has a number that cannot be read");
    }
  }

  /// An int, a long, or a larger number, like the JSON reader.
  private static JsonNode whole(String text) {
    BigInteger number =
        text.startsWith("0x")
            ? new BigInteger(text.substring(2), 16)
            : text.startsWith("0o") ? new BigInteger(text.substring(2), 8) : new BigInteger(text);
    return number.bitLength() < Integer.SIZE
        ? NODES.numberNode(number.intValue())
        : number.bitLength() < Long.SIZE
            ? NODES.numberNode(number.longValue())
            : NODES.numberNode(number);
  }
}
