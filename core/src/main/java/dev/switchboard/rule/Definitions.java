package dev.switchboard.rule;

import dev.switchboard.json.Codec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The definitions of a schema that are still referred to: one that nobody uses would only show the
/// model what was left out.
final class Definitions {
  private static final List<String> PLACES = List.of("$defs", "definitions");

  private final JsonNode root;
  private final Set<String> used = new HashSet<>();

  private Definitions(JsonNode root) {
    this.root = root;
  }

  static JsonNode used(JsonNode root) {
    Definitions definitions = new Definitions(root);
    root.forEachEntry((name, value) -> {
      if (!PLACES.contains(name)) {
        definitions.collect(value);
      }
    });
    return definitions.rest();
  }

  private void collect(JsonNode node) {
    JsonNode reference = node.path("$ref");
    if (reference.isString() && used.add(reference.stringValue())) {
      for (String place : PLACES) {
        root.path(place)
            .forEachEntry((name, value) -> {
              if (isTo(reference.stringValue(), place, name)) {
                collect(value);
              }
            });
      }
    }
    node.forEach(this::collect);
  }

  private static boolean isTo(String reference, String place, String name) {
    String path = "#/" + place + "/" + name;
    return reference.equals(path) || reference.startsWith(path + "/");
  }

  private JsonNode rest() {
    // A reference of another form may lead anywhere.
    boolean plain =
        used.stream().allMatch(each -> PLACES.stream().anyMatch(at -> each.startsWith("#/" + at)));
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
      if (used.stream().anyMatch(reference -> isTo(reference, place, name))) {
        left.set(name, value);
      }
    });
    return left;
  }
}
