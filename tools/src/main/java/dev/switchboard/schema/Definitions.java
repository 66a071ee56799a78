package dev.switchboard.schema;

import dev.switchboard.check.Plan;
import dev.switchboard.json.Codec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Definitions of recursive types, which are written once under `$defs`. All other types are
/// inlined.
final class Definitions {
  /// A type whose description is in progress.
  private static final class Definition {
    private final Plan plan = Plan.later();
    private final Class<?> type;
    private final String pointer;
    private boolean open = true;
    private boolean recursive;

    private Definition(Class<?> type, String pointer) {
      this.type = type;
      this.pointer = pointer;
    }

    private Typed reference() {
      return new Typed(Codec.object().put("$ref", pointer), plan);
    }
  }

  /// How often a generic class may be within itself with other type arguments.
  private static final int MOST_OF_A_CLASS = 10;

  private final Map<String, Definition> definitions = new HashMap<>();
  private final ObjectNode written = Codec.object();

  /// The root, which references name as `#`.
  Typed root(TypeUse use, Supplier<Typed> description) {
    Definition definition = new Definition(use.raw(), "#");
    definitions.put(use.key(), definition);
    Typed built = root(description);
    definition.plan.become(built.plan());
    return built;
  }

  /// A root without references to it.
  Typed root(Supplier<Typed> description) {
    Typed built = description.get();
    if (!written.isEmpty()) {
      built.schema().set("$defs", written);
    }
    return built;
  }

  /// The type inline, or a reference to it if it is recursive.
  Typed inPlace(TypeUse use, Supplier<Typed> description) {
    Definition known = definitions.get(use.key());
    if (known != null) {
      known.recursive = true;
      return known.reference();
    }
    long open =
        definitions.values().stream().filter(each -> each.open && each.type == use.raw()).count();
    if (open > MOST_OF_A_CLASS) {
      throw new IllegalArgumentException(
          "holds the type "
              + use.raw().getTypeName()
              + " with other type arguments again and again, which no schema can say");
    }
    String name = freeName(use.raw().getSimpleName());
    Definition definition = new Definition(use.raw(), "#/$defs/" + name);
    definitions.put(use.key(), definition);
    Typed built = description.get();
    definition.plan.become(built.plan());
    definition.open = false;
    if (!definition.recursive) {
      definitions.remove(use.key());
      return built;
    }
    written.set(name, built.schema());
    return definition.reference();
  }

  private String freeName(String simple) {
    String name = simple;
    for (int i = 2; taken("#/$defs/" + name); i++) {
      name = simple + i;
    }
    return name;
  }

  private boolean taken(String pointer) {
    return definitions.values().stream().anyMatch(definition -> definition.pointer.equals(pointer));
  }
}
