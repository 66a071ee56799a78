package dev.switchboard.ruling;

import dev.switchboard.check.References;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The operations in a tool's parameters, or the schema without some of them.
///
/// Nodes are never changed. A walk returns the node itself or a narrower one, or null if no
/// operation is left.
final class OperationSchema {
  private static final long MOST_NODES = 1_000_000;
  private static final List<String> ALTERNATIVES = List.of("oneOf", "anyOf");

  private final String member;
  private final References references;
  private final Predicate<String> keeps;
  private final @Nullable Collection<String> ofFreeText;
  private final Set<JsonNode> above = Collections.newSetFromMap(new IdentityHashMap<>());

  /// The narrowed targets of references, as parameters and as an operation.
  private final Map<JsonNode, @Nullable JsonNode> objects = new IdentityHashMap<>();

  private final Map<JsonNode, @Nullable JsonNode> values = new IdentityHashMap<>();
  private final Set<String> defaults = new LinkedHashSet<>();
  private boolean found;

  /// @param ofFreeText the allowed values of an operation that may be any text; empty to leave it,
  ///   null if nothing is narrowed
  private OperationSchema(
      JsonNode root,
      String member,
      Predicate<String> keeps,
      @Nullable Collection<String> ofFreeText) {
    this.member = member;
    references = new References(root);
    this.keeps = keeps;
    this.ofFreeText = ofFreeText;
  }

  /// The operations that the parameters name, empty for any text; null if the tool has none.
  static @Nullable Set<String> named(JsonNode parameters, List<String> members) {
    for (String member : members) {
      Set<String> words = new LinkedHashSet<>();
      OperationSchema walk =
          new OperationSchema(
              parameters,
              member,
              word -> {
                words.add(word);
                return true;
              },
              null);
      walk.object(parameters);
      if (walk.found) {
        return words;
      }
    }
    return null;
  }

  /// The operations that calls without a member request, by the member.
  static Map<String, Set<String>> defaults(JsonNode parameters, List<String> members) {
    Map<String, Set<String>> defaults = new HashMap<>();
    for (String member : members) {
      OperationSchema walk = new OperationSchema(parameters, member, word -> true, null);
      walk.object(parameters);
      if (!walk.defaults.isEmpty()) {
        defaults.put(member, walk.defaults);
      }
    }
    return defaults;
  }

  /// The parameters with only the allowed operations; unchanged if possible, or null if none is
  /// left.
  static @Nullable Json narrowed(Json parameters, Operations operations) {
    JsonNode root = parameters.tree();
    for (String member : operations.argument().members()) {
      OperationSchema walk =
          new OperationSchema(root, member, operations.allowed()::contains, operations.allowed());
      JsonNode left = walk.object(root);
      if (walk.found) {
        boolean same =
            root.equals(left) || (left != null && size(left, new IdentityHashMap<>()) > MOST_NODES);
        return same ? parameters : left == null ? null : Json.of(UsedDefinitions.of(left));
      }
    }
    return parameters;
  }

  /// The number of written nodes; shared nodes count each time.
  private static long size(JsonNode node, Map<JsonNode, Long> known) {
    Long size = node.isContainer() ? known.get(node) : Long.valueOf(1);
    if (size == null) {
      long sum = 1;
      for (JsonNode child : node) {
        sum = Math.min(sum + size(child, known), MOST_NODES + 1);
      }
      size = sum;
      known.put(node, size);
    }
    return size;
  }

  private @Nullable JsonNode object(JsonNode schema) {
    if (schema.has("$ref")) {
      return referred(schema, this::object, objects);
    }
    JsonNode left = schema;
    JsonNode operation = schema.path("properties").get(member);
    if (operation != null) {
      found = true;
      addDefault(operation);
      JsonNode narrow = value(operation);
      if (narrow == null) {
        return null;
      }
      if (!narrow.equals(operation)) {
        ObjectNode properties = copy(schema.get("properties"));
        properties.set(member, narrow);
        left = with(left, "properties", properties);
      }
    }
    return alternatives(left, this::object);
  }

  /// Adds the default of an operation, its own or that of what it refers to.
  private void addDefault(JsonNode operation) {
    JsonNode target = operation.has("$ref") ? references.target(operation) : null;
    JsonNode stated =
        operation.has("default") || target == null
            ? operation.path("default")
            : target.path("default");
    if (!stated.isMissingNode() && !stated.isNull()) {
      defaults.add(Operations.word(stated));
    }
  }

  private @Nullable JsonNode value(JsonNode schema) {
    if (schema.has("$ref")) {
      return referred(schema, this::value, values);
    }
    if (schema.path("properties").has(Records.TYPE)) {
      return tagged(schema);
    }
    JsonNode left = schema;
    if (schema.has("const")) {
      return isLeft(schema.get("const")) ? schema : null;
    }
    if (schema.path("enum").isArray()) {
      left = words(schema);
    } else if (isFreeText(schema) && ofFreeText != null && !ofFreeText.isEmpty()) {
      ArrayNode words = copy(schema).arrayNode();
      ofFreeText.forEach(words::add);
      left = with(schema, "enum", words);
    }
    left = left == null ? null : alternatives(left, this::value);
    return left == null ? null : withoutLostDefault(left);
  }

  /// An operation with its own members: its tag is the word.
  private @Nullable JsonNode tagged(JsonNode schema) {
    JsonNode properties = schema.path("properties");
    JsonNode tag = properties.path(Records.TYPE);
    JsonNode narrow = value(tag);
    if (narrow == null || narrow.equals(tag)) {
      return narrow == null ? null : schema;
    }
    ObjectNode copy = copy(properties);
    copy.set(Records.TYPE, narrow);
    return with(schema, "properties", copy);
  }

  private @Nullable JsonNode words(JsonNode schema) {
    JsonNode words = schema.get("enum");
    List<JsonNode> left = words.valueStream().filter(this::isLeft).toList();
    if (left.stream().allMatch(JsonNode::isNull)) {
      return null;
    }
    return left.size() == words.size() ? schema : with(schema, "enum", array(schema, left));
  }

  /// An operation may be optional: null stands for none.
  private boolean isLeft(JsonNode operation) {
    return operation.isNull() || keeps.test(Operations.word(operation));
  }

  private static boolean isFreeText(JsonNode schema) {
    return schema.path("type").asString("").equals("string")
        && ALTERNATIVES.stream().noneMatch(schema::has)
        && !schema.has("allOf");
  }

  private JsonNode withoutLostDefault(JsonNode schema) {
    JsonNode lost = schema.get("default");
    if (lost == null || ofFreeText == null || isLeft(lost)) {
      return schema;
    }
    ObjectNode copy = copy(schema);
    copy.remove("default");
    return copy;
  }

  private interface Walk {
    @Nullable JsonNode of(JsonNode schema);
  }

  private @Nullable JsonNode alternatives(JsonNode schema, Walk walk) {
    JsonNode left = schema;
    for (String keyword : ALTERNATIVES) {
      JsonNode branches = schema.path(keyword);
      if (!branches.isArray()) {
        continue;
      }
      List<JsonNode> kept = new ArrayList<>();
      boolean same = true;
      for (JsonNode branch : branches) {
        JsonNode narrow = walk.of(branch);
        same &= branch.equals(narrow);
        if (narrow != null) {
          kept.add(narrow);
        }
      }
      if (kept.stream().allMatch(OperationSchema::isOnlyNull) && !same) {
        return null;
      }
      left = same ? left : with(left, keyword, array(schema, kept));
    }
    return left;
  }

  private static boolean isOnlyNull(JsonNode schema) {
    return schema.path("type").asString("").equals("null") || schema.path("const").isNull();
  }

  /// A changed target of a reference is copied to its place, since other references may use the
  /// original.
  private @Nullable JsonNode referred(
      JsonNode schema, Walk walk, Map<JsonNode, @Nullable JsonNode> known) {
    JsonNode target = references.target(schema);
    if (target == null || !above.add(target)) {
      return schema;
    }
    if (!known.containsKey(target)) {
      known.put(target, walk.of(target));
    }
    JsonNode narrow = known.get(target);
    above.remove(target);
    if (narrow == null || narrow.equals(target)) {
      return narrow == null ? null : schema;
    }
    ObjectNode inline = copy(narrow);
    schema.forEachEntry((name, value) -> {
      if (!name.equals("$ref")) {
        inline.set(name, value);
      }
    });
    return inline;
  }

  private static JsonNode with(JsonNode schema, String name, JsonNode value) {
    ObjectNode copy = copy(schema);
    copy.set(name, value);
    return copy;
  }

  private static ArrayNode array(JsonNode schema, List<JsonNode> nodes) {
    return copy(schema).arrayNode().addAll(nodes);
  }

  /// A shallow copy.
  private static ObjectNode copy(JsonNode schema) {
    ObjectNode copy = Codec.object();
    schema.forEachEntry(copy::set);
    return copy;
  }
}
