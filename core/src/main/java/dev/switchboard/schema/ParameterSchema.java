package dev.switchboard.schema;

import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;

/// A tool's parameters: the schema that the model reads, compiled once into the check of every
/// call's arguments. Immutable, safe for use by several threads.
public final class ParameterSchema {
  private static final List<Fault> TOO_COSTLY =
      List.of(
          new Fault(
              "", "arguments that can be checked in reasonable time", "too many alternatives"));

  private final Json json;
  private final boolean strict;
  private final Shape shape;
  private final List<String> warnings;
  private final boolean declaresHeartbeat;
  private final boolean requiresNothing;

  /// The steps that a check may take for each character of the text, beyond one pass over it.
  private final long stepsPerCharacter;

  private ParameterSchema(JsonNode schema, boolean strict, Shape shape, List<String> warnings) {
    this.json = Json.of(schema);
    this.strict = strict;
    this.shape = shape;
    this.warnings = List.copyOf(warnings);
    stepsPerCharacter = Math.clamp(json.text().length() / 8L, 16, 64);
    declaresHeartbeat = schema.path("properties").has(Heartbeat.NAME);
    requiresNothing = schema.path("required").isEmpty();
  }

  /// The parameters that a record's components are, or one of a sealed interface's records.
  ///
  /// @throws ToolSchemaException when something in the type has no JSON Schema
  public static ParameterSchema of(String tool, Class<?> type, boolean strict) {
    Typed typed = RecordSchemas.of(tool, type, strict ? Mode.STRICT : Mode.OPEN);
    return new ParameterSchema(typed.schema(), strict, typed.shape(), List.of());
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
    SchemaCheck check = SchemaCheck.of(tool, schema);
    SchemaCompiler.Plan plan = check.sentences().isEmpty() ? plan(tool, schema, faults) : null;
    if (plan != null) {
      plan.withoutValue().forEach(check::noValueFits);
    }
    faults.addAll(check.sentences());
    if (strict) {
      faults.addAll(StrictCheck.faultsOf(tool, schema));
    }
    return plan == null ? null : new ParameterSchema(schema, strict, plan.shape(), check.notes());
  }

  private static SchemaCompiler.@Nullable Plan plan(
      String tool, JsonNode schema, List<String> faults) {
    try {
      return SchemaCompiler.compile(schema);
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

  /// What stands in a stated schema that is no fault and hardly meant, such as a misspelt keyword:
  /// a sentence each.
  public List<String> warnings() {
    return warnings;
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
    try (Tokens in = Tokens.of(given.text(), steps(given.text()))) {
      if (in.next() != null) {
        return new Checked.Accepted(given, read(in), List.of());
      }
    } catch (StackOverflowError e) {
      return new Checked.Refused(TOO_COSTLY, true);
    } catch (StreamConstraintsException e) {
      return new Checked.Refused(explain(given), true);
    } catch (Mismatch | JacksonException e) {
      if (e == Mismatch.TOO_COSTLY) {
        return new Checked.Refused(TOO_COSTLY, true);
      }
      return repair && !strict ? repaired(given) : new Checked.Refused(explain(given));
    }
    return new Checked.Refused(explain(given));
  }

  private @Nullable Object read(Tokens in) {
    Object bound = shape.read(in);
    in.end();
    return bound;
  }

  private long steps(String text) {
    return Faults.LEAST_STEPS + stepsPerCharacter * text.length();
  }

  private Checked repaired(Json given) {
    Repair.Repaired repaired = Repair.of(given.text(), shape, new Faults(steps(given.text())));
    if (repaired != null && check(repaired.arguments()) instanceof Checked.Accepted accepted) {
      return new Checked.Accepted(accepted.arguments(), accepted.bound(), repaired.notes());
    }
    return new Checked.Refused(explain(given));
  }

  private Json withoutExtras(Json arguments) {
    String text = arguments.text();
    if (text.isEmpty() && requiresNothing) {
      return Json.EMPTY_OBJECT;
    }
    String rest = declaresHeartbeat ? text : Heartbeat.takenOut(text);
    return rest.equals(text) ? arguments : Json.text(rest);
  }

  /// All that is wrong with arguments that are known to be wrong.
  private List<Fault> explain(Json given) {
    try {
      return explain(Reading.of(given.text()), new Faults(steps(given.text())));
    } catch (Mismatch | StackOverflowError e) {
      return TOO_COSTLY;
    }
  }

  private List<Fault> explain(Reading reading, Faults more) {
    JsonNode tree = reading.tree();
    Faults faults = reading.faults();
    if (tree != null && !tree.isObject()) {
      faults.add(Place.ROOT, () -> "a JSON object", tree);
    } else if (tree != null) {
      addShapeFaults(tree, faults, more);
    }
    if (faults.isEmpty()) {
      faults.add(Place.ROOT, "arguments that meet the schema", "others");
    }
    return faults.list();
  }

  /// Adds what the schema finds, except at places that are known to be broken already.
  private void addShapeFaults(JsonNode tree, Faults faults, Faults more) {
    shape.explain(tree, Place.ROOT, more);
    Set<Place> known = faults.notes().stream().map(Faults.Note::at).collect(Collectors.toSet());
    more.notes().stream().filter(note -> !known.contains(note.at())).forEach(faults::add);
  }
}
