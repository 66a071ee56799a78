package dev.switchboard.server;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The description of the server's routes, `openapi.json`.
record Description(JsonNode root) {
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  /// @param path with its parameters in braces
  /// @param item what is stated of the whole path
  record Operation(String method, String path, JsonNode item, JsonNode json) {
    String name() {
      return method + " " + path;
    }

    String text(String member) {
      return json.path(member).asString("");
    }
  }

  static Description read() {
    try (InputStream in = Server.class.getResourceAsStream("openapi.json")) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      return new Description(Json.text(new String(bytes, StandardCharsets.UTF_8)).tree());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    root.path("paths")
        .forEachEntry((path, item) ->
            item.forEachEntry((method, json) -> {
              if (METHODS.contains(method)) {
                all.add(new Operation(method.toUpperCase(Locale.ROOT), path, item, json));
              }
            }));
    return all;
  }

  Operation operation(String name) {
    return operations().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not described"));
  }

  /// What that node is or refers to.
  JsonNode resolved(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.isEmpty() ? node : root.at(reference.substring(1));
  }

  /// The parameters of an operation, those of its path among them.
  List<JsonNode> parameters(Operation operation) {
    List<JsonNode> all = new ArrayList<>();
    operation.item.path("parameters").forEach(one -> all.add(resolved(one)));
    operation.json.path("parameters").forEach(one -> all.add(resolved(one)));
    return all;
  }

  /// What an operation answers with that status.
  JsonNode response(Operation operation, int status) {
    JsonNode responses = operation.json.path("responses");
    String key = Integer.toString(status);
    return resolved(responses.has(key) ? responses.path(key) : responses.path("default"));
  }

  /// Whether that is a JSON Schema.
  static List<String> faultsOfSchema(JsonNode schema) {
    Schema meta =
        SCHEMAS.getSchema(
            com.networknt.schema.SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
    return meta.validate(schema).stream().map(Object::toString).toList();
  }

  /// What in that value is not as the schema says, members that it does not name included.
  List<String> faults(JsonNode schema, JsonNode value) {
    ObjectNode whole = closed(schema, true).asObject();
    ObjectNode known = Codec.object();
    root.at("/components/schemas")
        .forEachEntry((name, component) -> known.set(name, closed(component, false)));
    whole.putObject("components").set("schemas", known);
    return SCHEMAS.getSchema(whole).validate(value).stream().map(Object::toString).toList();
  }

  /// A copy of a schema that takes no members but those that it names.
  ///
  /// @param alone whether nothing but this schema says what a value may have
  private static JsonNode closed(JsonNode schema, boolean alone) {
    ObjectNode copy = schema.deepCopy().asObject();
    BiConsumer<String, Boolean> each =
        (keyword, inner) -> {
          ObjectNode named = copy.path(keyword).asObjectOpt().orElse(null);
          if (named != null) {
            schema.path(keyword).forEachEntry((name, one) -> named.set(name, closed(one, inner)));
          }
        };
    each.accept("properties", true);
    if (copy.path("items").isObject()) {
      copy.set("items", closed(copy.path("items"), true));
    }
    for (String keyword : List.of("allOf", "oneOf")) {
      if (copy.has(keyword)) {
        var list = copy.putArray(keyword);
        boolean inner = keyword.equals("oneOf");
        schema.path(keyword).forEach(one -> list.add(closed(one, inner)));
      }
    }
    boolean names = copy.has("properties") || copy.has("$ref") || copy.has("allOf");
    if (alone && names && !copy.has("additionalProperties")) {
      copy.put("unevaluatedProperties", false);
    }
    return copy;
  }
}
