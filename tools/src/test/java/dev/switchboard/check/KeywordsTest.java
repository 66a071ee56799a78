package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeywordsTest {
  private static ParameterSchema schema(String rest) {
    return ParameterSchema.parse(
        "x",
        Json.text(
            "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}," + rest + "}"),
        false);
  }

  private static List<Fault> faults(ParameterSchema schema, String text) {
    return schema.check(Json.text(text)) instanceof Checked.Refused refused
        ? refused.faults()
        : List.of();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "\"not\":{\"required\":[\"a\"]} | {\"b\":1} | {\"a\":1}",
        "\"if\":{\"required\":[\"a\"]},\"then\":{\"required\":[\"b\"]} | {\"a\":1,\"b\":2} |"
            + " {\"a\":1}",
        "\"patternProperties\":{\"^s_\":{\"type\":\"string\"}},\"additionalProperties\":false |"
            + " {\"s_a\":\"b\",\"n\":1e2} | {\"s_a\":1}",
        "\"dependentRequired\":{\"a\":[\"b\"]} | {\"a\":1,\"b\":2} | {\"a\":1}",
        "\"propertyNames\":{\"maxLength\":2} | {\"ab\":1} | {\"abc\":1}",
        "\"allOf\":[{\"properties\":{\"a\":{}}}],\"unevaluatedProperties\":false |"
            + " {\"a\":1,\"n\":1e30} | {\"b\":1}",
        "\"dependencies\":{\"a\":[\"b\"]} | {\"a\":1,\"b\":2} | {\"a\":1}",
        "\"dependencies\":{\"a\":{\"required\":[\"c\"]}} | {\"a\":1,\"c\":2} | {\"a\":1}",
        "\"dependentSchemas\":{\"a\":{\"properties\":{\"n\":{\"minimum\":5}}}} | {\"a\":1,\"n\":5}"
            + " | {\"a\":1,\"n\":4}",
        "\"minProperties\":2 | {\"a\":1,\"b\":2} | {\"a\":1}",
        "\"propertyNames\":{\"pattern\":\"^[^\\\\s]+$\"} | {\"ab\":1} | {\"a b\":1}"
      })
  void checksConditionsAndWhatMembersAskOfEachOther(String rest, String good, String bad) {
    ParameterSchema schema = schema(rest);
    assertThat(faults(schema, good)).isEmpty();
    assertThat(faults(schema, bad)).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "email | \"joe bloggs\"@example.com | joe bloggs@example.com",
        "email | joe@[127.0.0.1] | joe@[127.0.0.300]",
        "uri | http://example.com:80/path | http://example.com:abc/path",
        "uri | http://[::ffff:1.2.3.4] | http://[::ffff:01.2.3.4]",
        "uri | http://exa_mple.com | http://exa mple.com"
      })
  void readsFormatsAsTheirStandardsDo(String format, String good, String bad) {
    ParameterSchema schema =
        schema("\"additionalProperties\":{\"format\":\"%s\"}".formatted(format));
    assertThat(faults(schema, Json.of(Map.of("v", good)).text())).isEmpty();
    assertThat(faults(schema, Json.of(Map.of("v", bad)).text())).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "{\"contains\":{\"type\":\"string\"}} | [1,\"a\"] | [1,2]",
        "{\"contains\":{\"minimum\":3},\"minContains\":2,\"maxContains\":2} | [3,4,1] | [3,4,5]",
        "{\"prefixItems\":[{}],\"unevaluatedItems\":false} | [1] | [1,2]",
        "{\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]} | {\"b\":1} | {}",
        "{\"if\":{\"minimum\":5},\"then\":{\"multipleOf\":5},\"else\":{\"maximum\":2}} | 10 | 4"
      })
  void checksWhatStandsInAMember(String schema, String good, String bad) {
    ParameterSchema of = schema("\"additionalProperties\":" + schema);
    assertThat(faults(of, "{\"v\":" + good + "}")).isEmpty();
    assertThat(faults(of, "{\"v\":" + bad + "}")).isNotEmpty();
  }

  @Test
  void namesPlacesAsForAnyOtherSchema() {
    ParameterSchema schema =
        schema(
            "\"required\":[\"n\"],\"not\":{\"required\":[\"q\"]},\"additionalProperties\":false");
    assertThat(faults(schema, "{\"n\":\"4\"}"))
        .containsExactly(new Fault("/n", "integer", "string \"4\""));
    assertThat(faults(schema, "{\"z/z\":1}"))
        .containsExactlyInAnyOrder(
            new Fault("/n", "integer", "missing"),
            new Fault("/z~1z", "no such property", "number 1"));
  }

  @Test
  void keepsToTheRulesOfAllJson() {
    ParameterSchema schema = schema("\"not\":{\"required\":[\"q\"]}");
    assertThat(faults(schema, "{\"a\":1,\"a\":2}"))
        .extracting(Fault::pointer)
        .containsExactly("/a");
    assertThat(faults(schema, "{\"a\":1e400}")).extracting(Fault::pointer).containsExactly("/a");
    assertThat(faults(schema, "[]")).isNotEmpty();
    assertThat(faults(schema, "{")).hasSize(1);
    assertThat(
            ((Checked.Accepted) schema.check(Json.text("{\"request_heartbeat\":true}")))
                .arguments()
                .text())
        .isEqualTo("{}");
  }

  @Test
  void aPartWithAnIdentityHasPointersAndAnchorsOfItsOwn() {
    ParameterSchema within =
        ParameterSchema.parse(
            "x",
            Json.text(
                """
                {"type":"object","properties":{"v":{"$ref":"#/$defs/a/$defs/b"},"w":{"$ref":"http://x/a#c"},
                "u":{"$ref":"other.json"}},
                "$defs":{"a":{"$id":"http://x/a","$defs":{"b":{"$ref":"#/$defs/c"},"c":{"$anchor":"c","type":"string"}}},
                "c":{"type":"integer"},"o":{"$id":"other.json","type":"boolean"}}}\
                """),
            false);
    assertThat(faults(within, "{\"v\":\"text\",\"w\":\"text\",\"u\":true}")).isEmpty();
    assertThat(faults(within, "{\"v\":1,\"w\":1,\"u\":1}"))
        .containsExactly(
            new Fault("/v", "string", "number 1"),
            new Fault("/w", "string", "number 1"),
            new Fault("/u", "boolean", "number 1"));
  }

  @Test
  void boundsItsWork() {
    ParameterSchema entangled =
        ParameterSchema.parse(
            "x",
            Json.text(
                """
                {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[
                  {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"not":{"minProperties":0}},
                  {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"not":{"maxProperties":1}}]}}}\
                """),
            false);
    String deep = "{\"n\":".repeat(150) + "{}" + "}".repeat(150);
    assertThat(faults(entangled, deep)).hasSize(1);
    assertThat(entangled.check(Json.text(deep)))
        .isInstanceOfSatisfying(
            Checked.Refused.class, refused -> assertThat(refused.undecided()).isTrue());
    assertThat(entangled.check(Json.text("{\"n\":{}}")))
        .isInstanceOfSatisfying(
            Checked.Refused.class, refused -> assertThat(refused.undecided()).isFalse());
  }

  @Test
  void ignoresTheDialectThatASchemaNames() {
    ParameterSchema schema =
        ParameterSchema.parse(
            "x",
            Json.text(
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\",\"properties\":{},\"propertyNames\":{\"maxLength\":1}}"),
            false);
    assertThat(faults(schema, "{\"ab\":1}")).hasSize(1);
  }
}
