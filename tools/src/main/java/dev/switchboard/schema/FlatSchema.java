package dev.switchboard.schema;

import dev.switchboard.check.References;
import dev.switchboard.json.Codec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Parameters without what model APIs refuse in the schema of all arguments, such as `oneOf`: the
/// properties of its parts are the schema's own, and the rest is described in words.
///
/// @param sentences for the description, empty for none
record FlatSchema(ObjectNode schema, String sentences) {
  private static final Map<String, String> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("$ref", "match this JSON Schema");
    WORDS.put("allOf", "match all of these JSON Schemas");
    WORDS.put("anyOf", "match at least one of these JSON Schemas");
    WORDS.put("oneOf", "match exactly one of these JSON Schemas");
    WORDS.put("not", "not match this JSON Schema");
    WORDS.put("enum", "be one of");
    WORDS.put("const", "be");
  }

  /// The words of a part that says nothing but what the schema now says.
  private static final Set<String> PLAIN =
      Set.of(
          "type",
          "properties",
          "required",
          "title",
          "description",
          "additionalProperties",
          "$defs",
          "definitions");

  private static final Pattern REMOVED =
      Pattern.compile("#/(allOf|anyOf|oneOf)/([0-9]{1,9})(/.*)?|#/(not)(/.*)?");
  private static final int LONGEST = 1_000;
  private static final int MOST_PARTS = 1_000;
  private static final int DEEPEST = 50;

  /// That schema, itself if nothing has to change.
  static FlatSchema of(ObjectNode schema) {
    return WORDS.keySet().stream().noneMatch(schema::has)
        ? new FlatSchema(schema, "")
        : new Flattening(schema).flat();
  }

  /// That part of a schema for a sentence, cut if it is long.
  static String shown(@Nullable JsonNode value) {
    String text = String.valueOf(value);
    if (text.length() <= LONGEST) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(LONGEST - 1));
    return text.substring(0, splits ? LONGEST - 1 : LONGEST) + "...";
  }

  private static final class Flattening {
    private final ObjectNode root;
    private final References references;
    private final Map<String, Set<JsonNode>> found = new LinkedHashMap<>();
    private final Map<JsonNode, Set<String>> gathered = new IdentityHashMap<>();
    private final Deque<Map.Entry<String, JsonNode>> removed = new ArrayDeque<>();
    private final ObjectNode kept = Codec.object(); // removed parts that references name
    private int parts;

    Flattening(ObjectNode root) {
      this.root = root;
      references = new References(root);
    }

    FlatSchema flat() {
      Set<String> required = gather(root, 0);
      ObjectNode out = Codec.object();
      root.forEachEntry((word, value) -> {
        if (!WORDS.containsKey(word)) {
          out.set(word, value);
        }
      });
      ObjectNode properties = properties();
      if (!properties.isEmpty() || root.has("properties")) {
        out.set("properties", properties);
      }
      if (!required.isEmpty()) {
        ArrayNode names = out.putArray("required");
        required.forEach(names::add);
      }
      JsonNode target = references.target(root);
      if (target != null && target.has("additionalProperties") && !root.has("properties")) {
        out.set("additionalProperties", target.get("additionalProperties"));
      }
      return new FlatSchema(referring(out), sentences());
    }

    /// Finds the properties of the part, and returns the names that it surely requires.
    private Set<String> gather(JsonNode part, int depth) {
      Set<String> known = gathered.get(part);
      if (known != null || !part.isObject() || depth > DEEPEST || ++parts > MOST_PARTS) {
        return known == null ? Set.of() : known;
      }
      Set<String> required = new LinkedHashSet<>();
      gathered.put(part, required);
      part.path("properties")
          .forEachEntry((name, property) ->
              found.computeIfAbsent(name, unused -> new LinkedHashSet<>()).add(property));
      part.path("required").forEach(name -> required.add(name.asString("")));
      JsonNode target = references.target(part);
      if (target != null) {
        required.addAll(gather(target, depth + 1));
      }
      part.path("allOf").forEach(each -> required.addAll(gather(each, depth + 1)));
      for (String word : List.of("anyOf", "oneOf")) {
        Set<String> common = null;
        for (JsonNode each : part.path(word)) {
          Set<String> names = gather(each, depth + 1);
          if (common == null) {
            common = new LinkedHashSet<>(names);
          } else {
            common.retainAll(names);
          }
        }
        required.addAll(common == null ? Set.of() : common);
      }
      return required;
    }

    private ObjectNode properties() {
      ObjectNode out = Codec.object();
      root.path("properties").forEachEntry(out::set);
      boolean closed = !root.path("additionalProperties").asBoolean(true);
      found.forEach((name, stated) -> {
        if (!out.has(name) && !closed) {
          out.set(name, united(stated));
        }
      });
      return out;
    }

    private static JsonNode united(Set<JsonNode> stated) {
      if (stated.size() == 1) {
        return stated.iterator().next();
      }
      ObjectNode any = Codec.object();
      any.putArray("anyOf").addAll(stated);
      return any;
    }

    private String sentences() {
      List<String> sentences = new ArrayList<>();
      WORDS.forEach((word, must) -> {
        JsonNode value = root.get(word);
        if (value != null && !isSaid(word, value)) {
          String shown = word.equals("$ref") ? shown(references.target(root)) : shown(value);
          sentences.add("The arguments must " + must + ": " + shown);
        }
      });
      return String.join("\n", sentences);
    }

    /// Whether the schema says it all without that keyword.
    private boolean isSaid(String word, JsonNode value) {
      return switch (word) {
        case "$ref" -> isPlain(references.target(root), 0);
        case "allOf" -> value.valueStream().allMatch(part -> isPlain(part, 0));
        default -> false;
      };
    }

    private boolean isPlain(@Nullable JsonNode part, int depth) {
      if (part == null || !part.isObject() || depth > DEEPEST || ++parts > MOST_PARTS) {
        return part == null || part.isBoolean() && part.booleanValue();
      }
      for (String word : part.propertyNames()) {
        JsonNode value = part.path(word);
        boolean plain =
            switch (word) {
              case "$ref" -> isPlain(references.target(part), depth + 1);
              case "allOf" -> value.valueStream().allMatch(each -> isPlain(each, depth + 1));
              case "properties" ->
                  value.propertyNames().stream()
                      .allMatch(name -> found.getOrDefault(name, Set.of()).size() == 1);
              default -> PLAIN.contains(word);
            };
        if (!plain) {
          return false;
        }
      }
      return true;
    }

    /// The schema, with definitions of the removed parts that it refers to.
    private ObjectNode referring(ObjectNode flat) {
      String text = flat.toString();
      if (List.of("allOf", "anyOf", "oneOf", "not").stream()
          .noneMatch(word -> text.contains("\"#/" + word + "/") || text.contains("\"#/not\""))) {
        return flat;
      }
      ObjectNode out = (ObjectNode) Refs.replaced(flat, this::moved);
      while (!removed.isEmpty()) {
        Map.Entry<String, JsonNode> next = removed.remove();
        kept.set(next.getKey(), Refs.replaced(next.getValue(), this::moved));
      }
      if (!kept.isEmpty()) {
        ObjectNode definitions = Codec.object();
        out.path("$defs").forEachEntry(definitions::set);
        definitions.setAll(kept);
        out.set("$defs", definitions);
      }
      return out;
    }

    /// The reference, to a definition if its part was removed.
    private String moved(String reference) {
      Matcher place = REMOVED.matcher(reference);
      if (!place.matches()) {
        return reference;
      }
      boolean listed = place.group(1) != null;
      JsonNode part =
          listed
              ? root.path(place.group(1)).path(Integer.parseInt(place.group(2)))
              : root.path("not");
      String name = listed ? place.group(1) + "_" + place.group(2) : "not";
      while (root.path("$defs").has(name)) {
        name += "_";
      }
      if (!kept.has(name)) {
        kept.putObject(name);
        removed.add(Map.entry(name, part));
      }
      String rest = place.group(listed ? 3 : 5);
      return "#/$defs/" + name + (rest == null ? "" : rest);
    }
  }
}
