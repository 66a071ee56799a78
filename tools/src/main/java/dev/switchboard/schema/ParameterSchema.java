package dev.switchboard.schema;

import dev.switchboard.check.ArgumentCheck;
import dev.switchboard.check.Checked;
import dev.switchboard.check.Plan;
import dev.switchboard.check.SchemaCheck;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.JsonException;
import dev.switchboard.tool.ToolDefinition;
import dev.switchboard.tool.ToolSchemaException;
import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A tool's parameters: their schema for the model, and the check of every call's arguments.
/// Immutable and thread-safe.
public final class ParameterSchema {
  private final Json json;
  private final boolean strict;
  private final ArgumentCheck check;
  private final List<String> warnings;
  private final boolean repairs;
  private final ModelSchema view;

  private ParameterSchema(
      JsonNode schema, boolean strict, Plan plan, List<String> warnings, boolean foreign) {
    this.json = Json.of(schema);
    this.strict = strict;
    check = new ArgumentCheck(plan, json);
    this.warnings = List.copyOf(warnings);
    repairs = false;
    view = ModelSchema.of(json, foreign);
  }

  private ParameterSchema(ParameterSchema same, boolean repairs) {
    json = same.json;
    strict = same.strict;
    check = same.check;
    warnings = same.warnings;
    view = same.view;
    this.repairs = repairs;
  }

  /// The parameters of a record, which are its components, or of a sealed interface's records.
  ///
  /// @throws ToolSchemaException when part of the type has no JSON Schema
  public static ParameterSchema of(String tool, Class<?> type, boolean strict) {
    Typed typed = RecordSchemas.of(tool, type, strict ? Mode.STRICT : Mode.OPEN);
    return new ParameterSchema(typed.schema(), strict, typed.plan(), List.of(), false);
  }

  /// The parameters of a method or constructor, except those of the type `given`, bound to an array
  /// of their values.
  ///
  /// @throws ToolSchemaException when one of them has no JSON Schema
  public static ParameterSchema of(String tool, Executable method, Class<?> given, boolean strict) {
    Typed typed = RecordSchemas.of(tool, method, given, strict ? Mode.STRICT : Mode.OPEN);
    return new ParameterSchema(typed.schema(), strict, typed.plan(), List.of(), false);
  }

  /// The parameters of a stated JSON Schema.
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

  /// The parameters of a JSON Schema that others made: of an MCP server, an OpenAPI document, a
  /// list of functions. Whatever it is, these exist: a keyword that cannot be checked is left to
  /// the server, with a sentence in [#warnings], and stays in what the model reads.
  public static ParameterSchema foreign(String tool, Json parameters) {
    JsonNode schema = tree(parameters);
    if (!schema.isObject()) {
      ObjectNode any = Codec.object().put("type", "object");
      String note =
          "tool '" + tool + "': `parameters` is not a JSON Schema; all is left to the server.";
      boolean says = !schema.isBoolean() && !schema.isNull() && !schema.isMissingNode();
      Plan plan = Objects.requireNonNull(SchemaCheck.foreign(tool, any).plan());
      return new ParameterSchema(any, false, plan, says ? List.of(note) : List.of(), true);
    }
    SchemaCheck check = SchemaCheck.foreign(tool, schema);
    JsonNode object = schema;
    if (!schema.path("type").asString("").equals("object")) {
      object =
          Codec.object().put("type", "object").setAll((ObjectNode) schema).put("type", "object");
    }
    return new ParameterSchema(
        object, false, Objects.requireNonNull(check.plan()), check.notes(), true);
  }

  /// A schema of an object that others made, without what clients with checks of their own would
  /// refuse all tools for.
  public static Json valid(Json schema) {
    return ModelSchema.valid(schema, true);
  }

  /// The schema with other references (`$ref`), for a place within a document.
  public static Json referring(Json schema, UnaryOperator<String> other) {
    return Json.of(Refs.replaced(schema.tree(), other));
  }

  private static JsonNode tree(Json parameters) {
    try {
      return parameters.tree();
    } catch (JsonException e) {
      return Codec.object().stringNode("");
    }
  }

  /// Every fault of stated parameters, a sentence each, in the order of the schema.
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
    faults.addAll(check.faults());
    if (strict) {
      faults.addAll(StrictCheck.faultsOf(tool, schema));
    }
    Plan plan = check.plan();
    return plan == null ? null : new ParameterSchema(schema, strict, plan, check.notes(), false);
  }

  /// The schema, with the parameters' own names.
  public Json json() {
    return json;
  }

  /// Whether a model reads the schema itself.
  public boolean isOfferedAsIs() {
    return view.isSame();
  }

  /// The tool as a model reads it: in a form that model APIs accept, with such names.
  ///
  /// @param tool of these parameters, or of narrower ones
  public ToolDefinition offered(ToolDefinition tool) {
    return view.of(tool);
  }

  /// The tool as clients with checks of their own read it: in a form that they accept, with the
  /// parameters' own names.
  ///
  /// @param tool of these parameters, or of narrower ones
  public ToolDefinition stated(ToolDefinition tool) {
    return view.stated(tool);
  }

  /// Those faults of arguments, at the names that the arguments have.
  public List<Fault> atGivenNames(List<Fault> faults, Json arguments) {
    ParameterNames names = view.names();
    return names.areKept() ? faults : names.atGivenNames(faults, arguments);
  }

  /// Whether it is strict: every object is closed and every property required, so that model APIs
  /// can enforce it.
  public boolean strict() {
    return strict;
  }

  /// Warnings about a stated schema, such as a misspelled keyword, a sentence each.
  public List<String> warnings() {
    return warnings;
  }

  /// These parameters, whose check repairs common mistakes of models first, if asked to and if that
  /// makes the arguments valid; never for strict tools.
  public ParameterSchema repairing(boolean repair) {
    return new ParameterSchema(this, repair && !strict);
  }

  /// The result of the check of arguments with the parameters' own names: accepted, and bound if
  /// the tool is typed, or every fault.
  public Checked check(Json arguments) {
    return check.of(arguments, repairs);
  }

  /// As [#check], for a call's arguments, which may have the names of [#offered].
  public Checked checkCall(Json arguments) {
    return view.names().areKept() ? check(arguments) : checkRenamed(arguments);
  }

  /// A call's arguments with the parameters' own names, if they are accepted: a refusal names them
  /// as they were said.
  public Json named(Json arguments) {
    boolean renamed = !view.names().areKept() && checkCall(arguments) instanceof Checked.Accepted;
    return renamed ? view.names().original(arguments) : arguments;
  }

  private Checked checkRenamed(Json arguments) {
    ParameterNames names = view.names();
    Checked.Refused twice = names.twice(arguments);
    if (twice != null) {
      return twice;
    }
    return switch (check(names.original(arguments))) {
      case Checked.Refused(var faults, boolean undecided) ->
          new Checked.Refused(names.atGivenNames(faults, arguments), undecided);
      case Checked.Accepted(Json taken, var bound, var made) ->
          new Checked.Accepted(taken, bound, names.sentencesAtGivenNames(made, arguments));
    };
  }
}
