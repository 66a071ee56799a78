package dev.switchboard.schema;

import dev.switchboard.check.Checked;
import dev.switchboard.check.References;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.JsonPointer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The names by which a model knows those parameters whose own names model APIs refuse. Arguments
/// get the own names back before they are checked; both are understood.
///
/// @param ours by own names
/// @param own by ours
record ParameterNames(Map<String, String> ours, Map<String, String> own) {
  static final ParameterNames KEPT = new ParameterNames(Map.of(), Map.of());

  private static final Pattern STRANGE = Pattern.compile("[^A-Za-z0-9_.-]+");
  private static final Pattern EDGES = Pattern.compile("^_+|_+$");
  private static final int LONGEST = 64;
  private static final int LONGEST_CUT = 50;
  private static final int MOST_NUMBERS = 50;
  private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");
  private static final List<String> PARTS = List.of("not", "if", "then", "else");

  /// The names of the parameters of that schema.
  static ParameterNames of(JsonNode schema) {
    Set<String> stated = new LinkedHashSet<>(schema.path("properties").propertyNames());
    if (isCombined(schema)) {
      collect(schema, stated);
    }
    Map<String, String> ours = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>();
    for (String name : stated) {
      if (isAccepted(name)) {
        taken.add(name);
      }
    }
    if (taken.size() == stated.size()) {
      return KEPT;
    }
    Map<String, String> own = new LinkedHashMap<>();
    taken.addAll(stated);
    for (String name : stated) {
      if (!isAccepted(name)) {
        String other = distinct(name, taken);
        ours.put(name, other);
        own.put(other, name);
      }
    }
    return new ParameterNames(ours, own);
  }

  private static boolean isCombined(JsonNode schema) {
    return schema.has("$ref")
        || schema.has("dependentSchemas")
        || schema.has("dependencies")
        || LISTS.stream().anyMatch(schema::has)
        || PARTS.stream().anyMatch(schema::has);
  }

  /// Collects the names that parts of the schema have for members of the same object.
  private static void collect(JsonNode schema, Set<String> names) {
    References references = new References(schema);
    Set<JsonNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<JsonNode> next = new ArrayDeque<>(List.of(schema));
    while (!next.isEmpty()) {
      JsonNode part = next.remove();
      if (part.isObject() && seen.add(part)) {
        names.addAll(part.path("properties").propertyNames());
        LISTS.forEach(list -> part.path(list).forEach(next::add));
        PARTS.forEach(word -> next.add(part.path(word)));
        part.path("dependentSchemas").forEach(next::add);
        part.path("dependencies").forEach(next::add);
        JsonNode target = references.target(part);
        if (target != null) {
          next.add(target);
        }
      }
    }
  }

  private static boolean isAccepted(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain =
          c >= 'a' && c <= 'z'
              || c >= 'A' && c <= 'Z'
              || c >= '0' && c <= '9'
              || c == '_'
              || c == '-'
              || c == '.';
      if (!plain) {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= LONGEST;
  }

  private static String distinct(String name, Set<String> taken) {
    String plain = EDGES.matcher(STRANGE.matcher(name).replaceAll("_")).replaceAll("");
    String base = plain.isEmpty() ? "argument" : plain;
    String cut = base.substring(0, Math.min(base.length(), LONGEST_CUT));
    String unlike = cut;
    for (int i = 2; !taken.add(unlike); i++) {
      // Very many names may become one.
      unlike = cut + "_" + (i < MOST_NUMBERS ? i : Json.text(name + i).digest().substring(0, 8));
    }
    return unlike;
  }

  boolean areKept() {
    return ours.isEmpty();
  }

  /// The name by which the model knows that parameter.
  String ours(String name) {
    return ours.getOrDefault(name, name);
  }

  /// An object with the names that the model knows.
  Json renamed(Json arguments) {
    return renamed(arguments, ours);
  }

  private static Json renamed(Json arguments, Map<String, String> names) {
    ObjectNode out = Codec.object();
    arguments.tree().forEachEntry((name, value) -> out.set(names.getOrDefault(name, name), value));
    return Json.of(out);
  }

  /// The arguments with the parameters' own names; themselves if they have these already or are no
  /// object.
  Json original(Json arguments) {
    JsonNode given = object(arguments);
    boolean any = given != null && given.propertyNames().stream().anyMatch(own::containsKey);
    return any ? renamed(arguments, own) : arguments;
  }

  /// The fault of an argument that is there by both of its names, or null.
  Checked.@Nullable Refused twice(Json arguments) {
    JsonNode given = object(arguments);
    if (given != null) {
      for (String name : given.propertyNames()) {
        String other = own.get(name);
        if (other != null && given.has(other)) {
          String found = "also " + pointer(other);
          return new Checked.Refused(
              List.of(new Fault(pointer(name), "an argument that is given once", found)));
        }
      }
    }
    return null;
  }

  /// The faults of those arguments, at the names that they have in them.
  List<Fault> atGivenNames(List<Fault> faults, Json arguments) {
    JsonNode given = object(arguments);
    return faults.stream().map(fault -> atGivenNames(fault, given)).toList();
  }

  private Fault atGivenNames(Fault fault, @Nullable JsonNode given) {
    String at = atGivenNames(fault.pointer(), given);
    return at.equals(fault.pointer()) ? fault : new Fault(at, fault.expected(), fault.found());
  }

  /// Sentences that begin with a pointer, such as about repairs.
  List<String> sentencesAtGivenNames(List<String> sentences, Json arguments) {
    JsonNode given = object(arguments);
    return sentences.stream()
        .map(sentence -> {
          int end = sentence.indexOf(": ");
          return end < 0
              ? sentence
              : atGivenNames(sentence.substring(0, end), given) + sentence.substring(end);
        })
        .toList();
  }

  private String atGivenNames(String pointer, @Nullable JsonNode given) {
    if (!pointer.startsWith("/")) {
      return pointer;
    }
    int next = pointer.indexOf('/', 1);
    int end = next < 0 ? pointer.length() : next;
    String name = JsonPointer.name(pointer.substring(1, end));
    String other = ours.get(name);
    return other == null || given != null && given.has(name)
        ? pointer
        : pointer(other) + pointer.substring(end);
  }

  private static String pointer(String name) {
    return "/" + JsonPointer.step(name);
  }

  private static @Nullable JsonNode object(Json arguments) {
    try {
      JsonNode tree = arguments.tree();
      return tree.isObject() ? tree : null;
    } catch (JsonException e) {
      return null;
    }
  }
}
