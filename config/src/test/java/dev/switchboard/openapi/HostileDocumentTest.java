package dev.switchboard.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Documents that are made to take time, memory or stack.
final class HostileDocumentTest {
  private static final String TOP =
      "openapi: 3.0.3\nservers: [{ url: 'https://api.example.com' }]\n";

  private static OpenApiTools<OpenApiTool> of(String text) {
    return Operations.of(OpenApiDocument.read(text), OpenApiSettings.PLAIN);
  }

  private static String schema(String schemas) {
    return TOP
        + "paths: { /a: { post: { requestBody: { content: { application/json: { schema: {"
        + " properties: { v: { $ref: '#/components/schemas/S0' } } } } } } } } }\n"
        + "components: { schemas: { "
        + schemas
        + " } }";
  }

  private static String many(int count, String each, String between) {
    return IntStream.range(0, count)
        .mapToObj(i -> each.replace("$i", "" + i).replace("$n", "" + (i + 1)))
        .collect(Collectors.joining(between));
  }

  @Test
  void aliasesOfAliasesAreCounted() {
    String bomb =
        "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
            + many(
                8, "a$n: &a$n [*a$i, *a$i, *a$i, *a$i, *a$i, *a$i, *a$i, *a$i, *a$i, *a$i]\n", "");
    assertThatThrownBy(() -> of(bomb + TOP))
        .hasMessage("has more than 2000000 values, with those that aliases repeat");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "a: &a [*a] | has a YAML alias of something around or below it: '*a'",
        "a: *b | has a YAML alias of something around or below it: '*b'",
        "a: 1~a: 2 | names 'a' twice in one YAML mapping",
        "{\"a\": 1, \"a\": 2} | is not JSON",
        "? [a]~: b | has a YAML key that is not a text",
        "a: \"\\ud800\" | has half a surrogate pair",
        "a: b~---~a: b | holds several YAML documents",
        "^^ | is empty",
        "a: !!binary x | is not an OpenAPI document",
        "a: @x | is neither JSON nor YAML",
      })
  void brokenTextsAreRefused(String text, String words) {
    assertThatThrownBy(() -> of(text.replace('~', '\n'))).hasMessageContaining(words);
  }

  @Test
  void depthIsBoundedInBothNotations() {
    assertThatThrownBy(() -> of("a: " + "[".repeat(100_000)))
        .hasMessageContaining("deeper than 200");
    assertThatThrownBy(() -> of("a: " + "{a: ".repeat(100_000)))
        .hasMessageContaining("deeper than 200");
    assertThatThrownBy(() -> of(many(100_000, "- ", ""))).hasMessageContaining("deeper than 200");
    assertThatThrownBy(() -> of("{\"a\":" + "[".repeat(100_000)))
        .hasMessageContaining("deeper than 200");
  }

  @Test
  void numbersAndKeysOfAnyLengthAreRead() {
    assertThatThrownBy(() -> of("a: " + "9".repeat(200_000))).hasMessageContaining("number");
    assertThatThrownBy(() -> of("a: 1." + "9".repeat(200_000))).hasMessageContaining("number");
    assertThatThrownBy(() -> of("k".repeat(200_000) + ": 1")).hasMessageContaining("is ne");
  }

  @Test
  void aSchemaThatRepeatsItselfIsOneDefinition() {
    String doubling =
        many(
            60,
            "S$i: { properties: { a: { $ref: '#/components/schemas/S$n' }, b: { $ref:"
                + " '#/components/schemas/S$n' } } }",
            ", ");
    assertThat(of(schema(doubling + ", S60: {}")).made()).hasSize(1);
    String parts =
        many(
            60,
            "S$i: { allOf: [{ $ref: '#/components/schemas/S$n' }, { $ref:"
                + " '#/components/schemas/S$n' }] }",
            ", ");
    assertThat(of(schema(parts + ", S60: {}")).made()).hasSize(1);
    // One that applies itself to itself is left to the service.
    assertThat(of(schema("S0: { allOf: [{ $ref: '#/components/schemas/S0' }] }")).made())
        .hasSize(1);
  }

  @Test
  void aLongChainIsNeitherDeepNorSlow() {
    String chain = many(8_000, "S$i: { allOf: [{ $ref: '#/components/schemas/S$n' }] }", ", ");
    assertThat(of(schema(chain + ", S8000: {}")).leftOut().get("POST /a"))
        .isEqualTo("its schema has more than 200000 characters");
  }

  @Test
  void oneLargeSchemaIsNotMadeForEachOperation() {
    String large = "S0: { enum: [" + many(20_000, "'value $i'", ", ") + "] }";
    String paths =
        many(
            3_000,
            "/p$i: { post: { requestBody: { content: { application/json: { schema: { properties: {"
                + " v: { $ref: '#/components/schemas/S0' } } } } } } } }",
            ", ");
    OpenApiTools<OpenApiTool> tools =
        of(TOP + "paths: { " + paths + " }\ncomponents: { schemas: { " + large + " } }");
    assertThat(tools.made()).isEmpty();
    assertThat(tools.leftOut()).hasSize(3_000);
  }

  @Test
  void theSchemasOfAllToolsHaveABoundTogether() {
    String large = "S0: { enum: [" + many(14_000, "'v $i'", ", ") + "] }";
    String paths =
        many(
            1_500,
            "/p$i: { post: { requestBody: { content: { application/json: { schema: { properties: {"
                + " v: { $ref: '#/components/schemas/S0' } } } } } } } }",
            ", ");
    OpenApiTools<OpenApiTool> tools =
        of(TOP + "paths: { " + paths + " }\ncomponents: { schemas: { " + large + " } }");
    assertThat(tools.made().size()).isBetween(20, 500);
    assertThat(tools.leftOut().values())
        .containsOnly("comes after schemas that are too large together");
  }

  @Test
  @Tag("slow")
  void aPartThatManyPathsShareIsNotReadForever() {
    String body = "{ post: { requestBody: { content: { application/json: { schema: $s } } } } }";
    for (String schema :
        new String[] {
          "{ properties: { " + many(20_000, "p$i: {}", ", ") + " } }",
          "{ properties: { p: { enum: [" + many(20_000, "$i", ", ") + "] } } }",
          "{ properties: { p: { default: [" + many(20_000, "$i", ", ") + "] } } }",
          "{ anyOf: [" + many(20_000, "{}", ", ") + "] }",
          "{ allOf: [" + many(20_000, "{}", ", ") + "] }",
        }) {
      String item = "components: { pathItems: { Big: " + body.replace("$s", schema) + " } }";
      String paths = many(2_000, "/p$i: { $ref: '#/components/pathItems/Big' }", ", ");
      OpenApiTools<OpenApiTool> tools = of(TOP + "paths: { " + paths + " }\n" + item);
      assertThat(tools.made().size()).isLessThan(200);
      assertThat(tools.leftOut().size()).isGreaterThan(1_800);
    }
    String parameters =
        "components: { pathItems: { Big: { get: {}, parameters: ["
            + many(20_000, "{ name: p$i, in: query }", ", ")
            + "] } } }";
    String paths = many(2_000, "/p$i: { $ref: '#/components/pathItems/Big' }", ", ");
    assertThat(of(TOP + "paths: { " + paths + " }\n" + parameters).leftOut().values())
        .containsOnly("has more than 500 parameters");
  }

  @Test
  void operationsHaveABound() {
    assertThatThrownBy(() -> of(TOP + "paths: { " + many(10_001, "/p$i: { get: {} }", ", ") + " }"))
        .hasMessage("has more than 10000 operations");
  }

  @Test
  void patternsCostLinearTimeOrAreLeftOut() {
    OpenApiTools<OpenApiTool> tools =
        of(
            schema(
                "S0: { type: string, pattern: '^(a+)+$' }, S1: { pattern: '"
                    + "(a{1000}){1000}"
                    + "' }"));
    assertThat(tools.made()).hasSize(1);
  }

  @Tag("slow")
  @Test
  void largePatternsAreNotCompiledForever() {
    String heavy = many(15, "p$i: { pattern: '" + "a{900}".repeat(20) + "$i' }", ", ");
    String shared = "S0: { properties: { " + heavy + " } }";
    String paths =
        many(
            10_000,
            "/p$i: { post: { requestBody: { content: { application/json: { schema: { properties: {"
                + " v: { $ref: '#/components/schemas/S0' } } } } } } } }",
            ", ");
    assertThat(
            of(TOP + "paths: { " + paths + " }\ncomponents: { schemas: { " + shared + " } }")
                .made())
        .hasSizeLessThan(10);
    String different = many(50_000, "p$i: { pattern: '" + "a{900}".repeat(20) + "$i' }", ", ");
    assertThat(of(schema("S0: { properties: { " + different + " } }")).made()).isEmpty();
  }

  @Test
  void wordsOfEveryWrongTypeDoNotCrash() {
    for (String wrong :
        new String[] {"null", "[]", "{}", "1", "x", "true", "[[]]", "{ a: { b: c } }"}) {
      for (String word :
          new String[] {
            "paths: $w",
            "paths: { /a: $w }",
            "paths: { /a: { get: $w } }",
            "paths: { /a: { parameters: $w, get: {} } }",
            "paths: { /a: { get: { parameters: [$w] } } }",
            "paths: { /a: { get: { requestBody: $w } } }",
            "paths: { /a: { get: { requestBody: { content: $w } } } }",
            "paths: { /a: { get: { operationId: $w, summary: $w, tags: $w, security: $w, responses:"
                + " $w } } }",
            "paths: { /a: { get: { requestBody: { content: { application/json: $w } } } } }",
            "paths: { /a: { get: { requestBody: { content: { application/json: { schema: $w } } } }"
                + " } }",
            "paths: { /a: { get: { parameters: [{ name: q, in: query, schema: { properties: $w,"
                + " required: $w, allOf: $w, enum: $w, type: $w, oneOf: $w } }] } } }",
            "paths: { /a: { get: { parameters: [{ name: $w, in: $w, style: $w, content: $w }] } }"
                + " }",
            "paths: { /a: { get: { servers: $w } } }",
            "paths: { /a: { get: { servers: [$w], security: [$w] } } }",
            "components: $w",
            "x: { $ref: $w }",
          }) {
        OpenApiTools<OpenApiTool> tools =
            of(
                "openapi: 3.1.0\nservers: [{ url: 'https://api.example.com' }]\n"
                    + word.replace("$w", wrong));
        assertThat(tools.made().size() + tools.leftOut().size()).as(word + wrong).isBetween(0, 2);
      }
    }
  }

  @Test
  void serversAndCredentialsAreNotPlacesOfArguments() {
    OpenApiDocument document =
        OpenApiDocument.read(
            """
            openapi: 3.0.0
            servers: [{ url: "https://{host}.example.com", variables: { host: { default: "{id}" } } }]
            security: [{ k: [] }]
            components: { securitySchemes: { k: { type: apiKey, in: query, name: key } } }
            paths: { "/{id}": { get: { parameters: [{ name: id, in: path }, { name: key, in: query }, { name: Authorization, in: header }] } } }
            """);
    OpenApiTools<OpenApiTool> tools =
        Operations.of(document, OpenApiSettings.PLAIN.withAuth(Map.of("k", "a{id}b&x=1")));
    assertThat(tools.made().getFirst().parameters().text())
        .doesNotContain("key", "Authorization", "host");
    assertThatThrownBy(() -> tools.made().getFirst().endpoint().build())
        .hasMessage("the host of a URL cannot be an argument");
  }
}
