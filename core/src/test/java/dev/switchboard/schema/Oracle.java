package dev.switchboard.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialects;
import tools.jackson.databind.JsonNode;

/// A second opinion on what a schema accepts, by a library that passes JSON Schema's own tests.
final class Oracle {
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

  Oracle(JsonNode schema) {
    this.schema = REGISTRY.getSchema(LibraryCheck.plain(schema));
  }

  boolean accepts(JsonNode value) {
    return schema.validate(LibraryCheck.plain(value)).isEmpty();
  }

  static boolean isSchema(JsonNode schema) {
    return META.validate(schema).isEmpty();
  }
}
