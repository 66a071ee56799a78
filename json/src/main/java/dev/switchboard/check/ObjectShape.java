package dev.switchboard.check;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/// An object with named properties, and further members if it is open.
final class ObjectShape implements Shape {
  private final Names names;
  private final Shape[] shapes;
  private final BitSet required;

  /// The first 64 required properties.
  private final long requiredLow;

  private final @Nullable Shape additional;
  private final Cardinality members;
  private final @Nullable Maker maker;

  /// The number of leading properties that are not passed to the maker.
  private final int unbound;

  private ObjectShape(
      Map<String, Shape> properties,
      Set<String> required,
      @Nullable Shape additional,
      Cardinality members,
      @Nullable Maker maker,
      int unbound) {
    names = new Names(List.copyOf(properties.keySet()));
    shapes = properties.values().toArray(Shape[]::new);
    this.required = new BitSet();
    required.forEach(name -> this.required.set(names.index(name, 0)));
    requiredLow = required.isEmpty() ? 0 : this.required.toLongArray()[0];
    this.additional = additional;
    this.members = members;
    this.maker = maker;
    this.unbound = unbound;
  }

  /// An object that is not bound.
  ///
  /// @param properties in the schema's order, including every required one
  /// @param additional the shape of other members; null if none are allowed
  static ObjectShape checked(
      Map<String, Shape> properties,
      Set<String> required,
      @Nullable Shape additional,
      Cardinality members) {
    return new ObjectShape(properties, required, additional, members, null, 0);
  }

  /// A closed object that is bound to a record.
  ///
  /// @param tagged whether the first property is the tag of a union, not a component
  static ObjectShape bound(
      Map<String, Shape> properties, Set<String> required, Maker maker, boolean tagged) {
    return new ObjectShape(properties, required, null, Cardinality.ANY, maker, tagged ? 1 : 0);
  }

  Names names() {
    return names;
  }

  /// The shape of the member of that name; null if it is not allowed.
  @Nullable Shape member(String name) {
    int index = names.index(name, 0);
    return index < 0 ? additional : shapes[index];
  }

  /// The shape of the member of that name; null if it is not required.
  @Nullable Shape required(String name) {
    int index = names.index(name, 0);
    return index >= 0 && required.get(index) ? shapes[index] : null;
  }

  boolean requiresNothing() {
    return required.isEmpty();
  }

  @Override
  public @Nullable Object read(JsonTokens in) {
    if (in.token() != JsonToken.START_OBJECT) {
      throw Mismatch.INSTANCE;
    }
    return readMembers(in, 0);
  }

  /// The bound value of an object whose first properties have been read.
  @Nullable Object readMembers(JsonTokens in, int read) {
    @Nullable Object[] values = maker == null ? null : maker.values();
    long seen = (1L << read) - 1;
    BitSet seenHigh = null;
    Set<String> others = null;
    int next = read;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      int index = names.index(name, next);
      in.next();
      if (index < 0) {
        others = readOther(in, name, others);
        continue;
      }
      if (index < Long.SIZE) {
        if ((seen & 1L << index) != 0) {
          throw Mismatch.INSTANCE;
        }
        seen |= 1L << index;
      } else {
        seenHigh = mark(seenHigh, index);
      }
      Object value = shapes[index].read(in);
      if (values != null && index >= unbound) {
        values[index - unbound] = value;
      }
      next = index + 1;
    }
    requireAll(seen, seenHigh, others);
    return maker == null || values == null ? null : maker.make(values);
  }

  private Set<String> readOther(JsonTokens in, String name, @Nullable Set<String> others) {
    if (additional == null) {
      throw Mismatch.INSTANCE;
    }
    Set<String> seen = others == null ? new HashSet<>() : others;
    JsonTokens.requirePaired(name);
    if (!seen.add(name)) {
      throw Mismatch.INSTANCE;
    }
    additional.read(in);
    return seen;
  }

  private static BitSet mark(@Nullable BitSet seen, int index) {
    BitSet marked = seen == null ? new BitSet() : seen;
    if (marked.get(index)) {
      throw Mismatch.INSTANCE;
    }
    marked.set(index);
    return marked;
  }

  private void requireAll(long seen, @Nullable BitSet seenHigh, @Nullable Set<String> others) {
    if ((seen & requiredLow) != requiredLow) {
      throw Mismatch.INSTANCE;
    }
    if (required.length() > Long.SIZE) {
      for (int i = required.nextSetBit(Long.SIZE); i >= 0; i = required.nextSetBit(i + 1)) {
        if (seenHigh == null || !seenHigh.get(i)) {
          throw Mismatch.INSTANCE;
        }
      }
    }
    if (!members.isAny()) {
      int high = seenHigh == null ? 0 : seenHigh.cardinality();
      if (!members.admits(Long.bitCount(seen) + high + (others == null ? 0 : others.size()))) {
        throw Mismatch.INSTANCE;
      }
    }
  }

  @Override
  public void explain(JsonNode value, Place at, Faults faults) {
    if (!value.isObject()) {
      faults.add(at, this, value);
      return;
    }
    faults.step(1 + value.size() + shapes.length / 4);
    if (faults.verdictOnly() && isSurelyWrong(value, faults)) {
      faults.addMember(at, this, null);
      return;
    }
    int before = faults.size();
    for (int i = 0; i < shapes.length && !faults.decided(); i++) {
      JsonNode member = value.get(names.list().get(i));
      if (member != null) {
        shapes[i].explain(member, at.child(names.list().get(i)), faults);
      } else if (required.get(i)) {
        faults.addMember(at.child(names.list().get(i)), shapes[i], null);
      }
    }
    if (!faults.decided()) {
      value.forEachEntry((name, member) -> explainOther(name, member, at, faults));
    }
    if (!members.admits(value.size())) {
      faults.add(at, members.describe("object", "member", "members"), "object of " + value.size());
    }
    if (maker != null && faults.size() == before) {
      Maker.explain(this, value, at, faults);
    }
  }

  /// Cheap checks come first: they often distinguish nested alternatives.
  private boolean isSurelyWrong(JsonNode value, Faults budget) {
    for (int i = required.nextSetBit(0); i >= 0; i = required.nextSetBit(i + 1)) {
      if (!value.has(names.list().get(i))) {
        return true;
      }
    }
    for (int i = 0; i < shapes.length; i++) {
      JsonNode member = value.get(names.list().get(i));
      if (member != null && !member.isContainer() && !shapes[i].accepts(member, budget)) {
        return true;
      }
    }
    return !members.admits(value.size());
  }

  private void explainOther(String name, JsonNode member, Place at, Faults faults) {
    if (names.index(name, 0) >= 0) {
      return;
    }
    if (additional == null) {
      faults.add(
          at.child(name), () -> "no such property" + Closest.hint(name, names.list()), member);
    } else {
      additional.explain(member, at.child(name), faults);
    }
  }

  @Override
  public String expected() {
    return "object";
  }
}
