package dev.switchboard.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A value that matches one, or exactly one, of several shapes.
final class UnionShape implements Shape {
  private static final int MOST_SHOWN = 4;
  private static final int MOST_JOINED = 20;

  /// One of the shapes.
  ///
  /// @param types the types of values that can match it
  record Alternative(Shape shape, Set<JsonType> types) {}

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
  public @Nullable Object read(JsonTokens in) {
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
    return tag == null ? null : tag.meant(value);
  }

  private @Nullable Tag tag() {
    List<Tag> known = tags;
    if (known == null) {
      Tag found = Tag.of(alternatives);
      known = found == null ? List.of() : List.of(found);
      tags = known;
    }
    return known.isEmpty() ? null : known.getFirst();
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
    if (tag != null && tag.isWrong(value)) {
      EnumShape words = EnumShape.of(tag.words().keySet());
      faults.addMember(at.child(tag.member()), words, value.get(tag.member()));
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
    Set<Place> places = new HashSet<>();
    for (Faults.Note note : trials.getFirst().notes()) {
      if (!places.add(note.at())) {
        continue;
      }
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
    for (Faults.Note note : notes.subList(0, Math.min(MOST_JOINED, notes.size()))) {
      String expected = note.expected().get();
      boolean list = expected.startsWith("one of [") && expected.endsWith("]");
      words.add(list ? expected.substring("one of [".length(), expected.length() - 1) : expected);
    }
    boolean quoted = words.stream().allMatch(word -> word.startsWith("\""));
    boolean all = notes.size() <= MOST_JOINED;
    String joined =
        quoted
            ? ConstantShape.expected(List.copyOf(words), words.size())
            : String.join(" or ", words);
    return all ? joined : joined + " or what others expect";
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
