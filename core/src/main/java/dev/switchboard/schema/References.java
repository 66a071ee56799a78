package dev.switchboard.schema;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

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

  private static String decoded(String fragment) {
    try {
      return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return fragment;
    }
  }
}
