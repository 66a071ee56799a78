package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import dev.switchboard.tool.ToolSchemaException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaCheckTest {
  private static List<String> faults(String schema) {
    return ParameterSchema.faultsOf("x", Json.text(schema), false);
  }

  private static List<String> strictFaults(String schema) {
    return ParameterSchema.faultsOf("x", Json.text(schema), true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "oops",
        "\"oops\"",
        "[]",
        "{}",
        "{\"properties\":{}}",
        "{\"type\":\"string\"}",
        "{\"type\":[\"object\"]}"
      })
  void wantsAnObjectSchema(String parameters) {
    assertThat(faults(parameters))
        .containsExactly("tool 'x': `parameters` must be a JSON Schema of type 'object'.");
  }

  @Test
  void namesEveryFaultInOrder() {
    assertThat(faults("{\"type\":\"array\",\"properties\":[],\"required\":\"a\"}"))
        .containsExactly(
            "tool 'x': `parameters` must be a JSON Schema of type 'object'.",
            "tool 'x': `parameters['properties']` must map field names to schemas.",
            "tool 'x': `parameters['required']` must be a list of field names.");
    assertThatThrownBy(() ->
            ParameterSchema.parse("x", Json.text("{\"type\":\"array\",\"required\":3}"), false))
        .isInstanceOfSatisfying(ToolSchemaException.class, e -> assertThat(e.faults()).hasSize(2))
        .hasMessage(
            "tool 'x': `parameters` must be a JSON Schema of type 'object'.\n"
                + "tool 'x': `parameters['required']` must be a list of field names.");
  }

  @Test
  void wantsRequiredNamesToBeProperties() {
    assertThat(
            faults(
                "{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\",\"bar\",\"a\"]}"))
        .containsExactly(
            "tool 'x': `parameters['required']` names 'bar', which is not in"
                + " `parameters['properties']`.",
            "tool 'x': `parameters['required']` names 'a' twice.");
    assertThat(
            faults(
                "{\"type\":\"object\",\"properties\":{\"a\":{}},\"anyOf\":[{\"required\":[\"a\"]}]}"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "{\"type\":\"int\"}                   | ['type']` is \"int\", which is not a type (did"
            + " you mean 'integer'?).",
        "{\"type\":7}                         | ['type']` must be a type's name, or a list of"
            + " them.",
        "{\"minimum\":\"3\"}                  | ['minimum']` must be a number.",
        "{\"exclusiveMinimum\":true}          | ['exclusiveMinimum']` must be a number.",
        "{\"multipleOf\":0}                   | ['multipleOf']` must be a number above 0.",
        "{\"minLength\":-1}                   | ['minLength']` must be a whole number, 0 or more.",
        "{\"pattern\":\"(\"}                  | ['pattern']` is not a regular expression: \"(\".",
        "{\"pattern\":\"[\"}                  | ['pattern']` is not a regular expression: \"[\".",
        "{\"pattern\":\"(a)\\\\1\"}            | ['pattern']` is not a regular expression that can"
            + " be checked in linear time: \"(a)\\\\1\".",
        "{\"pattern\":\"(?=a)\"}              | ['pattern']` is not a regular expression that can"
            + " be checked in linear time: \"(?=a)\".",
        "{\"enum\":\"a\"}                     | ['enum']` must be a list.",
        "{\"anyOf\":[]}                       | ['anyOf']` must be a list of schemas, at least"
            + " one.",
        "{\"items\":[]}                       | .items` must be a schema: an object, true or"
            + " false.",
        "{\"description\":3}                  | ['description']` must be a string.",
        "{\"properties\":3}                   | ['properties']` must map field names to schemas.",
        "{\"not\":{\"properties\":3}}         | .not['properties']` must map field names to"
            + " schemas.",
        "{\"dependentRequired\":{\"a\":\"b\"}}| ['dependentRequired']` must map field names to"
            + " lists of field names.",
        "{\"$ref\":\"#/$defs/q\"}             | ['$ref']` points to \"#/$defs/q\", which is not in"
            + " this schema.",
        "{\"$ref\":\"https://a.b/c\"}         | ['$ref']` points to \"https://a.b/c\", which is not"
            + " in this schema.",
        "{\"$ref\":\"#/properties/n\"}        | ['$ref']` leads back to itself.",
        "{\"properties\":{},\"required\":[\"z\"]} | ['required']` names 'z', which is not in"
            + " `parameters.properties.n['properties']`."
      })
  void namesThePathOfWhatIsNotASchema(String property, String sentence) {
    assertThat(faults("{\"type\":\"object\",\"properties\":{\"n\":" + property + "}}"))
        .containsExactly("tool 'x': `parameters.properties.n" + sentence);
  }

  @ParameterizedTest
  @CsvSource({
    "float, (did you mean 'number'?)", "double, (did you mean 'number'?)",
    "dict, (did you mean 'object'?)", "list, (did you mean 'array'?)",
    "tuple, (did you mean 'array'?)", "str, (did you mean 'string'?)",
    "bool, (did you mean 'boolean'?)", "String, (did you mean 'string'?)",
    "any, (leave it out for any value)", "None, (did you mean 'null'?)"
  })
  void knowsWhatOtherLanguagesCallATypes(String word, String hint) {
    assertThat(faults("{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"" + word + "\"}}}"))
        .containsExactly(
            "tool 'x': `parameters.properties.n['type']` is \""
                + word
                + "\", which is not a type "
                + hint
                + ".");
  }

  @Test
  void letsANestedObjectRequireWhatItDoesNotDefine() {
    assertThat(
            faults(
                "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"object\",\"required\":[\"z\"]}}}"))
        .isEmpty();
    assertThat(faults("{\"type\":\"object\",\"required\":[\"z\"]}")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"integer\",\"enum\":[\"1\",\"2\"]}",
        "{\"type\":\"boolean\",\"enum\":[\"True\",\"False\"]}",
        "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"enum\":[\"a\",\"b\"]}",
        "{\"type\":\"string\",\"enum\":[[1]]}",
        "{\"enum\":[]}",
        "{\"enum\":[1],\"const\":2}"
      })
  void refusesAnEnumThatNoValueCanMeet(String schema) {
    assertThat(faults("{\"type\":\"object\",\"properties\":{\"v\":" + schema + "}}"))
        .containsExactly(
            "tool 'x': `parameters.properties.v['enum']` has no value that fits the rest of its"
                + " schema.");
  }

  @Test
  void leavesAConstantThatNothingMeets() {
    assertThat(
            faults(
                "{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\",\"const\":\"a\"}}}"))
        .isEmpty();
  }

  @Test
  void warnsOfWordsThatAreIgnored() {
    ParameterSchema schema =
        ParameterSchema.parse(
            "x",
            Json.text(
                """
                {"type":"object","propertys":{},"properties":{"n":{"type":"integer","minimun":1,"nullable":true},
                "m":{"nullable":false,"x-note":1,"example":1}}}\
                """),
            false);
    assertThat(schema.warnings())
        .containsExactly(
            "tool 'x': `parameters` has 'propertys', which JSON Schema ignores (did you mean"
                + " 'properties'?).",
            "tool 'x': `parameters.properties.n` has 'minimun', which JSON Schema ignores (did you"
                + " mean 'minimum'?).",
            "tool 'x': `parameters.properties.n` has 'nullable', which JSON Schema ignores (write"
                + " \"type\": [.., \"null\"] for a value that may be null).",
            "tool 'x': `parameters.properties.m` has 'example', which JSON Schema ignores (did you"
                + " mean 'examples'?).");
  }

  @Test
  void tellsIdentitiesThatTwoPartsHave() {
    assertThat(
            faults(
                """
                {"type":"object","properties":{"a":{"$id":"http://x/a"},"b":{"$id":"http://x/a"}}}\
                """))
        .containsExactly(
            "tool 'x': `parameters.properties.b['$id']` is the URI of another part of the"
                + " schema.");
  }

  @Test
  void looksIntoWhatIsReferredTo() {
    assertThat(
            faults(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/x-types/t\"}},\"x-types\":{\"t\":{\"type\":\"str\"}}}"))
        .containsExactly(
            "tool 'x': `parameters.x-types.t['type']` is \"str\", which is not a type (did you"
                + " mean 'string'?).");
    assertThat(
            faults(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/t\"}},\"$defs\":{\"t\":{\"items\":{\"$ref\":\"#/$defs/t\"}}}}"))
        .isEmpty();
  }

  @Test
  void refusesNumbersThatNoDoubleHolds() {
    assertThat(faults("{\"type\":\"object\",\"properties\":{\"a\":{\"maximum\":1e999999999}}}"))
        .isNotEmpty();
  }

  @Test
  void strictWantsEveryObjectClosedAndEveryPropertyRequired() {
    assertThat(
            strictFaults(
                """
                {"type":"object","properties":{
                  "address":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},
                  "list":{"type":"array","items":{"type":["object","null"],"properties":{"k":{}},"additionalProperties":false}},
                  "either":{"anyOf":[{"type":"null"},{"type":"object","additionalProperties":{"type":"string"}}]},
                  "age":{"type":"integer"}},
                "required":["address","list","either"],"additionalProperties":false,
                "$defs":{"Node":{"properties":{}}}}\
                """))
        .containsExactly(
            "tool 'x': strict: `parameters` must list 'age' in `required` (optional is written as a"
                + " nullable type).",
            "tool 'x': strict: `parameters.properties.address` must set `additionalProperties` to"
                + " false.",
            "tool 'x': strict: `parameters.properties.list.items` must list 'k' in `required`"
                + " (optional is written as a nullable type).",
            "tool 'x': strict: `parameters.properties.either.anyOf[1]` must set"
                + " `additionalProperties` to false.",
            "tool 'x': strict: `parameters.$defs.Node` must set `additionalProperties` to false.");
  }

  @Test
  void strictComesAfterTheRest() {
    assertThat(strictFaults("{\"type\":\"object\",\"properties\":[]}"))
        .containsExactly(
            "tool 'x': `parameters['properties']` must map field names to schemas.",
            "tool 'x': strict: `parameters` must set `additionalProperties` to false.");
  }
}
