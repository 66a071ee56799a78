package dev.switchboard.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The check of a stated schema when its tool is built: its plan, or every fault, a sentence each.
/// Its time is proportional to the schema's size.
public final class SchemaCheck {
  private static final int MOST_SENTENCES = 100;
  private static final int MOST_STATES = 300_000;

  private final String tool;
  private final JsonNode root;
  private final References references;
  private final SchemaNotes notes;
  private final List<String> sentences = new ArrayList<>();

  /// The targets of references, most of which are also in `$defs`.
  private final ArrayDeque<Map.Entry<JsonNode, Place>> targets = new ArrayDeque<>();

  private final Map<JsonNode, Place> visited = new IdentityHashMap<>();

  private long states;

  private @Nullable Plan plan;

  private SchemaCheck(String tool, JsonNode root) {
    this.tool = tool;
    this.root = root;
    references = new References(root);
    notes = new SchemaNotes(tool);
  }

  /// The check of the parameters.
  public static SchemaCheck of(String tool, JsonNode parameters) {
    SchemaCheck check = new SchemaCheck(tool, parameters);
    JsonNode type = parameters.path("type");
    if (!parameters.isObject() || !type.isString() || !type.stringValue().equals("object")) {
      check.fault("`parameters` must be a JSON Schema of type 'object'.");
    }
    if (parameters.isObject()) {
      check.targets.add(Map.entry(parameters, Place.ROOT.child("parameters")));
      while (!check.targets.isEmpty()) {
        Map.Entry<JsonNode, Place> next = check.targets.remove();
        check.schema(next.getKey(), next.getValue(), !References.same(next.getKey(), parameters));
      }
      check.numbers(parameters, "parameters");
    }
    if (check.sentences.isEmpty()) {
      check.compile();
    }
    return check;
  }

  private void compile() {
    try {
      plan = new Plan(SchemaCompiler.compile(root, this::noValueFits));
    } catch (IllegalArgumentException e) {
      fault("`parameters` cannot be compiled: " + e.getMessage() + ".");
    }
  }

  /// Adds the fault of an enum without a value that fits the rest of its schema.
  private void noValueFits(JsonNode schema) {
    Place path = visited.getOrDefault(schema, Place.ROOT.child("parameters"));
    fault(path, Keyword.ENUM, "has no value that fits the rest of its schema.");
  }

  /// The faults; empty if the tool can be built.
  public List<String> faults() {
    return sentences;
  }

  /// The warnings: probable mistakes.
  public List<String> notes() {
    return notes.sentences();
  }

  /// The plan of the parameters, or null if they have faults.
  public @Nullable Plan plan() {
    return sentences.isEmpty() ? plan : null;
  }

  private void fault(String sentence) {
    if (sentences.size() < MOST_SENTENCES) {
      sentences.add("tool '" + tool + "': " + sentence);
    }
  }

  private void fault(Place path, Keyword keyword, String rest) {
    if (sentences.size() < MOST_SENTENCES) {
      fault("`" + path.text() + "['" + keyword.word() + "']` " + rest);
    }
  }

  private void schema(JsonNode schema, Place path, boolean branch) {
    if (schema.isObject()) {
      if (visited.putIfAbsent(schema, path) != null) {
        return;
      }
      notes.look(schema, path);
      for (Keyword keyword : Keyword.values()) {
        JsonNode value = schema.get(keyword.word());
        if (value != null && !(References.same(schema, root) && keyword == Keyword.TYPE)) {
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
      fault("`" + path.text() + "` must be a schema: an object, true or false.");
    }
  }

  private void keyword(
      Keyword keyword, JsonNode value, JsonNode schema, Place path, boolean branch) {
    switch (keyword.form()) {
      case TYPE -> type(value, path);
      case NAMES -> names(value, schema, path, branch);
      case NAMES_MAP -> namesMap(keyword, value, path, false);
      case NAMES_OR_SCHEMA_MAP -> namesMap(keyword, value, path, true);
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
      case STRING -> {
        require(value.isString(), path, keyword, "must be a string.");
        if (keyword == Keyword.ID && references.isNamesake(schema)) {
          fault(path, keyword, "is the URI of another part of the schema.");
        }
      }
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

  private void require(boolean holds, Place path, Keyword keyword, String rest) {
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

  private void type(JsonNode value, Place path) {
    if (value.isArray() && !value.isEmpty()) {
      Set<String> seen = new HashSet<>();
      for (JsonNode type : value) {
        if (!seen.add(type.toString())) {
          fault(path, Keyword.TYPE, "names a type twice.");
        }
        typeName(type, path);
      }
    } else {
      typeName(value, path);
    }
  }

  private void typeName(JsonNode type, Place path) {
    if (!type.isString()) {
      fault(path, Keyword.TYPE, "must be a type's name, or a list of them.");
    } else if (!SchemaTypes.WORDS.contains(type.stringValue())) {
      String word = type.stringValue();
      String remedy = SchemaTypes.remedy(word);
      fault(
          path, Keyword.TYPE, "is " + Found.quoted(word) + ", which is not a type" + remedy + ".");
    }
  }

  /// Only the root, and an object that defines properties, must define what it requires; a branch
  /// of an `anyOf` may require what its owner defines.
  private void names(JsonNode value, JsonNode schema, Place path, boolean branch) {
    if (!isNames(value)) {
      fault(path, Keyword.REQUIRED, "must be a list of field names.");
      return;
    }
    JsonNode properties = schema.path("properties");
    boolean ofObject = References.same(schema, root) || !properties.isMissingNode();
    Set<String> seen = new HashSet<>();
    for (JsonNode name : value) {
      if (!seen.add(name.stringValue())) {
        fault(path, Keyword.REQUIRED, "names '" + name.stringValue() + "' twice.");
      } else if (ofObject && !branch && !properties.has(name.stringValue())) {
        fault(
            path,
            Keyword.REQUIRED,
            "names '"
                + name.stringValue()
                + "', which is not in `"
                + path.text()
                + "['properties']`.");
      }
    }
  }

  private static boolean isNames(JsonNode value) {
    return value.isArray() && value.values().stream().allMatch(JsonNode::isString);
  }

  private void namesMap(Keyword keyword, JsonNode value, Place path, boolean orSchemas) {
    boolean good =
        value.isObject()
            && value.values().stream()
                .allMatch(each -> isNames(each) || (orSchemas && !each.isArray()));
    String others = orSchemas ? ", or to schemas." : ".";
    require(good, path, keyword, "must map field names to lists of field names" + others);
  }

  private void regex(Keyword keyword, JsonNode value, Place path) {
    require(value.isString(), path, keyword, "must be a string.");
    if (value.isString()) {
      expression(value.stringValue(), path, "['" + keyword.word() + "']");
    }
  }

  private void expression(String source, Place path, String below) {
    try {
      states += Regex.of(source).states();
      if (states > MOST_STATES) {
        throw new IllegalArgumentException("too large together with the patterns before it");
      }
    } catch (IllegalArgumentException e) {
      fault(
          "`" + path.text() + below + "` is " + e.getMessage() + ": " + Found.quoted(source) + ".");
    }
  }

  private void reference(Keyword keyword, JsonNode value, JsonNode schema, Place path) {
    if (!value.isString()) {
      fault(path, keyword, "must be a string.");
      return;
    }
    String reference = value.stringValue();
    JsonNode target = references.located(schema, reference);
    if (target == null) {
      fault(
          path, keyword, "points to " + Found.quoted(reference) + ", which is not in this schema.");
    } else if (references.leadsBack(schema)) {
      fault(path, keyword, "leads back to itself.");
    } else if (target.isObject()) {
      targets.add(Map.entry(target, placeOf(reference)));
    } else {
      schema(target, placeOf(reference), true);
    }
  }

  private static Place placeOf(String reference) {
    String place = reference.substring(reference.indexOf('#') + 1);
    return Place.ROOT.child("parameters" + place.replace('/', '.'));
  }

  private void children(Keyword keyword, JsonNode value, Place path) {
    Place below = path.child("." + keyword.word());
    boolean inBranch = keyword.inPlace();
    switch (keyword.form()) {
      case SCHEMA -> schema(value, below, inBranch);
      case SCHEMA_LIST -> {
        for (int i = 0; i < value.size() && value.isArray(); i++) {
          schema(value.get(i), below.child("[" + i + "]"), inBranch);
        }
      }
      case SCHEMA_MAP, NAMES_OR_SCHEMA_MAP ->
          value.forEachEntry((name, child) -> {
            if (keyword == Keyword.PATTERN_PROPERTIES) {
              expression(name, below, "");
            }
            if (keyword.form() == Keyword.Form.SCHEMA_MAP || !child.isArray()) {
              schema(child, below.child("." + name), inBranch);
            }
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
