package dev.switchboard.check;

import dev.switchboard.json.Json.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Where the slow pass puts what it finds, and what bounds its work.
final class Faults {
  static final int MOST = 100;

  /// Enough for any check of a text of a few thousand characters.
  static final long LEAST_STEPS = 500_000;

  private static final int MOST_CHARACTERS = 100_000;

  /// Steps that are left to one check, shared with its trials: alternatives within alternatives
  /// could else take exponential time.
  private static final class Steps {
    private long left;

    private Steps(long left) {
      this.left = left;
    }
  }

  /// A fault whose words are made on demand.
  record Note(Place at, Supplier<String> expected, Supplier<String> found) {}

  private final List<Note> notes = new ArrayList<>();
  private final Steps steps;

  /// Whether only the verdict is wanted, so that the first fault is enough.
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

  /// An empty sink to try one alternative with.
  Faults trial() {
    return new Faults(steps, false);
  }

  /// An empty sink that only tells whether there is a fault.
  Faults verdict() {
    return new Faults(steps, true);
  }

  /// Whether it is only asked if there is a fault.
  boolean verdictOnly() {
    return verdictOnly;
  }

  /// Whether the caller may stop, since nothing more is wanted.
  boolean decided() {
    return verdictOnly && size > 0;
  }

  /// Whether it is only counted what is added from now on.
  boolean full() {
    return verdictOnly || notes.size() == MOST;
  }

  void add(Place at, String expected, String found) {
    add(new Note(at, () -> expected, () -> found));
  }

  void add(Place at, Supplier<String> expected, JsonNode found) {
    add(new Note(at, expected, () -> Found.of(found)));
  }

  /// A value that is not of that shape.
  void add(Place at, Shape expected, JsonNode found) {
    add(new Note(at, expected::expected, () -> Found.of(found)));
  }

  /// A member that is not of that shape, or is missing.
  void addMember(Place at, Shape expected, @Nullable JsonNode found) {
    add(new Note(at, expected::expected, () -> found == null ? "missing" : Found.of(found)));
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

  /// Adds those faults, except at places that have one already.
  void addElsewhere(Faults others) {
    Set<Place> known = notes.stream().map(Note::at).collect(Collectors.toSet());
    others.notes.stream().filter(note -> !known.contains(note.at())).forEach(this::add);
  }

  /// Counts one step of work.
  ///
  /// @throws Mismatch when the value takes an unreasonable number of steps
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

  /// The steps that are left.
  long left() {
    return steps.left;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /// How many were added, also those beyond the list's end.
  int size() {
    return size;
  }

  List<Note> notes() {
    return notes;
  }

  /// The faults in words; fewer where their pointers would be very long together.
  List<Fault> list() {
    List<Fault> list = new ArrayList<>();
    long characters = 0;
    for (Note note : notes) {
      Fault fault = new Fault(note.at().pointer(), note.expected().get(), note.found().get());
      characters += fault.pointer().length();
      if (!list.isEmpty() && characters > MOST_CHARACTERS) {
        break;
      }
      list.add(fault);
    }
    return list;
  }
}
