package dev.switchboard.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The check of a stated schema when its tool is built: every fault, a sentence each, in the order
/// of the schema.
final class SchemaCheck {
  private static final List<String> TYPES =
      List.of("object", "array", "string", "integer", "number", "boolean", "null");

  private final String tool;
  private final References references;
  private final List<String> sentences = new ArrayList<>();

  /// What references point to; most of them are found in `$defs` as well.
  private final Map<String, JsonNode> targets = new LinkedHashMap<>();

  private final Set<JsonNode> visited = Collections.newSetFromMap(new IdentityHashMap<>());

  private SchemaCheck(String tool, JsonNode root) {
    this.tool = tool;
    references = new References(root);
  }

  /// What is wrong with the parameters; nothing when they are a schema that the tool can be built
  /// with.
  static List<String> faultsOf(String tool, JsonNode parameters) {
    SchemaCheck check = new SchemaCheck(tool, parameters);
    JsonNode type = parameters.path("type");
    if (!parameters.isObject() || !type.isString() || !type.stringValue().equals("object")) {
      check.fault("`parameters` must be a JSON Schema of type 'object'.");
    }
    if (parameters.isObject()) {
      check.schema(parameters, "parameters", false);
      check.otherTargets();
      check.numbers(parameters, "parameters");
    }
    return check.sentences;
  }

  private void otherTargets() {
    for (var next = targets.entrySet().iterator();
        next.hasNext();
        next = targets.entrySet().iterator()) {
      Map.Entry<String, JsonNode> target = next.next();
      String place = target.getKey().substring(target.getKey().indexOf('#') + 1);
      next.remove();
      schema(target.getValue(), "parameters" + place.replace('/', '.'), true);
    }
  }

  private void fault(String sentence) {
    sentences.add("tool '" + tool + "': " + sentence);
  }

  private void fault(String path, Keyword keyword, String rest) {
    fault("`" + path + "['" + keyword.word() + "']` " + rest);
  }

  private void schema(JsonNode schema, String path, boolean branch) {
    if (schema.isObject()) {
      if (!visited.add(schema)) {
        return;
      }
      boolean root = path.equals("parameters");
      for (Keyword keyword : Keyword.values()) {
        JsonNode value = schema.get(keyword.word());
        if (value != null && !(root && keyword == Keyword.TYPE)) {
          keyword(keyword, value, schema, path, branch);
        }
      }
      for (Keyword keyword : Keyword.values()) {
        JsonNode value = schema.get(keyword.word());
        if (value != null) {
          children(keyword, value, path);
        }
      }
    } else if (!schema.isBoolean()) {
      fault("`" + path + "` must be a schema: an object, true or false.");
    }
  }

  private void keyword(
      Keyword keyword, JsonNode value, JsonNode schema, String path, boolean branch) {
    switch (keyword.form()) {
      case TYPE -> type(value, path);
      case NAMES -> names(value, schema, path, branch);
      case NAMES_MAP -> namesMap(keyword, value, path);
      case REFERENCE -> reference(keyword, value, schema, path);
      case REGEX -> regex(keyword, value, path);
      case SCHEMA_MAP -> {
        String names = keyword == Keyword.PROPERTIES ? "field names" : "names";
        require(value.isObject(), path, keyword, "must map " + names + " to schemas.");
      }
      case SCHEMA_LIST ->
          require(
              value.isArray() && !value.isEmpty(),
              path,
              keyword,
              "must be a list of schemas, at least one.");
      case STRING -> require(value.isString(), path, keyword, "must be a string.");
      case BOOLEAN -> require(value.isBoolean(), path, keyword, "must be true or false.");
      case NUMBER -> require(value.isNumber(), path, keyword, "must be a number.");
      case POSITIVE ->
          require(
              value.isNumber() && value.decimalValue().signum() > 0,
              path,
              keyword,
              "must be a number above 0.");
      case COUNT -> require(isCount(value), path, keyword, "must be a whole number, 0 or more.");
      case LIST -> require(value.isArray(), path, keyword, "must be a list.");
      case SCHEMA, ANYTHING -> {}
    }
  }

  private void require(boolean holds, String path, Keyword keyword, String rest) {
    if (!holds) {
      fault(path, keyword, rest);
    }
  }

  private static boolean isCount(JsonNode value) {
    return value.isNumber()
        && Numbers.inRange(value.decimalValue())
        && value.decimalValue().signum() >= 0
        && Numbers.whole(value.decimalValue());
  }

  private void type(JsonNode value, String path) {
    if (value.isArray() && !value.isEmpty()) {
      Set<JsonNode> seen = new HashSet<>();
      for (JsonNode type : value) {
        if (!seen.add(type)) {
          fault(path, Keyword.TYPE, "names a type twice.");
        }
        typeName(type, path);
      }
    } else {
      typeName(value, path);
    }
  }

  private void typeName(JsonNode type, String path) {
    if (!type.isString()) {
      fault(path, Keyword.TYPE, "must be a type's name, or a list of them.");
    } else if (!TYPES.contains(type.stringValue())) {
      String hint = Suggestion.of(type.stringValue(), TYPES);
      String remedy = hint.isEmpty() ? " (one of " + String.join(", ", TYPES) + ")" : hint;
      fault(
          path,
          Keyword.TYPE,
          "is " + Found.quoted(type.stringValue()) + ", which is no type" + remedy + ".");
    }
  }

  /// A branch of an `anyOf` and its like may require what its owner defines.
  private void names(JsonNode value, JsonNode schema, String path, boolean branch) {
    if (!isNames(value)) {
      fault(path, Keyword.REQUIRED, "must be a list of field names.");
      return;
    }
    JsonNode properties = schema.path("properties");
    boolean ofObject =
        schema.path("type").asString("").equals("object") || !properties.isMissingNode();
    Set<String> seen = new HashSet<>();
    for (JsonNode name : value) {
      if (!seen.add(name.stringValue())) {
        fault(path, Keyword.REQUIRED, "names '" + name.stringValue() + "' twice.");
      } else if (ofObject && !branch && !properties.has(name.stringValue())) {
        fault(
            path,
            Keyword.REQUIRED,
            "names '" + name.stringValue() + "', which is not in `" + path + "['properties']`.");
      }
    }
  }

  private static boolean isNames(JsonNode value) {
    return value.isArray() && value.values().stream().allMatch(JsonNode::isString);
  }

  private void namesMap(Keyword keyword, JsonNode value, String path) {
    boolean good = value.isObject() && value.values().stream().allMatch(SchemaCheck::isNames);
    require(good, path, keyword, "must map field names to lists of field names.");
  }

  private void regex(Keyword keyword, JsonNode value, String path) {
    require(value.isString(), path, keyword, "must be a string.");
    if (value.isString()) {
      expression(value.stringValue(), "`" + path + "['" + keyword.word() + "']`");
    }
  }

  private void expression(String source, String where) {
    try {
      Regex.of(source);
    } catch (IllegalArgumentException e) {
      fault(where + " is " + e.getMessage() + ": " + Found.quoted(source) + ".");
    }
  }

  private void reference(Keyword keyword, JsonNode value, JsonNode schema, String path) {
    if (!value.isString()) {
      fault(path, keyword, "must be a string.");
      return;
    }
    JsonNode target = references.resolve(value.stringValue());
    if (target == null) {
      fault(
          path,
          keyword,
          "points to " + Found.quoted(value.stringValue()) + ", which is not in this schema.");
    } else if (leadsBack(schema, Collections.newSetFromMap(new IdentityHashMap<>()))) {
      fault(path, keyword, "leads back to itself.");
    } else {
      targets.putIfAbsent(value.stringValue(), target);
    }
  }

  /// Whether the schema applies itself to the same value again, which would never end.
  private boolean leadsBack(JsonNode schema, Set<JsonNode> above) {
    if (!schema.isObject()) {
      return false;
    }
    if (!above.add(schema)) {
      return true;
    }
    JsonNode reference = schema.path("$ref");
    JsonNode target = reference.isString() ? references.resolve(reference.stringValue()) : null;
    boolean back = target != null && leadsBack(target, above);
    for (Keyword keyword : Keyword.values()) {
      if (keyword.inPlace() && !back) {
        JsonNode value = schema.path(keyword.word());
        back =
            keyword.form() == Keyword.Form.SCHEMA
                ? leadsBack(value, above)
                : anyLeadsBack(value, above);
      }
    }
    above.remove(schema);
    return back;
  }

  private boolean anyLeadsBack(JsonNode schemas, Set<JsonNode> above) {
    for (JsonNode schema : schemas) {
      if (leadsBack(schema, above)) {
        return true;
      }
    }
    return false;
  }

  private void children(Keyword keyword, JsonNode value, String path) {
    String below = path + "." + keyword.word();
    boolean inBranch = keyword.inPlace();
    switch (keyword.form()) {
      case SCHEMA -> schema(value, below, inBranch);
      case SCHEMA_LIST -> {
        for (int i = 0; i < value.size() && value.isArray(); i++) {
          schema(value.get(i), below + "[" + i + "]", inBranch);
        }
      }
      case SCHEMA_MAP ->
          value.forEachEntry((name, child) -> {
            if (keyword == Keyword.PATTERN_PROPERTIES) {
              expression(name, "`" + below + "`");
            }
            schema(child, below + "." + name, inBranch);
          });
      default -> {}
    }
  }

  private void numbers(JsonNode node, String path) {
    if (node.isNumber() && !Numbers.inRange(node.decimalValue())) {
      fault("`" + path + "` holds a number out of the range of a double.");
    }
    node.forEach(child -> numbers(child, path));
  }
}
