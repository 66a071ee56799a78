package dev.switchboard.schema;

import dev.switchboard.json.Codec;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// The places that a schema's references point to: always within the schema itself, nothing is ever
/// fetched.
public final class References {
  private final JsonNode root;
  private final String id;
  private final Map<String, JsonNode> anchors = new HashMap<>();

  /// The places within that schema.
  public References(JsonNode root) {
    this.root = root;
    id = root.path("$id").asString("");
    collectAnchors(root);
  }

  private void collectAnchors(JsonNode node) {
    for (String keyword : new String[] {"$anchor", "$dynamicAnchor"}) {
      if (node.path(keyword).isString()) {
        anchors.putIfAbsent(node.path(keyword).stringValue(), node);
      }
    }
    node.forEach(this::collectAnchors);
  }

  /// The schema that the reference names, or null when there is none.
  public @Nullable JsonNode resolve(String reference) {
    String local =
        !id.isEmpty() && reference.startsWith(id) ? reference.substring(id.length()) : reference;
    if (local.isEmpty() || local.equals("#")) {
      return root;
    }
    if (!local.startsWith("#")) {
      return null;
    }
    String fragment = decoded(local.substring(1));
    JsonNode target =
        fragment.startsWith("/") ? root.at(JsonPointer.compile(fragment)) : anchors.get(fragment);
    return target == null || target.isMissingNode() ? null : target;
  }

  /// The schema as a part of another one, at that place: what pointed within it still does.
  public static JsonNode moved(JsonNode schema, String place) {
    if (!schema.isObject() || schema.has("$id")) {
      return schema;
    }
    ObjectNode out = Codec.object();
    schema.forEachEntry((word, value) -> {
      Keyword keyword = Keyword.of(word);
      out.set(word, keyword == null ? value : moved(keyword, value, place));
    });
    return out;
  }

  private static JsonNode moved(Keyword keyword, JsonNode value, String place) {
    return switch (keyword.form()) {
      case SCHEMA -> moved(value, place);
      case SCHEMA_LIST -> {
        ArrayNode out = Codec.object().putArray("list");
        value.forEach(part -> out.add(moved(part, place)));
        yield value.isArray() ? out : value;
      }
      case SCHEMA_MAP -> {
        ObjectNode out = Codec.object();
        value.forEachEntry((name, part) -> out.set(name, moved(part, place)));
        yield value.isObject() ? out : value;
      }
      case REFERENCE -> {
        String reference = value.asString("");
        boolean own = value.isString() && (reference.equals("#") || reference.startsWith("#/"));
        yield own ? StringNode.valueOf("#" + place + reference.substring(1)) : value;
      }
      case TYPE,
          NAMES,
          NAMES_MAP,
          REGEX,
          STRING,
          BOOLEAN,
          NUMBER,
          POSITIVE,
          COUNT,
          LIST,
          ANYTHING ->
          value;
    };
  }

  private static String decoded(String fragment) {
    try {
      return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return fragment;
    }
  }
}
