package dev.switchboard.schema;

import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// The types that hold themselves: written once under `$defs`, all others in place.
final class Definitions {
  /// A type that is being described.
  private static final class Entry {
    private final Plan plan = Plan.later();
    private final String pointer;
    private boolean recursive;

    private Entry(String pointer) {
      this.pointer = pointer;
    }

    private Typed reference() {
      return new Typed(Codec.object().put("$ref", pointer), plan);
    }
  }

  private final Map<String, Entry> entries = new HashMap<>();
  private final ObjectNode written = Codec.object();

  /// The root, which references name `#`.
  Typed root(TypeUse use, Supplier<Typed> description) {
    Entry entry = new Entry("#");
    entries.put(use.key(), entry);
    Typed built = root(description);
    entry.plan.become(built.plan());
    return built;
  }

  /// A root that nothing refers to.
  Typed root(Supplier<Typed> description) {
    Typed built = description.get();
    if (!written.isEmpty()) {
      built.schema().set("$defs", written);
    }
    return built;
  }

  /// The type in place, or a reference to it where it holds itself.
  Typed inPlace(TypeUse use, Supplier<Typed> description) {
    Entry known = entries.get(use.key());
    if (known != null) {
      known.recursive = true;
      return known.reference();
    }
    String name = freeName(use.raw().getSimpleName());
    Entry entry = new Entry("#/$defs/" + name);
    entries.put(use.key(), entry);
    Typed built = description.get();
    entry.plan.become(built.plan());
    if (!entry.recursive) {
      entries.remove(use.key());
      return built;
    }
    written.set(name, built.schema());
    return entry.reference();
  }

  private String freeName(String simple) {
    String name = simple;
    for (int i = 2; taken("#/$defs/" + name); i++) {
      name = simple + i;
    }
    return name;
  }

  private boolean taken(String pointer) {
    return entries.values().stream().anyMatch(entry -> entry.pointer.equals(pointer));
  }
}
