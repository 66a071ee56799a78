package dev.switchboard.schema;

import java.util.ArrayList;
import java.util.List;

/// Where the slow pass puts what it finds, and what bounds its work.
final class Faults {
  static final int MOST = 100;
  private static final int MOST_STEPS = 500_000;

  /// Steps of one pass, shared with its trials: alternatives within alternatives could else take
  /// exponential time.
  private static final class Steps {
    private int taken;
  }

  private final List<Fault> list = new ArrayList<>();
  private final Steps steps;
  private int size;

  Faults() {
    this(new Steps());
  }

  private Faults(Steps steps) {
    this.steps = steps;
  }

  /// An empty sink to try one alternative with.
  Faults trial() {
    return new Faults(steps);
  }

  void add(Place at, String expected, String found) {
    if (list.size() < MOST) {
      add(new Fault(at.pointer(), expected, found));
    } else {
      size++;
    }
  }

  void add(Fault fault) {
    size++;
    if (list.size() < MOST) {
      list.add(fault);
    }
  }

  void addAll(Faults others) {
    others.list.forEach(this::add);
  }

  /// Counts one step of work.
  ///
  /// @throws Mismatch when the value takes more steps than any honest one
  void step() {
    if (++steps.taken > MOST_STEPS) {
      throw Mismatch.TOO_COSTLY;
    }
  }

  boolean isEmpty() {
    return list.isEmpty();
  }

  /// How many were added, also those beyond the list's end.
  int size() {
    return size;
  }

  List<Fault> list() {
    return list;
  }
}
