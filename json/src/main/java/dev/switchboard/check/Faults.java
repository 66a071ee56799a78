package dev.switchboard.check;

import dev.switchboard.json.Json.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Collects the faults of the slow pass, and limits its work.
final class Faults {
  static final int MOST = 100;

  /// Enough for a text of a few thousand characters.
  static final long LEAST_STEPS = 500_000;

  private static final int MOST_CHARACTERS = 100_000;

  /// The remaining steps of a check, shared with its trials: otherwise nested alternatives could
  /// take exponential time.
  private static final class Steps {
    private long left;

    private Steps(long left) {
      this.left = left;
    }
  }

  /// A fault whose text is made on demand.
  record Note(Place at, Supplier<String> expected, Supplier<String> found) {}

  private final List<Note> notes = new ArrayList<>();
  private final Steps steps;

  /// Whether the first fault is enough.
  private final boolean verdictOnly;

  private int size;

  Faults() {
    this(LEAST_STEPS);
  }

  Faults(long steps) {
    this(new Steps(steps), false);
  }

  private Faults(Steps steps, boolean verdictOnly) {
    this.steps = steps;
    this.verdictOnly = verdictOnly;
  }

  /// An empty collector, to try an alternative.
  Faults trial() {
    return new Faults(steps, false);
  }

  /// An empty collector that only shows whether there is a fault.
  Faults verdict() {
    return new Faults(steps, true);
  }

  /// Whether only the existence of a fault matters.
  boolean verdictOnly() {
    return verdictOnly;
  }

  /// Whether the caller may stop.
  boolean decided() {
    return verdictOnly && size > 0;
  }

  /// Whether further faults are only counted.
  boolean full() {
    return verdictOnly || notes.size() == MOST;
  }

  void add(Place at, String expected, String found) {
    add(new Note(at, () -> expected, () -> found));
  }

  void add(Place at, Supplier<String> expected, JsonNode found) {
    add(new Note(at, expected, () -> ValueText.of(found)));
  }

  /// Adds a value that does not match that shape.
  void add(Place at, Shape expected, JsonNode found) {
    add(new Note(at, () -> expected.expected(found), () -> ValueText.of(found)));
  }

  /// Adds a member that does not match that shape, or is missing.
  void addMember(Place at, Shape expected, @Nullable JsonNode found) {
    add(
        new Note(
            at,
            () -> expected.expected(found),
            () -> found == null ? "missing" : ValueText.of(found)));
  }

  void add(Note note) {
    size++;
    if (!full()) {
      notes.add(note);
    }
  }

  void addAll(Faults others) {
    others.notes.forEach(this::add);
  }

  /// Adds those faults, except at places that already have one.
  void addElsewhere(Faults others) {
    Set<Place> known = notes.stream().map(Note::at).collect(Collectors.toSet());
    others.notes.stream().filter(note -> !known.contains(note.at())).forEach(this::add);
  }

  /// Counts one step of work.
  ///
  /// @throws Mismatch when the value takes too many steps
  void step() {
    step(1);
  }

  /// Counts that many steps of work.
  void step(long cost) {
    steps.left -= cost;
    if (steps.left < 0) {
      throw Mismatch.TOO_COSTLY;
    }
  }

  /// The remaining steps.
  long left() {
    return steps.left;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /// The number of faults, including those that were only counted.
  int size() {
    return size;
  }

  List<Note> notes() {
    return notes;
  }

  /// The faults in words; fewer if their pointers are very long together.
  List<Fault> list() {
    List<Fault> list = new ArrayList<>();
    long characters = 0;
    for (Note note : notes) {
      Fault fault = new Fault(note.at().pointer(), note.expected().get(), note.found().get());
      characters += fault.pointer().length();
      if (!list.isEmpty() && characters > MOST_CHARACTERS) {
        break;
      }
      if (list.stream().noneMatch(known -> covers(known, fault))) {
        list.removeIf(known -> covers(fault, known));
        list.add(fault);
      }
    }
    return list;
  }

  /// Whether the first fault says all that the other one says of the same place: the fewest words
  /// that are accepted there.
  private static boolean covers(Fault one, Fault other) {
    if (!one.pointer().equals(other.pointer()) || !one.found().equals(other.found())) {
      return false;
    }
    return one.expected().equals(other.expected())
        || lists(one)
            && (lists(other)
                ? one.expected().length() <= other.expected().length()
                : one.found().equals("missing"));
  }

  private static boolean lists(Fault fault) {
    return fault.expected().startsWith("\"") || fault.expected().startsWith("one of [");
  }
}
