package dev.switchboard.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The check of a stated schema when its tool is built: its plan, or every fault, a sentence each.
/// Its time is proportional to the schema's size. The dialect that a schema declares decides how it
/// is read.
///
/// A schema of others' making, such as of an MCP server, an OpenAPI document or a list of
/// functions, has no faults: a keyword that cannot be checked is left to the server and noted, the
/// rest is checked, and what is a rule of ours alone does not hold.
public final class SchemaCheck {
  private static final int MOST_SENTENCES = 100;
  private static final Place PARAMETERS = Place.ROOT.child("parameters");
  private static final Shape ANY_OBJECT =
      ObjectShape.checked(Map.of(), Set.of(), AnyShape.UNBOUND, Cardinality.ANY);

  private final String tool;
  private final JsonNode root;
  private final References references;
  private final KeywordCheck keywords;
  private final SchemaNotes notes;
  private final List<String> sentences = new ArrayList<>();

  /// Null for a schema of our own.
  private final @Nullable LeftToServer left;

  /// The targets of references, most of which are also in `$defs`.
  private final ArrayDeque<Map.Entry<JsonNode, Place>> targets = new ArrayDeque<>();

  private final Map<JsonNode, Place> visited = new IdentityHashMap<>();

  /// Whether compiling has left more to the server.
  private boolean changed;

  private @Nullable Plan plan;

  private SchemaCheck(String tool, JsonNode root, boolean foreign) {
    this.tool = tool;
    this.root = root;
    references = new References(root, foreign);
    keywords = new KeywordCheck(root, references, foreign, this::bad);
    notes = new SchemaNotes(tool, references, foreign);
    left = foreign ? new LeftToServer(references, this::noteDependent) : null;
  }

  /// The check of the parameters.
  public static SchemaCheck of(String tool, JsonNode parameters) {
    SchemaCheck check = new SchemaCheck(tool, parameters, false);
    JsonNode type = parameters.path("type");
    if (!parameters.isObject() || !type.isString() || !type.stringValue().equals("object")) {
      check.fault("`parameters` must be a JSON Schema of type 'object'.");
    }
    if (parameters.isObject()) {
      check.visit();
      check.numbers(parameters, "parameters");
    }
    if (check.sentences.isEmpty()) {
      check.compile();
    }
    return check;
  }

  /// The check of parameters that others defined, an object. It has no faults, but a plan, and a
  /// note for each keyword that is left to their server.
  public static SchemaCheck foreign(String tool, JsonNode parameters) {
    SchemaCheck check = new SchemaCheck(tool, parameters, true);
    check.visit();
    JsonNode words = check.references.words(parameters);
    if (words.has("type") && !SchemaTypes.names(words).contains("object")) {
      check.bad(parameters, PARAMETERS, Keyword.TYPE, "is not 'object', the type of arguments.");
    }
    check.settle();
    check.compile();
    if (check.changed) {
      check.settle();
      check.compile();
    }
    if (check.plan == null) {
      check.plan = new Plan(ANY_OBJECT);
    }
    return check;
  }

  private void visit() {
    targets.add(Map.entry(root, PARAMETERS));
    while (!targets.isEmpty()) {
      Map.Entry<JsonNode, Place> next = targets.remove();
      schema(next.getKey(), next.getValue(), !References.same(next.getKey(), root));
    }
  }

  private void settle() {
    if (left != null) {
      left.settle();
    }
  }

  private void compile() {
    Predicate<JsonNode> exact = schema -> left == null || left.isExact(schema);
    changed = false;
    try {
      Shape shape = SchemaCompiler.compile(root, references, exact, this::noValueFits);
      boolean ofObject = references.words(root).path("type").asString("").equals("object");
      plan = new Plan(ofObject ? shape : new AllShape(List.of(ANY_OBJECT, shape)));
    } catch (IllegalArgumentException e) {
      fault("`parameters` cannot be compiled: " + e.getMessage() + ".");
      visited.keySet().forEach(schema -> leave(schema, Keyword.DYNAMIC_REF));
      changed = true;
    }
  }

  /// Adds the fault of an enum without a value that fits the rest of its schema.
  private void noValueFits(JsonNode schema) {
    Place path = visited.getOrDefault(schema, PARAMETERS);
    bad(schema, path, Keyword.ENUM, "has no value that fits the rest of its schema.");
    changed = true;
  }

  /// The faults; empty if the tool can be built.
  public List<String> faults() {
    return sentences;
  }

  /// The warnings: probable mistakes, and what is left to the server of others.
  public List<String> notes() {
    return notes.sentences();
  }

  /// The plan of the parameters, or null if they have faults.
  public @Nullable Plan plan() {
    return sentences.isEmpty() ? plan : null;
  }

  /// Adds a fault; for a schema of others a note.
  private void fault(String sentence) {
    if (left != null) {
      notes.unchecked(sentence);
    } else if (sentences.size() < MOST_SENTENCES) {
      sentences.add("tool '" + tool + "': " + sentence);
    }
  }

  /// Adds the fault of a keyword; for a schema of others the keyword is left to the server.
  private void bad(JsonNode schema, Place path, Keyword keyword, String rest) {
    if (left != null && keyword.isNote()) {
      return;
    }
    if (sentences.size() < MOST_SENTENCES && !notes.isFull()) {
      fault("`" + path.text() + "['" + references.stated(schema, keyword) + "']` " + rest);
    }
    leave(schema, keyword);
  }

  private void leave(JsonNode schema, Keyword keyword) {
    if (left != null) {
      left.leave(schema, keyword);
    }
  }

  /// Notes a keyword that is left because of another.
  private void noteDependent(JsonNode schema, Keyword keyword) {
    String path = visited.getOrDefault(schema, PARAMETERS).text();
    String word = references.stated(schema, keyword);
    fault("`" + path + "['" + word + "']` depends on a keyword that cannot be checked.");
  }

  private void schema(JsonNode schema, Place path, boolean branch) {
    if (!schema.isObject() || visited.putIfAbsent(schema, path) != null) {
      return;
    }
    notes.look(schema, path);
    JsonNode words = references.words(schema);
    for (Keyword keyword : Keyword.values()) {
      JsonNode value = words.get(keyword.word());
      boolean ofRoot = left == null && References.same(schema, root) && keyword == Keyword.TYPE;
      if (value != null && !ofRoot) {
        keywords.check(keyword, value, schema, path, branch);
      }
    }
    JsonNode rest = references.words(schema);
    for (Keyword keyword : Keyword.values()) {
      JsonNode value = rest.get(keyword.word());
      if (value != null) {
        children(schema, keyword, value, path);
      }
    }
  }

  private void children(JsonNode schema, Keyword keyword, JsonNode value, Place path) {
    Place below = path.child("." + references.stated(schema, keyword));
    switch (keyword.form()) {
      case SCHEMA -> child(schema, keyword, value, below);
      case REFERENCE -> target(schema, keyword, value);
      case SCHEMA_LIST -> {
        for (int i = 0; i < value.size() && value.isArray(); i++) {
          child(schema, keyword, value.get(i), below.child("[" + i + "]"));
        }
      }
      case SCHEMA_MAP, NAMES_OR_SCHEMA_MAP ->
          value.forEachEntry((name, child) -> {
            if (keyword == Keyword.PATTERN_PROPERTIES) {
              namePattern(schema, name, below);
            }
            if (keyword.form() == Keyword.Form.SCHEMA_MAP || !child.isArray()) {
              child(schema, keyword, child, below.child("." + name));
            }
          });
      default -> {}
    }
  }

  private void namePattern(JsonNode schema, String pattern, Place below) {
    String why = keywords.expression(pattern);
    if (why != null) {
      fault("`" + below.text() + "` " + why);
      if (left != null) {
        left.leave(schema, pattern);
      }
    }
  }

  private void child(JsonNode schema, Keyword keyword, JsonNode child, Place path) {
    if (child.isObject()) {
      if (left != null) {
        left.use(child, schema, keyword);
      }
      schema(child, path, keyword.inPlace());
    } else if (!child.isBoolean()) {
      fault("`" + path.text() + "` must be a schema: an object, true or false.");
      if (left != null && keyword.form() == Keyword.Form.SCHEMA) {
        left.leave(schema, keyword);
      } else if (left != null) {
        left.widen(schema);
      }
    }
  }

  private void target(JsonNode schema, Keyword keyword, JsonNode value) {
    JsonNode target = value.isString() ? references.located(schema, value.stringValue()) : null;
    if (target == null || left == null && references.leadsBack(schema)) {
      return; // a fault already
    }
    if (target.isObject()) {
      targets.add(Map.entry(target, placeOf(value.stringValue())));
      use(target, schema, keyword);
    } else {
      child(schema, keyword, target, placeOf(value.stringValue()));
    }
  }

  private void use(JsonNode target, JsonNode schema, Keyword keyword) {
    if (left != null) {
      left.use(target, schema, keyword);
      for (JsonNode other : references.dynamicTargets(schema)) {
        left.use(other, schema, keyword);
      }
    }
  }

  private static Place placeOf(String reference) {
    String place = reference.substring(reference.indexOf('#') + 1);
    return Place.ROOT.child("parameters" + place.replace('/', '.'));
  }

  private void numbers(JsonNode node, String path) {
    if (node.isNumber() && !Numbers.inRange(node.decimalValue())) {
      fault("`" + path + "` holds a number out of the range of a double.");
    }
    node.forEach(child -> numbers(child, path));
  }
}
