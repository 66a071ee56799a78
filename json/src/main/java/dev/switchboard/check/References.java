package dev.switchboard.check;

import dev.switchboard.text.JsonPointer;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The targets of a schema's references, always within the schema. A part with an `$id` is a
/// resource with its own pointers and anchors.
public final class References {
  /// The base of relative ids.
  private static final String BASE = "schema:///";

  private static final int LONGEST_ID = 2_000;
  private static final int LONGEST_CHAIN = 500;

  /// A resource: the root, or a part with an `$id`.
  ///
  /// @param dynamic the anchors of `$dynamicRef`
  record Resource(
      String uri,
      JsonNode root,
      Dialect dialect,
      Map<String, JsonNode> anchors,
      Map<String, JsonNode> dynamic) {}

  private final Resource root;
  private final boolean foreign;

  /// The parts whose keywords are not those of 2020-12, or not all checked, in its keywords.
  private final Map<JsonNode, ObjectNode> words = new IdentityHashMap<>();

  private final Map<String, Resource> resources = new HashMap<>();
  private final Map<JsonNode, Resource> homes = new IdentityHashMap<>();
  private boolean dynamic;

  /// The results of [#leadsBack(JsonNode)].
  private final Map<JsonNode, Boolean> leadsBack = new IdentityHashMap<>();

  /// The targets within that schema.
  public References(JsonNode root) {
    this(root, false);
  }

  /// @param foreign whether others made the schema
  References(JsonNode root, boolean foreign) {
    this.foreign = foreign;
    Dialect usual = foreign ? Dialect.UNDECLARED : Dialect.DRAFT_2020;
    String id = root.path(root.path("$id").isString() ? "$id" : "id").asString("");
    this.root = resource(resolved(BASE, id.startsWith("#") ? "" : id), root, usual);
    collect(root, this.root);
  }

  /// @param usual the dialect of a resource that does not declare a known one
  private Resource resource(@Nullable String uri, JsonNode schema, Dialect usual) {
    String known = uri == null ? BASE : uri;
    Dialect declared = Dialect.of(schema.path("$schema").asString(""));
    Dialect dialect = declared == null ? usual : declared;
    Resource resource =
        new Resource(known, schema, dialect, new HashMap<>(), new LinkedHashMap<>());
    resources.putIfAbsent(known, resource);
    return resource;
  }

  /// The part in the keywords of 2020-12, without those that are not checked. Its values are the
  /// nodes of the part itself.
  JsonNode words(JsonNode schema) {
    ObjectNode read = words.get(schema);
    return read == null ? schema : read;
  }

  /// The dialect of that part.
  Dialect dialect(JsonNode schema) {
    return home(schema).dialect;
  }

  /// How the schema itself names that keyword of [#words].
  String stated(JsonNode schema, Keyword keyword) {
    JsonNode value = words(schema).get(keyword.word());
    if (value == null || same(schema.path(keyword.word()), value)) {
      return keyword.word();
    }
    return schema.properties().stream()
        .filter(entry -> same(entry.getValue(), value))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(keyword.word());
  }

  /// Takes a keyword out of the part's [#words].
  void leave(JsonNode schema, Keyword keyword) {
    if (words(schema) instanceof ObjectNode read) {
      ObjectNode rest = read.objectNode().setAll(read);
      rest.remove(keyword.word());
      words.put(schema, rest);
    }
  }

  /// Takes an entry out of the keyword of the part's [#words].
  void leave(JsonNode schema, Keyword keyword, String entry) {
    if (words(schema) instanceof ObjectNode read
        && read.get(keyword.word()) instanceof ObjectNode entries) {
      ObjectNode others = entries.objectNode().setAll(entries);
      others.remove(entry);
      ObjectNode rest = read.objectNode().setAll(read);
      words.put(schema, rest.set(keyword.word(), others));
    }
  }

  private void collect(JsonNode schema, Resource above) {
    if (!(schema instanceof ObjectNode stated) || homes.containsKey(schema)) {
      return;
    }
    Resource home = home(schema, above);
    homes.put(schema, home);
    boolean recursive = home.root.path("$recursiveAnchor").asBoolean(false);
    ObjectNode read = home.dialect.words(stated, foreign, recursive);
    if (!same(read, schema)) {
      words.put(schema, read);
    }
    dynamic |= read.has(Keyword.DYNAMIC_REF.word());
    for (Keyword anchor : new Keyword[] {Keyword.ANCHOR, Keyword.DYNAMIC_ANCHOR}) {
      JsonNode name = read.path(anchor.word());
      if (name.isString()) {
        home.anchors.putIfAbsent(name.stringValue(), schema);
        if (anchor == Keyword.DYNAMIC_ANCHOR) {
          home.dynamic.putIfAbsent(name.stringValue(), schema);
        }
      }
    }
    read.forEachEntry((word, value) -> {
      Keyword keyword = Keyword.of(word);
      if (keyword != null) {
        keyword.schemasIn(value).forEach(child -> collect(child, home));
      }
    });
  }

  private Resource home(JsonNode schema, Resource above) {
    Dialect declared = Dialect.of(schema.path("$schema").asString(""));
    Dialect dialect = declared == null ? above.dialect : declared;
    boolean hidden = declared == null && dialect.hidesBeside(schema);
    JsonNode id = schema.path(dialect == Dialect.DRAFT_4 ? "id" : "$id");
    boolean none = hidden || !id.isString() || id.stringValue().startsWith("#");
    if (same(schema, root.root) || none) {
      return above;
    }
    return resource(resolved(above.uri, id.stringValue()), schema, above.dialect);
  }

  /// The target of the part's `$ref`, or null if there is none.
  public @Nullable JsonNode target(JsonNode schema) {
    JsonNode reference = words(schema).path("$ref");
    return reference.isString() ? located(schema, reference.stringValue()) : null;
  }

  /// The target of that reference in that part of the schema, or null.
  @Nullable JsonNode located(JsonNode schema, String reference) {
    int hash = reference.indexOf('#');
    String uri = hash < 0 ? reference : reference.substring(0, hash);
    String fragment = hash < 0 ? "" : JsonPointer.decoded(reference.substring(hash + 1));
    Resource base = home(schema);
    String absolute = uri.isEmpty() ? base.uri : resolved(base.uri, uri);
    Resource resource = uri.isEmpty() ? base : absolute == null ? null : resources.get(absolute);
    if (resource == null || fragment.isEmpty()) {
      return resource == null ? null : resource.root;
    }
    return fragment.startsWith("/")
        ? below(resource, fragment.substring(1).split("/", -1))
        : resource.anchors.get(fragment);
  }

  private @Nullable JsonNode below(Resource resource, String[] steps) {
    JsonNode at = resource.root;
    Resource home = resource;
    for (String step : steps) {
      String name = JsonPointer.name(step);
      at = at.isArray() ? at.path(index(name)) : at.path(name);
      home = homes.getOrDefault(at, home);
    }
    if (at.isMissingNode()) {
      return null;
    }
    collect(at, home);
    return at;
  }

  private static int index(String name) {
    boolean number = name.length() < 10 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    return number && !name.isEmpty() ? Integer.parseInt(name) : -1;
  }

  /// Whether both are the same part of the schema, not only equal.
  @SuppressWarnings("ReferenceEquality") // Parts that are alike stand in different places.
  static boolean same(JsonNode one, JsonNode other) {
    return one == other;
  }

  /// The resource of that part of the schema.
  Resource home(JsonNode schema) {
    return homes.getOrDefault(schema, root);
  }

  /// Whether the targets of some references depend on the path to them.
  boolean dynamic() {
    return dynamic;
  }

  /// Whether that part has the `$id` of another part.
  boolean isNamesake(JsonNode schema) {
    Resource home = home(schema);
    Resource first = resources.getOrDefault(home.uri, home);
    return same(home.root, schema) && !same(first.root, schema);
  }

  /// The anchor of a `$dynamicRef` whose target depends on the path, or null.
  @Nullable String dynamicName(JsonNode schema) {
    String reference = words(schema).path(Keyword.DYNAMIC_REF.word()).asString("");
    String name = JsonPointer.decoded(reference.substring(reference.indexOf('#') + 1));
    JsonNode target = located(schema, reference);
    boolean anchored =
        target != null
            && words(target).path(Keyword.DYNAMIC_ANCHOR.word()).asString("").equals(name);
    return anchored && !name.isEmpty() ? name : null;
  }

  /// The anchors to which a `$dynamicRef` of that part may lead on some path.
  List<JsonNode> dynamicTargets(JsonNode schema) {
    String name = words(schema).has(Keyword.DYNAMIC_REF.word()) ? dynamicName(schema) : null;
    return name == null
        ? List.of()
        : resources.values().stream()
            .map(resource -> resource.dynamic.get(name))
            .filter(Objects::nonNull)
            .toList();
  }

  /// Whether the schema applies itself to the same value, which would never end; also for a very
  /// long chain.
  boolean leadsBack(JsonNode schema) {
    return leadsBack(schema, 0);
  }

  private boolean leadsBack(JsonNode schema, int depth) {
    if (!schema.isObject()) {
      return false;
    }
    Boolean known = leadsBack.putIfAbsent(schema, true);
    if (known != null || depth > LONGEST_CHAIN) {
      return known == null || known;
    }
    boolean back = false;
    for (Keyword keyword : List.of(Keyword.REF, Keyword.DYNAMIC_REF)) {
      JsonNode reference = words(schema).path(keyword.word());
      JsonNode target = reference.isString() ? located(schema, reference.stringValue()) : null;
      back |= target != null && leadsBack(target, depth + 1);
    }
    for (Keyword keyword : Keyword.values()) {
      if (keyword.inPlace() && !back) {
        for (JsonNode part : keyword.schemasIn(words(schema).path(keyword.word()))) {
          back = back || leadsBack(part, depth + 1);
        }
      }
    }
    leadsBack.put(schema, back);
    return back;
  }

  /// The absolute id, without an empty fragment; null if it is not a URI.
  private static @Nullable String resolved(String base, String id) {
    String plain = id.endsWith("#") ? id.substring(0, id.length() - 1) : id;
    if (plain.length() > LONGEST_ID) {
      return null;
    }
    try {
      return plain.isEmpty() ? base : new URI(base).resolve(new URI(plain)).normalize().toString();
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
