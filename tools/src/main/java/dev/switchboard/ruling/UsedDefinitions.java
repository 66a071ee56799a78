package dev.switchboard.ruling;

import dev.switchboard.json.Codec;
import dev.switchboard.text.JsonPointer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The definitions of a schema that are still referenced: an unused one would show the model what
/// was removed.
final class UsedDefinitions {
  private static final List<String> PLACES = List.of("$defs", "definitions");

  private final JsonNode root;
  private final Set<String> used = new HashSet<>();
  private final ArrayDeque<JsonNode> pending = new ArrayDeque<>();
  private boolean plain = true;

  private UsedDefinitions(JsonNode root) {
    this.root = root;
  }

  static JsonNode of(JsonNode root) {
    UsedDefinitions definitions = new UsedDefinitions(root);
    root.forEachEntry((name, value) -> {
      if (!PLACES.contains(name)) {
        definitions.collect(value);
      }
    });
    while (!definitions.pending.isEmpty()) {
      definitions.collect(definitions.pending.remove());
    }
    return definitions.rest();
  }

  private void collect(JsonNode node) {
    JsonNode reference = node.path("$ref");
    if (reference.isString()) {
      use(reference.stringValue());
    }
    plain &= !node.has("$dynamicRef");
    node.forEach(this::collect);
  }

  private void use(String reference) {
    for (String place : PLACES) {
      String path = "#/" + place + "/";
      if (reference.startsWith(path) && reference.indexOf('%') < 0) {
        int end = reference.indexOf('/', path.length());
        String name = reference.substring(path.length(), end < 0 ? reference.length() : end);
        String plainName = JsonPointer.name(name);
        if (used.add(place + "/" + plainName)) {
          pending.add(root.path(place).path(plainName));
        }
        return;
      }
    }
    // A reference of another form may have any target.
    plain = false;
  }

  private JsonNode rest() {
    if (!plain) {
      return root;
    }
    ObjectNode left = Codec.object();
    root.forEachEntry((name, value) -> {
      boolean place = PLACES.contains(name);
      JsonNode kept = place ? rest(name, value) : value;
      if (!place || !kept.isEmpty()) {
        left.set(name, kept);
      }
    });
    return left;
  }

  private JsonNode rest(String place, JsonNode definitions) {
    ObjectNode left = Codec.object();
    definitions.forEachEntry((name, value) -> {
      if (used.contains(place + "/" + name)) {
        left.set(name, value);
      }
    });
    return left;
  }
}
