package dev.switchboard.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What operations become: names, schemas, and the reasons why they are not tools.
final class OpenApiToolsTest {
  private static final String SERVER = "servers: [{ url: \"https://api.example.com/v1\" }]\n";

  private static OpenApiTools<OpenApiTool> of(
      String version, String rest, OpenApiSettings settings) {
    return Operations.of(
        OpenApiDocument.read("openapi: " + version + "\n" + SERVER + rest), settings);
  }

  /// The one operation of a document, whose YAML is written in one line.
  private static OpenApiTools<OpenApiTool> operation(String operation, String components) {
    return of(
        "3.0.3",
        "paths: { /a: { post: %s } }\ncomponents: %s\n".formatted(operation, components),
        OpenApiSettings.PLAIN);
  }

  private static JsonNode parameters(String operation, String components) {
    OpenApiTools<OpenApiTool> tools = operation(operation, components);
    assertThat(tools.leftOut()).isEmpty();
    return tools.made().getFirst().parameters().tree();
  }

  private static JsonNode body(String version, String schema, String components) {
    String document =
        "paths: { /a: { post: { requestBody: { required: true, content: { application/json: {"
            + " schema: { type: object, properties: { v: %s } } } } } } } }\ncomponents: %s\n"
                .formatted(schema, components);
    OpenApiTools<OpenApiTool> tools = of(version, document, OpenApiSettings.PLAIN);
    assertThat(tools.leftOut()).isEmpty();
    return tools.made().getFirst().parameters().tree().path("properties").path("v");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ type: string, nullable: true } | {\"type\":[\"string\",\"null\"]}",
        "{ type: string, nullable: true, enum: [a, b] } |"
            + " {\"enum\":[\"a\",\"b\",null],\"type\":[\"string\",\"null\"]}",
        "{ type: integer, minimum: 3, exclusiveMinimum: true } |"
            + " {\"type\":\"integer\",\"exclusiveMinimum\":3}",
        "{ type: integer, maximum: 3, exclusiveMaximum: false } |"
            + " {\"type\":\"integer\",\"maximum\":3}",
        "{ exclusiveMaximum: 4 } | {\"exclusiveMaximum\":4}",
        "{ $ref: '#/components/schemas/T', nullable: true } |"
            + " {\"anyOf\":[{\"$ref\":\"#/$defs/T\"},{\"type\":\"null\"}]}",
        "{ oneOf: [{ type: string }, { type: integer }], discriminator: { propertyName: t } } |"
            + " {\"anyOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}",
        "{ type: string, enum: [1, true, a, 1] } |"
            + " {\"type\":\"string\",\"enum\":[\"1\",\"true\",\"a\"]}",
        "{ type: string, pattern: '^(?=x)', example: y, x-own: 1, xml: {} } |"
            + " {\"type\":\"string\",\"pattern\":\"^(?=x)\"}",
        "{ type: string, pattern: '^x$', format: date } |"
            + " {\"pattern\":\"^x$\",\"format\":\"date\",\"type\":\"string\"}",
        "{ type: object, required: [a, b, c], properties: { a: { readOnly: true }, b: { writeOnly:"
            + " true } } } |"
            + " {\"properties\":{\"b\":{\"writeOnly\":true},\"c\":{}},\"required\":[\"b\",\"c\"],\"type\":\"object\"}",
        "{ allOf: [{ $ref: '#/components/schemas/R' }, { type: object, required: [id, n] }] } |"
            + " {\"allOf\":[{\"$ref\":\"#/$defs/R\"},{\"required\":[\"n\"],\"type\":\"object\"}]}",
        "{ type: array, items: { $ref: '#/components/schemas/T' } } |"
            + " {\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/T\"}}",
        "{ type: object, additionalProperties: { type: integer } } |"
            + " {\"additionalProperties\":{\"type\":\"integer\"},\"type\":\"object\"}",
        "{ not: { type: string }, description: ' Words ' } |"
            + " {\"not\":{\"type\":\"string\"},\"description\":\"Words\"}",
      })
  void schemasAreBroughtTo2020(String stated, String converted) {
    assertThat(
            body(
                "3.0.3",
                stated,
                "{ schemas: { T: { type: string }, R: { type: object, properties: { id: { readOnly:"
                    + " true }, n: {} } } } }"))
        .isEqualTo(Json.text(converted).tree());
  }

  @Test
  void keywordsOf31Stay() {
    assertThat(
            body(
                "3.1.0",
                "{ type: [string, 'null'], const: a, prefixItems: [true], if: {}, then: {"
                    + " minLength: 1 } }",
                "{}"))
        .isEqualTo(
            Json.text(
                    "{\"const\":\"a\",\"prefixItems\":[true],\"if\":{},\"then\":{\"minLength\":1},\"type\":[\"string\",\"null\"]}")
                .tree());
  }

  @Test
  void recursionStaysAndUnusedDefinitionsDoNot() {
    assertThat(
            parameters(
                "{ requestBody: { required: true, content: { application/json: { schema: { $ref:"
                    + " '#/components/schemas/Node' } } } } }",
                "{ schemas: { Other: {}, Node: { type: object, required: [next], properties: {"
                    + " next: { $ref: '#/components/schemas/Node' } } } } }"))
        .isEqualTo(
            Json.text(
                    "{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/$defs/Node\"}},\"required\":[\"next\"],\"additionalProperties\":false,"
                        + "\"$defs\":{\"Node\":{\"properties\":{\"next\":{\"$ref\":\"#/$defs/Node\"}},\"required\":[\"next\"],\"type\":\"object\"}}}")
                .tree());
  }

  @Test
  void aBodyOfSeveralPartsIsOneObject() {
    assertThat(
            parameters(
                "{ requestBody: { required: true, content: { application/json: { schema: { allOf:"
                    + " [{ $ref: '#/components/schemas/Base' }, { required: [b], properties: { b: {"
                    + " type: integer } } }] } } } } }",
                "{ schemas: { Base: { required: [id, a], properties: { id: { readOnly: true }, a: {"
                    + " type: string } } } } }"))
        .isEqualTo(
            Json.text(
                    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"integer\"}},\"required\":[\"a\",\"b\"],\"additionalProperties\":false}")
                .tree());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a list | required: true | { type: array, items: {} } | [\"body\"]",
        "a choice | required: true | { anyOf: [{ properties: { a: {} } }, { properties: { b: {} }"
            + " }] } | [\"body\"]",
        "one with a parameter's name | required: true | { properties: { q: {}, a: {} } } |"
            + " [\"q\",\"body\"]",
        "one that may be missing | required: false | { required: [a], properties: { a: {} } } |"
            + " [\"q\"]",
        "a plain one | required: true | { required: [a], properties: { a: {}, b: {} } } |"
            + " [\"q\",\"a\"]",
      })
  void aBodyStandsAloneWhereItIsMoreThanItsMembers(
      String what, String needed, String schema, String required) {
    String query = required.contains("q") ? "{ name: q, in: query, required: true }" : "";
    JsonNode parameters =
        parameters(
            "{ parameters: [%s], requestBody: { %s, content: { application/json: { schema: %s } } } }"
                .formatted(query, needed, schema),
            "{}");
    assertThat(parameters.path("required")).as(what).hasToString(required);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{ requestBody: { content: { multipart/form-data: {} } } } | has a body of"
            + " multipart/form-data: JSON, forms and texts can be sent",
        "{ requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: array } }"
            + " } } } | has a form whose fields are not the members of a plain object",
        "{ requestBody: { $ref: 'other.yaml#/Pet' } } | refers to 'other.yaml#/Pet', which is"
            + " outside of the document: bundle it first",
        "{ requestBody: { $ref: '#/components/x' } } | refers to '#/components/x', which is not in"
            + " the document",
        "{ requestBody: { $ref: '#/components/schemas/Loop' } } | has references that lead in a"
            + " circle",
        "{ parameters: [{ name: q, in: querystring, content: { a/b: {} } }] } | has the parameter"
            + " 'q' in the querystring as a/b",
        "{ parameters: [{ name: q, in: header, content: { application/json: {} } }] } | has the"
            + " parameter 'q' in the header as application/json",
        "{ parameters: [{ name: q, in: query, style: own }] } | has the parameter 'q' in 'query' of"
            + " style 'own', which is not known here",
        "{ security: [{ k: [] }, { o: [], k: [] }] } | asks for auth.k (apiKey query), or for"
            + " auth.o (oauth2)",
        "{ security: [{ missing: [] }] } | asks for auth.missing (not defined)",
        "{ servers: [{ url: '/relative' }] } | has no server with a host: state base_url",
        "{ servers: [{ url: 'https://{region}.example.com' }] } | has a server with the variable"
            + " 'region': state it in variables",
        "{ servers: [{ url: 'https://a.example/?q=1' }] } | has a server with a query or a"
            + " fragment",
      })
  void whatIsNotAToolHasAReason(String operation, String reason) {
    OpenApiTools<OpenApiTool> tools =
        operation(
            operation,
            "{ schemas: { Loop: { $ref: '#/components/schemas/Loop' } }, securitySchemes: { k: {"
                + " type: apiKey, in: query, name: k }, o: { type: oauth2 } } }");
    assertThat(tools.made()).isEmpty();
    assertThat(tools.leftOut().get("POST /a")).contains(reason);
  }

  @Test
  void whatIsLostOfADocumentIsNamed() {
    OpenApiTools<OpenApiTool> tools =
        of(
            "3.1.0",
            """
            paths:
              pets: { get: {} }
              x-own: { get: {} }
              /a: { get: { requestBody: { content: { application/json: {} } } } }
              /b: { get: { requestBody: { content: {} } } }
            """,
            OpenApiSettings.PLAIN);
    assertThat(tools.made()).hasSize(2);
    assertThat(tools.leftOut())
        .containsExactly(Map.entry("pets", "is at a path that does not begin with '/'"));
    assertThat(tools.lost())
        .containsExactly(
            Map.entry("GET /a", "may have a body, which a request to read does not send"));
  }

  @Test
  void pathsThatCannotBeReadAreNamedToo() {
    OpenApiTools<OpenApiTool> tools =
        of(
            "3.2.0",
            """
            paths:
              /far: { $ref: "https://elsewhere.example/x" }
              /a/{id}: { get: {} }
              "/a}b": { get: {} }
              /trace: { trace: {} }
              /more: { additionalOperations: { LINK: {} }, query: { requestBody: { content: { text/plain: {} } } } }
            """,
            OpenApiSettings.PLAIN);
    assertThat(tools.leftOut())
        .containsOnlyKeys("/far", "GET /a/{id}", "GET /a}b", "TRACE /trace", "LINK /more");
    assertThat(tools.leftOut().get("GET /a/{id}"))
        .isEqualTo("has '{id}' in its path, which no parameter describes");
    assertThat(tools.made().getFirst().name()).isEqualTo("query_more");
  }

  @Test
  void namesAreValidUniqueAndShort() {
    String longest = "x".repeat(200);
    OpenApiTools<OpenApiTool> tools =
        of(
            "3.0.0",
            """
            paths:
              /a: { get: { operationId: "repos/list-for org" }, put: { operationId: "repos/list-for:org" } }
              /b: { get: { operationId: end_call }, put: { operationId: "%s" }, post: { operationId: "%s" } }
              /c/{id}/d.json: { get: { parameters: [{ name: id, in: path }] }, delete: { operationId: "ä/" , parameters: [{ name: id, in: path }] } }
              /: { get: {} }
            """
                .formatted(longest, longest),
            OpenApiSettings.PLAIN);
    assertThat(tools.leftOut()).isEmpty();
    List<String> names = tools.made().stream().map(OpenApiTool::name).toList();
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[A-Za-z0-9_-]{1,64}"));
    assertThat(names.getFirst()).isEqualTo("repos_list-for_org");
    assertThat(names).contains("get_c_id_d_json", "get").doesNotContain("end_call");
    assertThat(names.get(1)).matches("repos_list-for_org_[0-9a-f]{6}");
  }

  @Test
  void aNameDoesNotDependOnWhatElseIsWanted() {
    String paths = "paths: { /a: { get: { operationId: x } }, /b: { get: { operationId: x } } }\n";
    OpenApiSettings second =
        new OpenApiSettings(
            List.of("GET /b"),
            List.of(),
            List.of(),
            "",
            null,
            null,
            Map.of(),
            Map.of(),
            Map.of(),
            null);
    String name = of("3.0.0", paths, OpenApiSettings.PLAIN).made().getLast().name();
    assertThat(of("3.0.0", paths, second).made())
        .singleElement()
        .satisfies(tool -> assertThat(tool.name()).isEqualTo(name));
  }

  @Test
  void whatAModelReadsShowsWhatIsHidden() {
    OpenApiTool tool =
        operation(
                "{ summary: \"Buy\\u202e\", description: \"%s\" }".formatted("y".repeat(5000)),
                "{}")
            .made()
            .getFirst();
    assertThat(tool.description()).startsWith("Buy\\u202e\nyyy").endsWith("...").hasSize(1003);
  }

  @Test
  void aDocumentMaySayThatAnOperationDoesMoreHarm() {
    assertThat(operation("{ x-openai-isConsequential: true }", "{}").made().getFirst().mode())
        .hasToString("DESTRUCTIVE");
    assertThat(operation("{ x-destructive: false }", "{}").made().getFirst().mode()).isNull();
  }
}
