package dev.switchboard.check;

import static java.util.Collections.newSetFromMap;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The member that distinguishes the objects of several alternatives: each of its values belongs to
/// one of them.
///
/// @param words the alternatives by the values, in the order of the alternatives
/// @param required whether each object needs the member
record Tag(String member, Map<String, UnionShape.Alternative> words, boolean required) {
  private static final int DEEPEST = 6;
  private static final int MOST_PARTS = 100; // of one alternative
  private static final int MOST_MEMBERS = 20; // that may be the tag

  /// The objects that a value of that alternative has to match.
  private record Parts(UnionShape.Alternative of, List<ObjectShape> all) {
    /// The only values that the member can have; null if they are not listed.
    private @Nullable Set<String> words(String member) {
      Set<String> words = null;
      for (ObjectShape object : all) {
        if (object.member(member) instanceof EnumShape listed) {
          if (words == null) {
            words = new LinkedHashSet<>(listed.constants().keySet());
          } else {
            words.retainAll(listed.constants().keySet());
          }
        }
      }
      return words;
    }

    private boolean requires(String member) {
      return all.stream().anyMatch(object -> object.required(member) != null);
    }
  }

  /// The tag of these alternatives, or null.
  static @Nullable Tag of(List<UnionShape.Alternative> alternatives) {
    List<Parts> objects = new ArrayList<>();
    for (UnionShape.Alternative alternative : alternatives) {
      if (alternative.types().contains(JsonType.OBJECT)) {
        List<ObjectShape> found = new ArrayList<>();
        collect(alternative.shape(), 0, newSetFromMap(new IdentityHashMap<>()), found);
        objects.add(new Parts(alternative, found));
      }
    }
    if (objects.isEmpty()) {
      return null;
    }
    Tag best = null;
    for (String member : candidates(objects.getFirst())) {
      Tag tag = of(member, objects);
      if (tag != null && (best == null || tag.required && !best.required)) {
        best = tag;
      }
    }
    return best;
  }

  private static Set<String> candidates(Parts first) {
    Set<String> names = new LinkedHashSet<>();
    for (ObjectShape object : first.all) {
      object.names().list().stream()
          .filter(name -> object.member(name) instanceof EnumShape)
          .limit(MOST_MEMBERS)
          .forEach(names::add);
    }
    return names;
  }

  private static @Nullable Tag of(String member, List<Parts> objects) {
    Map<String, UnionShape.Alternative> words = new LinkedHashMap<>();
    for (Parts each : objects) {
      Set<String> own = each.words(member);
      if (own == null || own.isEmpty()) {
        return null;
      }
      for (String word : own) {
        if (words.put(word, each.of) != null) {
          return null;
        }
      }
    }
    return new Tag(member, words, objects.stream().allMatch(each -> each.requires(member)));
  }

  /// Collects what an object has to match; some of it is enough.
  private static void collect(Shape shape, int depth, Set<Shape> seen, List<ObjectShape> found) {
    if (depth > DEEPEST || seen.size() == MOST_PARTS || !seen.add(shape)) {
      return;
    }
    if (shape instanceof ObjectShape object) {
      found.add(object);
    } else if (shape instanceof ReferenceShape reference) {
      collect(reference.target(), depth + 1, seen, found);
    } else if (shape instanceof AllShape all) {
      for (Shape part : all.parts()) {
        collect(part, depth + 1, seen, found);
      }
    } else if (shape instanceof ByTypeShape types) {
      Shape ofObjects = types.shapes().get(JsonType.OBJECT);
      if (ofObjects != null) {
        collect(ofObjects, depth + 1, seen, found);
      }
    }
  }

  /// The only alternative that the object can match, or null if the tag does not say it.
  UnionShape.@Nullable Alternative meant(JsonNode object) {
    JsonNode word = object.get(member);
    return word != null && word.isString() ? words.get(word.stringValue()) : null;
  }

  /// Whether the object cannot match any alternative because of the tag.
  boolean isWrong(JsonNode object) {
    return required || object.has(member);
  }
}
