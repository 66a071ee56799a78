package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What a model reads of parameters that model APIs would refuse.
class ModelSchemaTest {
  private static Tool tool(String schema) {
    return Tool.dynamic("get", Json.text(schema.replace('\'', '"')))
        .foreign(sentence -> {})
        .description("Gets.")
        .handler(arguments -> arguments);
  }

  private static ToolDefinition offered(Tool tool) {
    return tool.offered(tool.definition());
  }

  private static String read(String schema) {
    return offered(tool(schema)).parameters().text().replace('"', '\'');
  }

  private static boolean accepts(Tool tool, String arguments) {
    return tool.check(Json.text(arguments.replace('\'', '"'))) instanceof Checked.Accepted;
  }

  private static String property(String property) {
    return "{'type':'object','properties':{'a':" + property + "}}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'str'} | {}",
        "{'type':[]} | {}",
        "{'type':['string','string']} | {'type':['string']}",
        "{'type':['string','str']} | {}",
        "{'type':null} | {}",
        "{'type':{'type':'string'}} | {}",
        "null | {}",
        "5 | {}",
        "true | {}",
        "false | {'not':{}}",
        "{'enum':[]} | {}",
        "{'enum':'a'} | {}",
        "{'enum':[1,1,null]} | {'enum':[1,null]}",
        "{'const':null} | {'const':null}",
        "{'default':null} | {'default':null}",
        "{'title':null,'description':5,'deprecated':'no','examples':{}} | {}",
        "{'items':[{'type':'str'},null]} | {'prefixItems':[{},{}]}",
        "{'items':[{'type':'string'}],'additionalItems':false} |"
            + " {'items':false,'prefixItems':[{'type':'string'}]}",
        "{'items':[]} | {}",
        "{'items':'string'} | {}",
        "{'minimum':3,'exclusiveMinimum':true} | {'exclusiveMinimum':3}",
        "{'maximum':3,'exclusiveMaximum':false} | {'maximum':3}",
        "{'exclusiveMaximum':true} | {}",
        "{'minimum':'3','multipleOf':0,'maxLength':-1,'minItems':1.5} | {}",
        "{'maximum':1e999} | {}",
        "{'anyOf':[]} | {}",
        "{'anyOf':[null,{'type':'string'}]} | {'anyOf':[{},{'type':'string'}]}",
        "{'anyOf':{'type':'string'}} | {}",
        "{'not':'x','if':5} | {}",
        "{'pattern':5,'format':5} | {}",
        "{'pattern':'^(?!x)'} | {'pattern':'^(?!x)'}",
        "{'pattern':'['} | {}",
        "{'pattern':'^\\\\p{Emoji}+$'} | {'pattern':'^\\\\p{Emoji}+$'}",
        "{'pattern':'^[\\\\p{Extended_Pictographic}[&&]'} |"
            + " {'pattern':'^[\\\\p{Extended_Pictographic}[&&]'}",
        "{'pattern':'\\\\P{Script_Extensions=Greek}'} |"
            + " {'pattern':'\\\\P{Script_Extensions=Greek}'}",
        "{'pattern':'(?=a)\\\\u{1F600}[^]'} | {'pattern':'(?=a)\\\\u{1F600}[^]'}",
        "{'pattern':'\\\\p{}'} | {}",
        "{'pattern':'\\\\p{Emoji'} | {}",
        "{'pattern':'(?=a)[b'} | {}",
        "{'patternProperties':{'^\\\\p{Emoji}$':{}}} | {'patternProperties':{'^\\\\p{Emoji}$':{}}}",
        "{'patternProperties':{'(':{},'^a':null}} | {'patternProperties':{'^a':{}}}",
        "{'$id':'x#y','$anchor':'1 2','$dynamicAnchor':'','$schema':'none'} | {}",
        "{'$recursiveRef':'#'} | {'$ref':'#'}",
        "{'properties':null,'required':null} | {}",
        "{'properties':[],'required':'a'} | {}",
        "{'properties':{'b':{'type':'str','x-more':null}}} | {'properties':{'b':{'x-more':null}}}",
        "{'required':['a',5]} | {}",
        "{'required':['a','a']} | {'required':['a']}",
        "{'required':true} | {}",
        "{'dependentRequired':{'b':'c','d':['e','e']}} | {'dependentRequired':{'d':['e']}}",
        "{'dependencies':{'b':['c'],'d':null}} | {'dependencies':{'b':['c'],'d':{}}}",
        "{'additionalProperties':'no','propertyNames':[]} | {}",
        "{'$ref':'#/$defs/none'} | {}",
        "{'$ref':'https://elsewhere.example/x'} | {}",
        "{'$ref':5} | {}",
        "{'type':'string','nullable':true} | {'type':['string','null'],'nullable':true}",
      })
  void aKeywordThatModelApisRefuseIsLeftOutOrMended(String property, String read) {
    assertThat(read(property(property))).isEqualTo(property(read));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | {'type':'object','properties':{}}",
        "{'type':'object','properties':null,'required':null} | {'type':'object','properties':{}}",
        "{'type':['object','null'],'required':'a'} | {'type':'object','properties':{}}",
        "{'type':'object','properties':[],'enum':[]} | {'type':'object','properties':{}}",
        "[] | {'type':'object','properties':{}}",
        "{'$schema':'http://json-schema.org/draft-07/schema#','type':'object','properties':{}} |"
            + " {'$schema':'http://json-schema.org/draft-07/schema#','type':'object','properties':{}}",
        "{'$schema':'http://json-schema.org/draft-07/schema#','type':'object','properties':{'t':{'items':[true]}}}"
            + " | {'type':'object','properties':{'t':{'prefixItems':[true]}}}",
        "{'type':'object','properties':{'t':{'items':[{'type':'string'}]},'u':{'$ref':'#/properties/t/items/0'}}}"
            + " | {'type':'object','properties':{'t':{'prefixItems':[{'type':'string'}]},'u':{'$ref':'#/properties/t/prefixItems/0'}}}",
      })
  void theWholeIsTheSchemaOfAnObject(String schema, String read) {
    assertThat(read(schema)).isEqualTo(read);
  }

  @Test
  void whatIsLeftOutIsStillChecked() {
    Tool tuple =
        tool(property("{'items':[{'type':'string'}],'minimum':3,'exclusiveMinimum':true}"));
    assertThat(accepts(tuple, "{'a':[5]}")).isFalse();
    assertThat(accepts(tuple, "{'a':3}")).isFalse();
    assertThat(accepts(tuple, "{'a':4}")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"anyOf", "oneOf"})
  void alternativesOfAllArgumentsAreToldInWords(String word) {
    String parts =
        "[{'properties':{'kind':{'const':'card'},'number':{'type':'string'}},'required':['kind','number']},"
            + "{'$ref':'#/$defs/cash'}]";
    Tool tool =
        tool(
            "{'type':'object','"
                + word
                + "':"
                + parts
                + ",'$defs':{'cash':{'properties':{'kind':{'const':'cash'}},'required':['kind']}}}");
    ToolDefinition offered = offered(tool);
    JsonNode read = offered.parameters().tree();
    assertThat(read.propertyNames())
        .containsExactlyInAnyOrder("type", "$defs", "properties", "required");
    assertThat(read.path("properties"))
        .hasToString(
            "{\"kind\":{\"anyOf\":[{\"const\":\"card\"},{\"const\":\"cash\"}]},\"number\":{\"type\":\"string\"}}");
    assertThat(read.path("required")).hasToString("[\"kind\"]");
    assertThat(offered.description())
        .isEqualTo(
            "Gets.\nThe arguments must match "
                + (word.equals("anyOf") ? "at least" : "exactly")
                + " one of these JSON Schemas: "
                + parts.replace('\'', '"'));
    assertThat(accepts(tool, "{'kind':'card'}")).isFalse();
    assertThat(accepts(tool, "{'kind':'cash'}")).isTrue();
  }

  @Test
  void partsThatAllApplyAreOneSchema() {
    Tool tool =
        tool(
            "{'allOf':[{'properties':{'a':{}},'required':['a']},{'$ref':'#/$defs/b'}],'$defs':{'b':{'type':'object','properties':{'b':{}},'required':['b']}}}");
    ToolDefinition offered = offered(tool);
    assertThat(offered.description()).isEqualTo("Gets.");
    assertThat(offered.parameters().tree().path("properties")).hasToString("{\"a\":{},\"b\":{}}");
    assertThat(offered.parameters().tree().path("required")).hasToString("[\"a\",\"b\"]");
    assertThat(accepts(tool, "{'a':1}")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'$ref':'#/definitions/F','definitions':{'F':{'type':'object','properties':{'a':{'type':'string'}}}}}"
            + " | a",
        "{'$ref':'#/definitions/F','definitions':{'F':{'properties':{'a':{'type':'string'}}}}} | a",
        "{'description':'x','$ref':'#/definitions/F','definitions':{'F':{'type':'object','properties':{'a':{'type':'string'}}}}}"
            + " | a",
        "{'$ref':'#/definitions/G','definitions':{'G':{'$ref':'#/definitions/F'},'F':{'properties':{'a':{'type':'string'}}}}}"
            + " | a",
        "{'$ref':'#/definitions/None','definitions':{}} | ",
        "{'$ref':'https://example.com/s.json'} | ",
        "{'$ref':'#'} | ",
        "{'$ref':'#','type':'object','properties':{'a':{'type':'string'}}} | a",
        "{'$ref':'#/definitions/None','type':'object','properties':{'a':{'type':'string'}}} | a",
        "{'$ref':'#/definitions/F','definitions':{'F':true}} | ",
        "{'$ref':'#/definitions/F','definitions':{'F':{'type':'string'}}} | "
      })
  void aReferenceForAllArgumentsIsASchemaOfAnObjectInEachDialect(
      String schema, @Nullable String property) {
    for (String dialect :
        List.of(
            "",
            "http://json-schema.org/draft-04/schema#",
            "http://json-schema.org/draft-06/schema#",
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2019-09/schema",
            "https://json-schema.org/draft/2020-12/schema")) {
      String declared = dialect.isEmpty() ? "" : "'$schema':'" + dialect + "',";
      JsonNode read =
          Json.text(read("{" + declared + schema.substring(1)).replace('\'', '"')).tree();
      assertThat(read.path("type").asString("")).as(read.toString()).isEqualTo("object");
      assertThat(read.path("properties").propertyNames())
          .as(read.toString())
          .containsExactlyElementsOf(property == null ? List.of() : List.of(property));
      assertThat(read.has("$ref")).isFalse();
    }
  }

  @Test
  void aReferenceBesideTheTypeDoesNotHideIt() {
    Json own =
        Json.text(
            "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\",\"$ref\":\"#/definitions/F\",\"definitions\":{\"F\":{\"properties\":{\"a\":{}}}}}");
    Tool tool = Tool.dynamic("get", own).handler(arguments -> arguments);
    assertThat(offered(tool).parameters().tree().path("type").asString("")).isEqualTo("object");
  }

  @Test
  void aReferenceForAllArgumentsIsReplacedByItsTarget() {
    String target =
        "'$defs':{'in':{'type':'object','properties':{'a':{'type':'string'}},'required':['a'],'additionalProperties':false}}";
    assertThat(read("{'$ref':'#/$defs/in'," + target + "}"))
        .isEqualTo(
            "{'type':'object',"
                + target
                + ",'properties':{'a':{'type':'string'}},'required':['a'],'additionalProperties':false}");
  }

  @Test
  void aReferenceToAnAlternativeHolds() {
    JsonNode read =
        offered(
                tool(
                    "{'type':'object','properties':{'b':{'$ref':'#/anyOf/0/properties/a'}},'anyOf':[{'properties':{'a':{'type':'string'}}}]}"))
            .parameters()
            .tree();
    String at = read.at("/properties/b/$ref").asString().substring(1);
    assertThat(read.at(at)).hasToString("{\"type\":\"string\"}");
  }

  @Test
  void partsOfAClosedSchemaAddNoProperties() {
    assertThat(
            read(
                "{'type':'object','properties':{'a':{}},'additionalProperties':false,'anyOf':[{'properties':{'b':{}}}]}"))
        .isEqualTo("{'type':'object','properties':{'a':{}},'additionalProperties':false}");
  }

  @Test
  void longAlternativesAreCut() {
    String many = "{'required':['" + "a".repeat(3000) + "']}";
    assertThat(offered(tool("{'oneOf':[" + many + "," + many + "]}")).description())
        .hasSizeLessThan(1200)
        .endsWith("...");
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 60})
  void partsThatDoubleAtEveryStepAreReadOnce(int steps) {
    StringBuilder schema = new StringBuilder("{'$ref':'#/$defs/d0','$defs':{");
    for (int i = 0; i < steps; i++) {
      String next = "{'$ref':'#/$defs/d" + (i + 1) + "'}";
      schema.append("'d" + i + "':{'allOf':[" + next + "," + next + "]},");
    }
    schema.append("'d" + steps + "':{'properties':{'a':{}}}}}");
    assertThat(read(schema.toString())).contains("'properties':{'a':{}}").hasSizeLessThan(20_000);
  }

  @Tag("slow")
  @Test
  void aLongChainOfReferencesIsRead() {
    StringBuilder chain = new StringBuilder("{'properties':{'é':{'$ref':'#/anyOf/0'}},'anyOf':[");
    for (int i = 1; i < 20_000; i++) {
      chain.append("{'$ref':'#/anyOf/" + i + "'},");
    }
    assertThat(read(chain + "{'required':['é']}]}")).contains("'argument':{");
  }

  @Test
  void whatIsReadIsAValidSchema() {
    for (String schema :
        List.of(
            "{'oneOf':[{'type':'str'},null],'not':5,'properties':{'é':null},'required':'é'}",
            "{'$ref':'#','properties':{'a':{'$ref':'#'}}}",
            "{'id':'x','type':'object','properties':{'a':{'id':'#b','type':'string'},'c':{'$ref':'#b'}}}",
            "{'$schema':'http://json-schema.org/draft-04/schema#','id':'http://x.example/y','properties':{'a':{'minimum':1,'exclusiveMinimum':true}}}",
            "{'allOf':[{'$ref':'#/allOf/0'}],'type':['object','string']}",
            "{'definitions':{'n':{'properties':{'n':{'$ref':'#/definitions/n'}}}},'anyOf':[{'$ref':'#/definitions/n'}]}",
            "{'properties':{'größe':{'$ref':'#/anyOf/0'},'ü':{'$ref':'#/properties/größe'}},'anyOf':[{'required':['größe']},{'required':['ü']}]}")) {
      Json read = offered(tool(schema)).parameters();
      assertThat(ParameterSchema.faultsOf("get", read, false)).as(schema + " " + read).isEmpty();
    }
  }

  @Test
  void aUsualSchemaOfOthersIsReadAsItIs() {
    Tool tool =
        tool(
            "{'type':'object','properties':{'a':{'type':'string','pattern':'^(?!b)','x-note':[1]}},'required':['a'],'additionalProperties':false}");
    assertThat(tool.isOfferedAsIs()).isTrue();
  }
}
