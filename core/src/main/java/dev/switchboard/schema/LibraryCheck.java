package dev.switchboard.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.path.PathType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The check of a schema that the one-pass plan does not cover, by a library: compiled once,
/// formats asserted, nothing fetched, its work bounded. The class is loaded only when a tool needs
/// it, for the library takes its time to start.
final class LibraryCheck {
  private static final long MOST_STEPS = 500_000;
  private static final int MOST_DEPTH = 2_000;
  private static final SchemaRegistryConfig CONFIG =
      SchemaRegistryConfig.builder()
          .formatAssertionsEnabled(true)
          .regularExpressionFactory(source -> Regex.of(source)::found)
          .pathType(PathType.JSON_POINTER)
          .locale(Locale.ENGLISH)
          .build();

  private final Schema schema;

  /// @throws IllegalArgumentException when the library cannot use the schema
  LibraryCheck(JsonNode schema) {
    ObjectNode bare = schema.deepCopy().asObject();
    bare.remove("$schema");
    SchemaRegistry registry =
        SchemaRegistry.withDialect(
            Dialects.getDraft202012(), builder -> builder.schemaRegistryConfig(CONFIG));
    try {
      this.schema = registry.getSchema(plain(bare));
      this.schema.initializeValidators();
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /// All that the library finds wrong with the value.
  void explain(JsonNode value, Faults faults) {
    try {
      List<Error> errors =
          schema.validate(
              plain(value),
              context ->
                  context.executionConfig(config ->
                      config
                          .formatAssertionsEnabled(true)
                          .maxEvaluationSteps(MOST_STEPS)
                          .maxEvaluationDepth(MOST_DEPTH)));
      errors.forEach(error -> faults.add(fault(error)));
    } catch (RuntimeException | StackOverflowError e) {
      throw Mismatch.TOO_COSTLY;
    }
  }

  /// The value with numbers such as `1e300` written out, which the library stumbles over.
  static JsonNode plain(JsonNode value) {
    if (value.isNumber() && value.decimalValue().scale() < 0) {
      return JsonNodeFactory.instance.numberNode(value.decimalValue().toBigIntegerExact());
    }
    if (value.isArray()) {
      ArrayNode items = JsonNodeFactory.instance.arrayNode();
      value.forEach(item -> items.add(plain(item)));
      return items;
    }
    if (value.isObject()) {
      ObjectNode members = JsonNodeFactory.instance.objectNode();
      value.forEachEntry((name, member) -> members.set(name, plain(member)));
      return members;
    }
    return value;
  }

  private static Fault fault(Error error) {
    String pointer = error.getInstanceLocation().toString();
    Object[] words = error.getArguments();
    JsonNode value = error.getInstanceNode();
    return switch (error.getKeyword()) {
      case "required", "dependentRequired" ->
          new Fault(below(pointer, words[0]), "a value", "missing");
      case "additionalProperties", "unevaluatedProperties" ->
          new Fault(
              below(pointer, words[0]),
              "no such property",
              found(value.get(String.valueOf(words[0]))));
      case "type" -> new Fault(pointer, String.valueOf(words[1]), found(value));
      default -> new Fault(pointer, error.getMessage(), found(value));
    };
  }

  private static String below(String pointer, Object name) {
    return pointer + Place.ROOT.child(String.valueOf(name)).pointer();
  }

  private static String found(@Nullable JsonNode value) {
    return value == null ? "missing" : Found.of(value);
  }
}
