package dev.switchboard.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Documents whose schemas, names and paths are not as ours would be.
class ForeignDocumentTest {
  private static List<OpenApiTool> tools(String version, String rest) {
    OpenApiTools<OpenApiTool> tools =
        Operations.of(
            OpenApiDocument.read(
                "openapi: %s\nservers: [{ url: \"https://api.example.com/v1\" }]\n%s\n"
                    .formatted(version, rest)),
            OpenApiSettings.PLAIN);
    assertThat(tools.leftOut()).isEmpty();
    return tools.made();
  }

  private static OpenApiTool post(String schema, String required, String components) {
    return tools(
            "3.1.0",
            "paths: { /a: { post: { requestBody: { %s content: { application/json: { schema: %s } } } } } }\ncomponents: %s"
                .formatted(required, schema, components))
        .getFirst();
  }

  private static boolean accepts(OpenApiTool tool, String arguments) {
    return ParameterSchema.foreign(tool.name(), tool.parameters())
            .check(Json.text(arguments.replace('\'', '"')))
        instanceof Checked.Accepted;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{ type: string, pattern: '(?!a)', maxLength: 2 } | 'ab' | 'abc'",
        "{ type: text, maxLength: 2 } | 'ab' | 'abc'",
        "{ $ref: 'https://elsewhere.example/x.yaml', maxLength: 2 } | 'ab' | 'abc'",
        "{ $ref: '#/components/schemas/None', maxLength: 2 } | 'ab' | 'abc'",
        "{ $dynamicRef: '#node', maxLength: 2 } | 'ab' | 'abc'",
        "{ allOf: [{ $ref: 'other.yaml#/A' }], maxLength: 2 } | 'ab' | 'abc'",
        "{ type: array, items: [{ type: number }] } | [1] | ['a']",
        "{ minLength: a, maxLength: 2 } | 'ab' | 'abc'",
      })
  void aSchemaNeverCostsItsTool(String schema, String good, String bad) {
    OpenApiTool tool =
        post("{ type: object, properties: { v: " + schema + " } }", "required: true,", "{}");
    assertThat(accepts(tool, "{'v':" + good + "}")).as(good).isTrue();
    assertThat(accepts(tool, "{'v':" + bad + "}")).as(bad).isFalse();
  }

  @Test
  void aBodyThatMayBeMissingIsNotRequired() {
    String schema =
        "{ type: object, required: [a], properties: { a: { type: string }, b: { type: string } } }";
    for (String stated : List.of("", "required: false,")) {
      OpenApiTool tool = post(schema, stated, "{}");
      assertThat(accepts(tool, "{}")).isTrue();
      assertThat(accepts(tool, "{'a':'x'}")).isTrue();
      assertThat(accepts(tool, "{'b':'x'}")).as("a body without its required member").isFalse();
    }
    assertThat(accepts(post(schema, "required: true,", "{}"), "{}")).isFalse();
  }

  @Test
  void aFormThatMayBeMissingRequiresItsFieldsOnlyTogether() {
    OpenApiTool tool =
        tools(
                "3.0.3",
                "paths: { /a: { post: { requestBody: { content: {"
                    + " application/x-www-form-urlencoded: { schema: { type: object, required: [a,"
                    + " b], properties: { a: {}, b: {}, c: {} } } } } } } } }")
            .getFirst();
    assertThat(accepts(tool, "{}")).isTrue();
    assertThat(accepts(tool, "{'a':1,'b':2}")).isTrue();
    assertThat(accepts(tool, "{'c':1}")).isFalse();
    assertThat(accepts(tool, "{'a':1}")).isFalse();
  }

  private static final String PETS =
      "{ schemas: { Cat: { type: object, required: [kind], properties: { kind: { type: string },"
          + " lives: { type: integer } } }, Dog: { type: object, properties: { kind: { type: string"
          + " }, bark: { type: string } } }, Kitten: { allOf: [{ $ref: '#/components/schemas/Base'"
          + " }] }, Base: { type: object, properties: { kind: { type: string } }, discriminator: {"
          + " propertyName: kind, mapping: { c: '#/components/schemas/Cat' } } } } }";

  @Test
  void theValuesOfADiscriminatorAreToldAndChecked() {
    OpenApiTool tool =
        post(
            "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],"
                + " discriminator: { propertyName: kind, mapping: { cat:"
                + " '#/components/schemas/Cat', tom: Cat, dog: '#/components/schemas/Dog' } } }",
            "required: true,",
            PETS);
    assertThat(tool.parameters().text()).contains("[\"cat\",\"tom\"]", "[\"dog\"]");
    assertThat(accepts(tool, "{'body':{'kind':'tom','lives':9}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'kind':'dog'}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'kind':'bird'}}")).isFalse();
    assertThat(accepts(tool, "{'body':{'bark':'loud'}}")).isFalse();
    assertThat(accepts(tool, "{'body':{'kind':'cat','lives':'nine'}}")).isFalse();
  }

  @Test
  void theValuesOfASchemaThatOthersExtendStandAtItsMember() {
    OpenApiTool tool = post("{ $ref: '#/components/schemas/Base' }", "required: true,", PETS);
    assertThat(accepts(tool, "{'body':{'kind':'c'}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'kind':'Kitten'}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'kind':'bird'}}")).isFalse();
    OpenApiTool inner =
        post(
            "{ type: object, properties: { pet: { $ref: '#/components/schemas/Base' } } }",
            "required: true,",
            PETS);
    assertThat(accepts(inner, "{'pet':{'kind':'c'}}")).isTrue();
    assertThat(accepts(inner, "{'pet':{'kind':'bird'}}")).isFalse();
  }

  @Test
  void withoutAMappingTheValuesAreTheNamesOfTheSchemas() {
    OpenApiTool tool =
        post(
            "{ type: object, properties: { pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, {"
                + " $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind } } }"
                + " }",
            "required: true,",
            PETS);
    assertThat(accepts(tool, "{'pet':{'kind':'Cat','lives':9}}")).isTrue();
    assertThat(accepts(tool, "{'pet':{'kind':'Dog'}}")).isTrue();
    assertThat(accepts(tool, "{'pet':{'kind':'cat'}}")).isFalse();
    assertThat(accepts(tool, "{'pet':{'kind':'Dog','bark':7}}")).isFalse();
  }

  private static final String SHAPES =
      "{ schemas: { Shape: { type: object, required: [t], properties: { t: { type: string } },"
          + " discriminator: { propertyName: t } }, Circle: { allOf: [{ $ref:"
          + " '#/components/schemas/Shape' }, { type: object, required: [r], properties: { r: {"
          + " type: number } } }] }, Ring: { allOf: [{ $ref: '#/components/schemas/Circle' }, {"
          + " type: object, required: [hole], properties: { hole: { type: number } } }] }, Line: {"
          + " allOf: [{ $ref: '#/components/schemas/Shape' }] } } }";

  @Test
  void theSchemasThatExtendABaseAreOfferedInsteadOfIt() {
    OpenApiTool tool = post("{ $ref: '#/components/schemas/Shape' }", "required: true,", SHAPES);
    assertThat(accepts(tool, "{'body':{'t':'Circle','r':1}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'t':'Circle'}}")).isFalse();
    assertThat(accepts(tool, "{'body':{'t':'Ring','r':2,'hole':1}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'t':'Ring','r':2}}")).isFalse();
    assertThat(accepts(tool, "{'body':{'t':'Line'}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'t':'Shape'}}")).isTrue();
    assertThat(accepts(tool, "{'body':{'t':'Square'}}")).isFalse();

    OpenApiTool list =
        post(
            "{ type: object, properties: { all: { type: array, items: { $ref:"
                + " '#/components/schemas/Shape' } }, one: { description: d, allOf: [{ $ref:"
                + " '#/components/schemas/Shape' }] } } }",
            "required: true,",
            SHAPES);
    assertThat(accepts(list, "{'all':[{'t':'Circle','r':1},{'t':'Line'}]}")).isTrue();
    assertThat(accepts(list, "{'all':[{'t':'Circle'}]}")).isFalse();
    assertThat(accepts(list, "{'one':{'t':'Circle','r':1}}")).isTrue();
    assertThat(accepts(list, "{'one':{'t':'Circle'}}")).isFalse();
  }

  @Test
  void aSchemaThatExtendsABaseIsOfferedAlone() {
    OpenApiTool tool = post("{ $ref: '#/components/schemas/Line' }", "required: true,", SHAPES);
    assertThat(accepts(tool, "{'t':'Line'}")).isTrue();
  }

  @Test
  void aBaseThatExtendsItselfIsRead() {
    OpenApiTool tool =
        post(
            "{ $ref: '#/components/schemas/A' }",
            "required: true,",
            "{ schemas: { A: { type: object, properties: { k: { type: string } }, discriminator: {"
                + " propertyName: k }, allOf: [{ $ref: '#/components/schemas/B' }] }, B: { allOf:"
                + " [{ $ref: '#/components/schemas/A' }] } } }");
    assertThat(tool.parameters().text()).contains("\"k\"");
  }

  @Test
  void valuesThatTheAlternativeItselfRefusesAreNotAdded() {
    OpenApiTool tool =
        post(
            "{ oneOf: [{ $ref: '#/components/schemas/A' }], discriminator: { propertyName: k,"
                + " mapping: { x: '#/components/schemas/A' } } }",
            "required: true,",
            "{ schemas: { A: { type: object, properties: { k: { enum: [a] } } } } }");
    assertThat(accepts(tool, "{'body':{'k':'a'}}")).isTrue();
  }

  @Test
  void namesInOtherScriptsAreTold() {
    OpenApiTool tool =
        tools(
                "3.1.0",
                """
                paths:
                  /q:
                    get:
                      operationId: 予約
                      description: Finds bookings.
                      parameters:
                        - {name: 時刻, in: query, description: When., schema: {type: string}}
                        - {name: 人数, in: query, schema: {type: integer}}
                        - {name: größe, in: query, schema: {type: integer}}
                        - {name: plain, in: query, schema: {type: integer}}
                """)
            .getFirst();
    assertThat(tool.description()).isEqualTo("Finds bookings.\nOriginal name: 予約");
    JsonNode properties = tool.parameters().tree().path("properties");
    assertThat(properties.propertyNames()).containsExactly("query", "query_query", "gr_e", "plain");
    assertThat(properties.at("/query/description").asString())
        .isEqualTo("When.\nOriginal name: 時刻");
    assertThat(properties.at("/query_query/description").asString()).isEqualTo("Original name: 人数");
    assertThat(properties.at("/gr_e/description").asString()).isEqualTo("Original name: größe");
    assertThat(properties.path("plain").has("description")).isFalse();
  }

  @Test
  void whatIsToldOfANameIsOneShortLine() {
    OpenApiTool tool =
        tools(
                "3.1.0",
                "paths: { /q: { get: { description: d, operationId: \"%s\" } } }"
                    .formatted("ä\\n\\u202e\\u0000" + "😀".repeat(300)))
            .getFirst();
    String line = tool.description().substring("d\n".length());
    assertThat(line)
        .startsWith("Original name: ä\\n\\u202e\\u0000😀")
        .hasSizeLessThanOrEqualTo(200);
    assertThat(line.codePoints().noneMatch(c -> c < ' ' || c >= 0xd800 && c < 0xe000)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/r/{日付}/ä b", "/r/{user id}/%41%zz", "/r/{x}/(a),;='*"})
  void pathsArePercentEncoded(String path) {
    String name = path.substring(path.indexOf('{') + 1, path.indexOf('}'));
    OpenApiTool tool =
        tools(
                "3.1.0",
                "paths: { \"%s\": { get: { parameters: [{ name: \"%s\", in: path, required: true }] } } }"
                    .formatted(path, name))
            .getFirst();
    String url = tool.endpoint().build().inPath().isEmpty() ? "" : tool.endpoint().table().text();
    assertThat(url)
        .contains(
            switch (name) {
              case "日付" -> "/r/{path}/%C3%A4%20b";
              case "x" -> "/r/{x}/(a),;='*";
              default -> "/r/{user_id}/%41%25zz";
            });
  }
}
