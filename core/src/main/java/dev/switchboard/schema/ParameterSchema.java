package dev.switchboard.schema;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A tool's parameters: the schema that the model reads, compiled once into the check of every
/// call's arguments. Immutable, safe for use by several threads.
public final class ParameterSchema {
  private static final Checked UNDECIDED =
      new Checked.Refused(
          List.of(
              new Fault(
                  "", "arguments that can be checked in reasonable time", "too many alternatives")),
          true);

  private final Json json;
  private final boolean strict;
  private final Shape shape;
  private final @Nullable LibraryCheck library;
  private final boolean declaresHeartbeat;
  private final boolean requiresNothing;

  private ParameterSchema(
      JsonNode schema, boolean strict, Shape shape, @Nullable LibraryCheck library) {
    this.json = Json.of(schema);
    this.strict = strict;
    this.shape = shape;
    this.library = library;
    declaresHeartbeat = schema.path("properties").has(Heartbeat.NAME);
    requiresNothing = schema.path("required").isEmpty();
  }

  /// The parameters that a record's components are, or one of a sealed interface's records.
  ///
  /// @throws ToolSchemaException when something in the type has no JSON Schema
  public static ParameterSchema of(String tool, Class<?> type, boolean strict) {
    Typed typed = RecordSchemas.of(tool, type, strict ? Mode.STRICT : Mode.OPEN);
    return new ParameterSchema(typed.schema(), strict, typed.shape(), null);
  }

  /// The parameters that a JSON Schema states.
  ///
  /// @throws ToolSchemaException with every sentence of [#faultsOf]
  public static ParameterSchema parse(String tool, Json parameters, boolean strict) {
    List<String> faults = new ArrayList<>();
    ParameterSchema schema = build(tool, parameters, strict, faults);
    if (schema == null || !faults.isEmpty()) {
      throw new ToolSchemaException(tool, faults);
    }
    return schema;
  }

  /// All that is wrong with parameters stated as JSON, a sentence each, in the order of the schema.
  public static List<String> faultsOf(String tool, Json parameters, boolean strict) {
    List<String> faults = new ArrayList<>();
    build(tool, parameters, strict, faults);
    return List.copyOf(faults);
  }

  private static @Nullable ParameterSchema build(
      String tool, Json parameters, boolean strict, List<String> faults) {
    JsonNode schema;
    try {
      schema = parameters.tree();
    } catch (JsonException e) {
      faults.add("tool '" + tool + "': `parameters` must be a JSON Schema of type 'object'.");
      return null;
    }
    faults.addAll(SchemaCheck.faultsOf(tool, schema));
    boolean valid = faults.isEmpty();
    if (strict) {
      faults.addAll(StrictCheck.faultsOf(tool, schema));
    }
    return valid ? compiled(tool, schema, strict, faults) : null;
  }

  private static @Nullable ParameterSchema compiled(
      String tool, JsonNode schema, boolean strict, List<String> faults) {
    SchemaCompiler.Plan plan = SchemaCompiler.compile(schema);
    try {
      LibraryCheck library = plan.complete() ? null : new LibraryCheck(schema);
      return new ParameterSchema(schema, strict, plan.shape(), library);
    } catch (IllegalArgumentException e) {
      faults.add("tool '" + tool + "': `parameters` cannot be compiled: " + e.getMessage() + ".");
      return null;
    }
  }

  /// The schema as the model reads it.
  public Json json() {
    return json;
  }

  /// Whether every object is closed and every property required, so that model APIs can be held to
  /// it.
  public boolean strict() {
    return strict;
  }

  /// Whether one pass over the text checks all of the schema; else a library makes a second one.
  public boolean compiled() {
    return library == null;
  }

  /// What the arguments of a call are worth: accepted, and bound where the tool has a type, or
  /// every fault.
  public Checked check(Json arguments) {
    return check(arguments, false);
  }

  /// The same, with common slips of models mended first where that makes the arguments right; never
  /// for strict tools.
  public Checked check(Json arguments, boolean repair) {
    Json given = withoutExtras(arguments);
    try (Tokens in = Tokens.of(given.text())) {
      if (in.next() != null) {
        return new Checked.Accepted(given, read(in), List.of());
      }
    } catch (StackOverflowError e) {
      return UNDECIDED;
    } catch (Mismatch | JacksonException e) {
      if (e == Mismatch.TOO_COSTLY) {
        return UNDECIDED;
      }
      return repair && !strict ? repaired(given) : refused(given);
    }
    return refused(given);
  }

  private @Nullable Object read(Tokens in) {
    Object bound = null;
    if (library == null) {
      bound = shape.read(in);
      in.end();
    } else {
      JsonNode tree = in.tree();
      in.end();
      Faults faults = new Faults();
      library.explain(tree, faults);
      if (!tree.isObject() || !faults.isEmpty()) {
        throw Mismatch.INSTANCE;
      }
    }
    return bound;
  }

  private Checked repaired(Json given) {
    Repair.Repaired repaired = Repair.of(given.text(), shape);
    if (repaired != null && check(repaired.arguments()) instanceof Checked.Accepted accepted) {
      return new Checked.Accepted(accepted.arguments(), accepted.bound(), repaired.notes());
    }
    return refused(given);
  }

  private Json withoutExtras(Json arguments) {
    String text = arguments.text();
    if (text.isEmpty() && requiresNothing) {
      return Json.EMPTY_OBJECT;
    }
    String rest = declaresHeartbeat ? text : Heartbeat.takenOut(text);
    return rest.equals(text) ? arguments : Json.text(rest);
  }

  private Checked refused(Json given) {
    try {
      return new Checked.Refused(explain(Reading.of(given.text())));
    } catch (Mismatch | StackOverflowError e) {
      return UNDECIDED;
    }
  }

  private List<Fault> explain(Reading reading) {
    JsonNode tree = reading.tree();
    Faults faults = reading.faults();
    if (tree != null && !tree.isObject()) {
      faults.add(Place.ROOT, "a JSON object", Found.of(tree));
    } else if (tree != null) {
      addShapeFaults(tree, faults);
    }
    if (faults.isEmpty()) {
      faults.add(Place.ROOT, "arguments that meet the schema", "others");
    }
    return faults.list();
  }

  /// Adds what the schema finds, except at places that are known to be broken already.
  private void addShapeFaults(JsonNode tree, Faults faults) {
    Faults more = faults.trial();
    if (library == null) {
      shape.explain(tree, Place.ROOT, more);
    } else {
      library.explain(tree, more);
    }
    List<Fault> known = List.copyOf(faults.list());
    for (Fault fault : more.list()) {
      if (known.stream().noneMatch(other -> fault.pointer().equals(other.pointer()))) {
        faults.add(fault);
      }
    }
  }
}
