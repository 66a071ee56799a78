package dev.switchboard.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value that matches one, or exactly one, of several shapes.
final class UnionShape implements Shape {
  private static final int MOST_SHOWN = 4;
  private static final int DEEPEST_TAG = 4;

  /// One of the shapes.
  ///
  /// @param types the types of values that can match it
  record Alternative(Shape shape, Set<JsonType> types) {}

  /// The member that distinguishes objects: each of its values belongs to one alternative.
  private record Tag(String member, Map<String, Alternative> words) {}

  private final List<Alternative> alternatives;
  private final boolean exactlyOne;

  /// Computed at the first use, when all references are set; empty for none.
  private @Nullable List<Tag> tags;

  private UnionShape(List<Alternative> alternatives, boolean exactlyOne) {
    this.alternatives = alternatives;
    this.exactlyOne = exactlyOne;
  }

  /// One, or exactly one, of these alternatives, by the type of the value if that is enough.
  static Shape of(List<Alternative> alternatives, boolean exactlyOne) {
    if (alternatives.size() == 1) {
      return alternatives.getFirst().shape;
    }
    Map<JsonType, Shape> byType = new EnumMap<>(JsonType.class);
    boolean disjoint = true;
    for (Alternative alternative : alternatives) {
      for (JsonType type : alternative.types) {
        disjoint &= byType.put(type, alternative.shape) == null;
      }
    }
    return disjoint
        ? new ByTypeShape(byType)
        : new UnionShape(List.copyOf(alternatives), exactlyOne);
  }

  List<Shape> alternatives() {
    return alternatives.stream().map(Alternative::shape).toList();
  }

  @Override
  public @Nullable Object read(Tokens in) {
    readAsTree(in);
    return null;
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    faults.step();
    int met = met(value, faults);
    if (met > 0 && (met == 1 || !exactlyOne)) {
      return;
    }
    if (faults.full()) {
      faults.add(at, this, value);
    } else if (met == 0) {
      explainNearest(value, at, faults);
    } else {
      faults.add(
          at,
          "a value that fits exactly one of " + alternatives.size() + " alternatives",
          "one that fits " + met);
    }
  }

  private int met(JsonNode value, Faults budget) {
    Alternative only = meant(value);
    if (only != null) {
      return only.shape.accepts(value, budget) ? 1 : 0;
    }
    int met = 0;
    JsonType type = JsonType.of(value);
    for (Alternative alternative : alternatives) {
      budget.step();
      if (alternative.types.contains(type) && alternative.shape.accepts(value, budget)) {
        met++;
        if (!exactlyOne) {
          return met;
        }
      }
    }
    return met;
  }

  /// The only alternative that an object can match by its tag, or null.
  private @Nullable Alternative meant(JsonNode value) {
    Tag tag = value.isObject() ? tag() : null;
    JsonNode word = tag == null ? null : value.get(tag.member);
    return tag != null && word != null && word.isString()
        ? tag.words.get(word.stringValue())
        : null;
  }

  private @Nullable Tag tag() {
    List<Tag> known = tags;
    if (known == null) {
      known = findTag();
      tags = known;
    }
    return known.isEmpty() ? null : known.getFirst();
  }

  private List<Tag> findTag() {
    List<ObjectShape> objects = new ArrayList<>();
    for (Alternative alternative : alternatives) {
      ObjectShape object = object(alternative.shape, 0);
      if (alternative.types.contains(JsonType.OBJECT) && object == null) {
        return List.of();
      }
      if (object != null) {
        objects.add(object);
      }
    }
    List<String> names = objects.isEmpty() ? List.of() : objects.getFirst().names().list();
    return names.stream().map(this::tag).filter(tag -> !tag.words.isEmpty()).limit(1).toList();
  }

  /// The tag of that name; without words if it does not distinguish all objects.
  private Tag tag(String member) {
    Map<String, Alternative> words = new HashMap<>();
    for (Alternative alternative : alternatives) {
      ObjectShape object = object(alternative.shape, 0);
      Set<String> own = object == null ? Set.of() : words(object.required(member));
      if (object != null && own.isEmpty()) {
        return new Tag(member, Map.of());
      }
      for (String word : own) {
        if (words.put(word, alternative) != null) {
          return new Tag(member, Map.of());
        }
      }
    }
    return new Tag(member, words);
  }

  private static @Nullable ObjectShape object(Shape shape, int depth) {
    if (shape instanceof ReferenceShape reference && depth < DEEPEST_TAG) {
      return object(reference.target(), depth + 1);
    }
    if (shape instanceof AllShape all && depth < DEEPEST_TAG) {
      for (Shape part : all.parts()) {
        ObjectShape object = object(part, depth + 1);
        if (object != null) {
          return object;
        }
      }
    }
    return shape instanceof ObjectShape object ? object : null;
  }

  private static Set<String> words(@Nullable Shape member) {
    return member instanceof EnumShape words ? words.constants().keySet() : Set.of();
  }

  /// Adds the faults of the intended alternative: by its tag, or of the value's type with the
  /// fewest faults. If several are equally close, adds their common fault.
  private void explainNearest(JsonNode value, Place at, Faults faults) {
    Tag tag = value.isObject() ? tag() : null;
    Alternative meant = meant(value);
    if (meant != null) {
      meant.shape.explain(value, at, faults);
      return;
    }
    if (tag != null) {
      Set<String> words = new LinkedHashSet<>();
      alternatives.forEach(each -> {
        ObjectShape object = object(each.shape, 0);
        words.addAll(object == null ? Set.of() : words(object.required(tag.member)));
      });
      faults.addMember(at.child(tag.member), EnumShape.of(words), value.get(tag.member));
      return;
    }
    List<Faults> nearest = nearest(value, at, faults);
    switch (nearest.size()) {
      case 0 -> faults.add(at, this, value);
      case 1 -> faults.addAll(nearest.getFirst());
      default -> addCommon(nearest, value, at, faults);
    }
  }

  private List<Faults> nearest(JsonNode value, Place at, Faults faults) {
    List<Faults> nearest = new ArrayList<>();
    JsonType type = JsonType.of(value);
    for (Alternative alternative : alternatives) {
      if (alternative.types.contains(type)) {
        Faults trial = faults.trial();
        alternative.shape.explain(value, at, trial);
        int fewest = nearest.isEmpty() ? Integer.MAX_VALUE : nearest.getFirst().size();
        if (trial.size() < fewest) {
          nearest.clear();
        }
        if (trial.size() <= fewest) {
          nearest.add(trial);
        }
      }
    }
    return nearest;
  }

  private void addCommon(List<Faults> trials, JsonNode value, Place at, Faults faults) {
    boolean common = false;
    for (Faults.Note note : trials.getFirst().notes()) {
      List<Faults.Note> same = new ArrayList<>();
      for (Faults trial : trials) {
        faults.step(1 + trial.notes().size());
        trial.notes().stream()
            .filter(other -> other.at().equals(note.at()))
            .findFirst()
            .ifPresent(same::add);
      }
      if (same.size() == trials.size()) {
        common = true;
        faults.add(new Faults.Note(note.at(), () -> either(same), note.found()));
      }
    }
    if (!common) {
      faults.add(at, () -> needs(trials, at), value);
    }
  }

  /// The expectations of several alternatives at one place, as one list if they are words.
  private static String either(List<Faults.Note> notes) {
    Set<String> words = new LinkedHashSet<>();
    for (Faults.Note note : notes) {
      String expected = note.expected().get();
      boolean list = expected.startsWith("one of [") && expected.endsWith("]");
      words.add(list ? expected.substring("one of [".length(), expected.length() - 1) : expected);
    }
    boolean quoted = words.stream().allMatch(word -> word.startsWith("\""));
    return quoted ? ConstantShape.expected(List.copyOf(words)) : String.join(" or ", words);
  }

  /// What each alternative lacks, if this differs.
  private static String needs(List<Faults> trials, Place at) {
    List<String> each = new ArrayList<>();
    for (Faults trial : trials.subList(0, Math.min(MOST_SHOWN, trials.size()))) {
      each.add(
          String.join(
              " and ",
              trial.notes().stream().limit(MOST_SHOWN).map(note -> need(note, at)).toList()));
    }
    String more = trials.size() > MOST_SHOWN ? "; or another of its alternatives" : "";
    return String.join("; or ", each) + more;
  }

  private static String need(Faults.Note note, Place at) {
    String expected = note.expected().get();
    return note.at().equals(at) ? expected : "'" + note.at().below(at) + "' as " + expected;
  }

  @Override
  public String expected() {
    return String.join(" or ", alternatives().stream().map(Shape::expected).distinct().toList());
  }
}
