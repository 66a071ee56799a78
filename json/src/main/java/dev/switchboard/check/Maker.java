package dev.switchboard.check;

import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Makes an object from the values of its members.
final class Maker {
  private final MethodHandle constructor;
  private final @Nullable Object[] blank;
  private final Absent[] absent;
  private final boolean fresh;

  /// @param constructor takes an array of objects, returns an object
  /// @param absent the value of each absent component
  Maker(MethodHandle constructor, List<Absent> absent) {
    this.constructor = constructor;
    this.absent = absent.toArray(Absent[]::new);
    blank = new Object[this.absent.length];
    boolean anyFresh = false;
    for (int i = 0; i < blank.length; i++) {
      switch (this.absent[i]) {
        case Absent.Constant(var value) -> blank[i] = value;
        case Absent.Fresh _fresh -> anyFresh = true;
      }
    }
    fresh = anyFresh;
  }

  /// An array of the values, filled with those of absent components.
  @Nullable Object[] values() {
    return blank.clone();
  }

  /// The record.
  ///
  /// @throws Mismatch when its constructor refuses the values
  Object make(@Nullable Object[] values) {
    if (fresh) {
      fillIn(values);
    }
    try {
      return constructor.invokeExact(values);
    } catch (StackOverflowError e) {
      // A pattern in a constructor can overflow on a long text: a fault of the text.
      throw Mismatch.refusedByConstructor(e);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw Mismatch.refusedByConstructor(e);
    }
  }

  /// Adds the refusal of the constructor of a value whose parts are valid, if it refuses them.
  static void explain(Shape shape, JsonNode value, Place at, Faults faults) {
    faults.step(nodes(value));
    try (JsonTokens in = JsonTokens.of(value, faults)) {
      shape.read(in);
    } catch (Mismatch e) {
      e.unlessCostly();
      String refusal = e.refusal();
      if (refusal == null) {
        faults.add(at, shape, value);
      } else {
        faults.add(
            at, shape.expected() + " that its type accepts", "one that it refuses: " + refusal);
      }
    }
  }

  private static int nodes(JsonNode value) {
    int nodes = 1;
    for (JsonNode part : value) {
      nodes += nodes(part);
    }
    return nodes;
  }

  private void fillIn(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null && absent[i] instanceof Absent.Fresh) {
        values[i] = absent[i].value();
      }
    }
  }
}
