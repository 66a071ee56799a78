package dev.switchboard.openapi;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.JsonPointer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// An OpenAPI document of version 3.0, 3.1 or 3.2, read from JSON or YAML. It may be untrusted:
/// references to files or other URLs are not followed.
public final class OpenApiDocument {
  /// The maximum number of a document's operations.
  static final int MOST_OPERATIONS = 10_000;

  private static final Pattern VERSION = Pattern.compile("3\\.[0-2](\\..*)?");
  private static final Pattern SLASH = Pattern.compile("/");
  private static final int LONGEST_CHAIN = 20;

  /// The members of a path that are operations, in the order in which they are read.
  private static final List<String> METHODS =
      List.of("get", "put", "post", "delete", "options", "head", "patch", "trace", "query");

  /// An operation, as the document states it.
  ///
  /// @param method in upper case
  /// @param item the path item, with what applies to all operations of the path
  record Stated(String method, String path, JsonNode item, JsonNode operation) {
    /// For example `GET /pets/{petId}`.
    String title() {
      return method + " " + path;
    }

    /// Its id, empty if it has none.
    String id() {
      return operation.path("operationId").asString("");
    }

    /// Whether that pattern matches its id or its title; `*` matches any characters.
    boolean matches(String pattern) {
      Pattern compiled = Pattern.compile(Pattern.quote(pattern).replace("*", "\\E.*\\Q"));
      return compiled.matcher(id()).matches() || compiled.matcher(title()).matches();
    }

    boolean isTagged(String tag) {
      return operation.path("tags").valueStream().anyMatch(each -> each.asString("").equals(tag));
    }

    /// Its id, otherwise its title.
    String name() {
      return id().isBlank() ? title() : id();
    }
  }

  private final JsonNode root;
  private volatile @Nullable Subtypes subtypes;
  private final List<Stated> operations = new ArrayList<>();
  private final Map<String, String> unread = new LinkedHashMap<>();

  private OpenApiDocument(JsonNode root) throws Unsupported {
    this.root = root;
    find();
  }

  /// The document of that text.
  ///
  /// @throws IllegalArgumentException when it is not an OpenAPI document; the message is the rest
  ///   of a sentence that begins with the document
  public static OpenApiDocument read(String text) {
    try {
      JsonNode root = tree(text);
      checkVersion(root);
      return new OpenApiDocument(root);
    } catch (Unsupported e) {
      throw new IllegalArgumentException(e.why(), e);
    }
  }

  private static JsonNode tree(String text) throws Unsupported {
    if (!Json.text(text).isObject()) {
      return YamlText.read(text);
    }
    try {
      return Json.text(text).tree();
    } catch (JsonException e) {
      throw new Unsupported(String.valueOf(e.getMessage()));
    }
  }

  private static void checkVersion(JsonNode root) throws Unsupported {
    if (root.has("swagger")) {
      throw new Unsupported(
          "is Swagger " + root.path("swagger").asString("2.0") + ": convert it to OpenAPI 3 first");
    }
    String version = root.path("openapi").asString("");
    if (version.isEmpty()) {
      throw new Unsupported("is not an OpenAPI document: it has no 'openapi' with a version");
    }
    if (!VERSION.matcher(version).matches()) {
      throw new Unsupported("is of OpenAPI '%s': 3.0, 3.1 and 3.2 are read".formatted(version));
    }
  }

  private void find() throws Unsupported {
    for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
      if (path.getKey().startsWith("/")) {
        find(path.getKey(), path.getValue());
      } else if (!path.getKey().startsWith("x-")) {
        unread.put(path.getKey(), "is at a path that does not begin with '/'");
      }
      if (operations.size() + unread.size() > MOST_OPERATIONS) {
        throw new Unsupported("has more than " + MOST_OPERATIONS + " operations");
      }
    }
  }

  private void find(String path, JsonNode stated) {
    try {
      JsonNode item = at(stated);
      for (String method : METHODS) {
        if (item.path(method).isObject()) {
          String word = method.toUpperCase(Locale.ROOT);
          operations.add(new Stated(word, path, item, item.path(method)));
        }
      }
      item.path("additionalOperations")
          .forEachEntry(
              (method, operation) -> operations.add(new Stated(method, path, item, operation)));
    } catch (Unsupported e) {
      unread.put(path, e.why());
    }
  }

  /// The ids of its operations, or the method and path if there is no id.
  public List<String> names() {
    return operations.stream().map(Stated::name).toList();
  }

  /// Whether an operation matches that pattern: an id, or a method and a path; `*` matches any
  /// characters.
  public boolean has(String pattern) {
    return operations.stream().anyMatch(operation -> operation.matches(pattern));
  }

  /// Whether an operation has that tag.
  public boolean isTagged(String tag) {
    return operations.stream().anyMatch(operation -> operation.isTagged(tag));
  }

  /// Its operations, in order.
  List<Stated> operations() {
    return operations;
  }

  /// The paths that cannot be read, with the reasons.
  Map<String, String> unread() {
    return unread;
  }

  /// The root of the document.
  JsonNode root() {
    return root;
  }

  /// Which of its schemas extend which.
  Subtypes subtypes() {
    Subtypes known = subtypes;
    if (known == null) {
      known = new Subtypes(this);
      subtypes = known;
    }
    return known;
  }

  /// The security scheme of that name; a missing node if there is none.
  JsonNode scheme(String name) throws Unsupported {
    return at(root.path("components").path("securitySchemes").path(name));
  }

  /// The names of its security schemes.
  public List<String> schemes() {
    return List.copyOf(root.path("components").path("securitySchemes").propertyNames());
  }

  /// Whether the credential of that scheme is in the query of requests.
  public boolean isInQuery(String scheme) {
    try {
      return scheme(scheme).path("in").asString("").equals("query");
    } catch (Unsupported e) {
      return false;
    }
  }

  /// That node, or the target of its reference.
  JsonNode at(JsonNode node) throws Unsupported {
    JsonNode found = node;
    for (int step = 0; found.path("$ref").isString(); step++) {
      if (step == LONGEST_CHAIN) {
        throw new Unsupported("has references that lead in a circle");
      }
      found = referred(found.path("$ref").stringValue());
    }
    return found;
  }

  /// That node, or the target of its reference; a missing node where that is not in the document.
  JsonNode found(JsonNode node) {
    try {
      return at(node);
    } catch (Unsupported e) {
      return root.path("");
    }
  }

  /// Whether a reference leads to none of its parts.
  boolean isWithout(String reference) {
    try {
      return referred(reference).isMissingNode();
    } catch (Unsupported e) {
      return true;
    }
  }

  /// The target of that reference.
  JsonNode referred(String reference) throws Unsupported {
    if (!reference.startsWith("#/")) {
      throw new Unsupported(
          "refers to '" + reference + "', which is outside of the document: bundle it first");
    }
    JsonNode found = root;
    for (String step : SLASH.split(JsonPointer.decoded(reference.substring(2)), -1)) {
      String name = JsonPointer.name(step);
      found =
          found.isArray() && name.matches("[0-9]{1,9}")
              ? found.path(Integer.parseInt(name))
              : found.path(name);
    }
    if (found.isMissingNode()) {
      throw new Unsupported("refers to '" + reference + "', which is not in the document");
    }
    return found;
  }
}
