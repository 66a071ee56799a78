package dev.switchboard.check;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A second opinion on what a schema accepts, by a library that passes JSON Schema's own tests.
public final class Oracle {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDialect(
          Dialects.getDraft202012(),
          builder ->
              builder.schemaRegistryConfig(
                  SchemaRegistryConfig.builder()
                      .formatAssertionsEnabled(true)
                      .regularExpressionFactory(source -> Regex.of(source)::found)
                      .build()));
  private static final Schema META =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

  private final Schema schema;

  public Oracle(JsonNode schema) {
    this.schema = REGISTRY.getSchema(plain(schema));
  }

  public boolean accepts(JsonNode value) {
    return schema.validate(plain(value)).isEmpty();
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

  public static boolean isSchema(JsonNode schema) {
    return META.validate(schema).isEmpty();
  }
}
