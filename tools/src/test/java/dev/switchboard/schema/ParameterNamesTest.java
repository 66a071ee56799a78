package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ParameterNamesTest {
  private static final String TWO =
      "{'type':'object','properties':{'größe':{'type':'integer'},'c d':{'type':'string'}}";

  private static Tool tool(String rest) {
    return Tool.dynamic("get", Json.text((TWO + rest + "}").replace('\'', '"')))
        .foreign(sentence -> {})
        .handler(arguments -> arguments);
  }

  private static String checked(Tool tool, String arguments) {
    return switch (tool.check(Json.text(arguments.replace('\'', '"')))) {
      case Checked.Accepted accepted -> accepted.arguments().text().replace('"', '\'');
      case Checked.Refused refused -> refused.faults().getFirst().pointer() + " refused";
    };
  }

  private static JsonNode renamed(String rest) {
    ObjectNode schema = (ObjectNode) Json.text((TWO + rest + "}").replace('\'', '"')).tree();
    return RenamedSchema.of(schema, ParameterNames.of(schema)).schema();
  }

  private static JsonNode read(Tool tool) {
    return tool.offered(tool.definition()).parameters().tree();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ",'anyOf':[{'required':['größe']},{'required':['c d']}] | {'gr_e':1} | {'größe':1}",
        ",'oneOf':[{'required':['größe']},{'required':['c d']}] | {'gr_e':1} | {'größe':1}",
        ",'oneOf':[{'required':['größe']},{'required':['c d']}] | {'gr_e':1,'c_d':'x'} | `"
            + " refused`",
        ",'allOf':[{'required':['größe']}] | {'gr_e':1} | {'größe':1}",
        ",'allOf':[{'required':['größe']}] | {} | /gr_e refused",
        ",'if':{'required':['größe']},'then':{'required':['c d']} | {'gr_e':1} | /c_d refused",
        ",'if':{'required':['größe']},'then':{'required':['c d']} | {'gr_e':1,'c_d':''} |"
            + " {'größe':1,'c d':''}",
        ",'not':{'required':['größe']} | {'gr_e':1} | ` refused`",
        ",'not':{'required':['größe']} | {'c_d':''} | {'c d':''}",
        ",'patternProperties':{'^gr':{'minimum':5}},'additionalProperties':false | {'gr_e':1} |"
            + " /gr_e refused",
        ",'patternProperties':{'^gr':{'minimum':5}},'additionalProperties':false | {'gr_e':7} |"
            + " {'größe':7}",
        ",'propertyNames':{'enum':['größe','c d']} | {'gr_e':1} | {'größe':1}",
        ",'propertyNames':{'maxLength':5} | {'gr_e':1} | {'größe':1}",
        ",'dependentRequired':{'größe':['c d']} | {'gr_e':1} | /c_d refused",
        ",'dependentSchemas':{'größe':{'required':['c d']}} | {'gr_e':1} | /c_d refused",
        ",'dependencies':{'größe':['c d']} | {'gr_e':1} | /c_d refused",
        ",'required':['größe'] | {} | /gr_e refused",
        ",'required':['größe'] | {'gr_e':'x'} | /gr_e refused",
        ",'required':['größe'] | {'größe':'x'} | /größe refused",
        ",'required':['größe'] | {'größe':1} | {'größe':1}",
        ",'required':['größe'] | {'gr_e':1,'größe':2} | /gr_e refused",
        ",'additionalProperties':true | {'gr_e':1,'other':{'gr_e':2.50}} |"
            + " {'größe':1,'other':{'gr_e':2.50}}",
      })
  void argumentsAreCheckedByTheOwnNames(String rest, String arguments, String outcome) {
    assertThat(checked(tool(rest), arguments)).isEqualTo(outcome);
  }

  @Test
  void aReferenceToARenamedParameterHolds() {
    for (String reference : new String[] {"größe", "gr%C3%B6%C3%9Fe"}) {
      Tool tool =
          Tool.dynamic(
                  "get",
                  "{\"type\":\"object\",\"properties\":{\"größe\":{\"type\":\"integer\"},\"b\":{\"$ref\":\"#/properties/"
                      + reference
                      + "\"}}}")
              .foreign(sentence -> {})
              .handler(arguments -> arguments);
      assertThat(checked(tool, "{'b':'x'}")).isEqualTo("/b refused");
      assertThat(checked(tool, "{'b':3}")).isEqualTo("{'b':3}");
      assertThat(read(tool).at("/properties/b/$ref").asString()).isEqualTo("#/properties/gr_e");
    }
  }

  @Test
  void everyPartForTheArgumentsHasTheNamesThatTheModelKnows() {
    JsonNode read =
        renamed(
            ",'allOf':[{'if':{'required':['größe']},'then':{'required':['c"
                + " d']},'else':{'not':{'required':['c"
                + " d']}}},{'$ref':'#/$defs/more'}],'dependentRequired':{'größe':['c"
                + " d']},'propertyNames':{'enum':['größe','c"
                + " d','é']},'$defs':{'more':{'properties':{'é':{'$ref':'#/$defs/more'}}}}");
    assertThat(read.at("/properties").propertyNames()).containsExactly("gr_e", "c_d");
    assertThat(read.at("/dependentRequired")).hasToString("{\"gr_e\":[\"c_d\"]}");
    assertThat(read.at("/allOf/0"))
        .hasToString(
            "{\"if\":{\"required\":[\"gr_e\"]},\"then\":{\"required\":[\"c_d\"]},\"else\":{\"not\":{\"required\":[\"c_d\"]}}}");
    assertThat(read.at("/propertyNames/enum")).hasToString("[\"gr_e\",\"c_d\",\"argument\"]");
    String more = read.at("/allOf/1/$ref").asString().substring(1);
    assertThat(read.at(more + "/properties").propertyNames()).containsExactly("argument");
    assertThat(read.at(more + "/properties/argument/description").asString())
        .isEqualTo("Original name: é");
    assertThat(read.at("/$defs/more/properties").propertyNames()).containsExactly("é");
  }

  @Test
  void valuesWithinTheArgumentsKeepTheirNames() {
    Tool tool = tool(",'additionalProperties':{'$ref':'#'}");
    JsonNode read = read(tool);
    String nested = read.at("/additionalProperties/$ref").asString().substring(1);
    assertThat(read.at(nested + "/properties").propertyNames()).containsExactly("größe", "c d");
    assertThat(checked(tool, "{'n':{'größe':1}}")).isEqualTo("{'n':{'größe':1}}");
    assertThat(checked(tool, "{'n':{'größe':'x'}}")).isEqualTo("/n/größe refused");
  }

  @Test
  void aSchemaThatDoublesAtEveryStepIsReadOnce() {
    StringBuilder schema = new StringBuilder(",'allOf':[{'$ref':'#/$defs/d0'}],'$defs':{");
    for (int i = 0; i < 60; i++) {
      String next = "{'$ref':'#/$defs/d" + (i + 1) + "'}";
      schema.append("'d" + i + "':{'anyOf':[" + next + "," + next + "]},");
    }
    schema.append("'d60':{'required':['größe']}}");
    assertThat(read(tool(schema.toString())).toString()).hasSizeLessThan(20_000);
  }

  @SuppressWarnings("UnicodeInCode") // as programs in other languages have it
  record Size(int größe, String c) {}

  @Test
  @SuppressWarnings("UnicodeInCode")
  void parametersOfJavaHaveNamesThatModelsTake() {
    Tool tool = Tool.typed("get", Size.class).handler(size -> size.größe());
    assertThat(read(tool).at("/properties").propertyNames()).containsExactly("gr_e", "c");
    assertThat(read(tool).at("/required")).hasToString("[\"gr_e\",\"c\"]");
    assertThat(tool.check(Json.text("{\"gr_e\":4,\"c\":\"x\"}")))
        .isInstanceOfSatisfying(
            Checked.Accepted.class,
            accepted -> assertThat(accepted.bound()).isEqualTo(new Size(4, "x")));
    assertThat(checked(tool, "{'gr_e':'many','c':''}")).isEqualTo("/gr_e refused");
  }

  @Test
  void namesOfUsualCharactersChangeNothing() {
    Tool tool =
        Tool.dynamic("get", "{\"type\":\"object\",\"properties\":{\"a.b-c_1\":{}}}")
            .handler(arguments -> arguments);
    ToolDefinition definition = tool.definition();
    assertThat(tool.isOfferedAsIs()).isTrue();
    assertThat(tool.offered(definition)).isSameAs(definition);
  }

  @Test
  void examplesHaveTheNamesThatTheModelKnows() {
    Tool tool =
        Tool.dynamic("get", Json.text((TWO + "}").replace('\'', '"')))
            .example("{\"größe\":1}")
            .handler(arguments -> arguments);
    assertThat(tool.offered(tool.definition()).examples())
        .containsExactly(Json.text("{\"gr_e\":1}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'propertyNames':{'pattern':'^[a-zöß ]+$'} | {'pattern':'^[a-zöß ]+$'}",
        "'propertyNames':{'maxLength':5} | {'maxLength':5}",
        "'propertyNames':{'$ref':'#/$defs/n'},'$defs':{'n':{'maxLength':5}} | {'$ref':'#/$defs/n'}",
        "'propertyNames':{'not':{'const':'gr_e'}} | {'not':{'const':'gr_e'}}",
        "'allOf':[{'propertyNames':{'maxLength':5}}] | {'maxLength':5}"
      })
  void whatIsStatedOfTheOwnNamesIsToldOnce(String rest, String told) {
    Tool tool =
        Tool.dynamic("get", Json.text((TWO + "," + rest + "}").replace('\'', '"')))
            .foreign(sentence -> {})
            .description("Gets.")
            .handler(arguments -> arguments);
    assertThat(read(tool).toString()).doesNotContain("propertyNames");
    assertThat(tool.offered(tool.definition()).description())
        .isEqualTo(
            "Gets.\nThe original names of all arguments must match: " + told.replace('\'', '"'));
    assertThat(checked(tool, "{'gr_e':1}")).isEqualTo("{'größe':1}");
  }
}
