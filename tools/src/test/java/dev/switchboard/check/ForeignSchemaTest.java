package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignSchemaTest {
  private static final String DRAFT_4 = "http://json-schema.org/draft-04/schema#";
  private static final String DRAFT_7 = "http://json-schema.org/draft-07/schema#";
  private static final String DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema";

  private static ParameterSchema foreign(String schema) {
    return ParameterSchema.foreign("x", Json.text(schema.replace('\'', '"')));
  }

  /// Parameters with a member `p` of that schema.
  private static ParameterSchema member(String schema) {
    return foreign("{'type':'object','properties':{'p':" + schema + "}}");
  }

  private static List<String> faults(ParameterSchema schema, String text) {
    return switch (schema.check(Json.text(text.replace('\'', '"')))) {
      case Checked.Refused refused ->
          refused.faults().stream()
              .map(f -> f.pointer() + ": " + f.expected() + ", not " + f.found())
              .toList();
      case Checked.Accepted accepted -> List.of();
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^(?!\\\\.)a",
        "(?=a)b",
        "(?<=a)b",
        "(?<!a)b",
        "(a)\\\\1",
        "a++",
        "(?>a)b",
        "\\\\k<n>(?<n>a)",
        "\\\\p{Emoji}",
        "\\\\p{Script_Extensions=Greek}",
        "(?<n>a)(?(n)b|c)",
        "((((",
        "[z-a]",
        "a{2000}",
        "\\\\c",
        "\\\\u12",
        "(?R)"
      })
  void leavesAPatternThatCannotBeCheckedAndChecksTheRest(String pattern) {
    ParameterSchema schema = member("{'type':'string','maxLength':3,'pattern':'" + pattern + "'}");
    assertThat(faults(schema, "{'p':'?!*'}")).isEmpty();
    assertThat(faults(schema, "{'p':7}")).containsExactly("/p: string, not number 7");
    assertThat(faults(schema, "{'p':'abcd'}")).hasSize(1);
    assertThat(schema.json().text()).contains(pattern);
    assertThat(schema.warnings())
        .singleElement()
        .asString()
        .startsWith("tool 'x': `parameters.properties.p['pattern']` is ")
        .endsWith("; it is left to the server.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'string','pattern':7}|'a'|7",
        "{'type':'any','minimum':3}|'a'|2",
        "{'type':['string','file']}|7|",
        "{'type':'integer','minimum':'1','maximum':3}|-1|4",
        "{'type':'integer','multipleOf':0,'maximum':3}|-1|4",
        "{'type':'integer','maximum':1e999,'minimum':3}|4|2",
        "{'type':'string','maxLength':-1,'minLength':2}|'abc'|'a'",
        "{'enum':'a','type':'string'}|'b'|7",
        "{'enum':[1,2],'type':'string'}|'1'|7",
        "{'enum':[]}|1|",
        "{'enum':null,'type':'string'}|'a'|7",
        "{'type':'object','properties':[],'required':['a']}|{'a':1}|{}",
        "{'type':'object','properties':[],'additionalProperties':false}|{'a':1}|7",
        "{'type':'object','properties':{'a':'string','b':{'type':'string'}}}|{'a':1}|{'b':1}",
        "{'type':'object','required':'a','minProperties':1}|{'b':1}|{}",
        "{'type':'object','additionalProperties':'no'}|{'b':1}|7",
        "{'type':'array','items':'string','minItems':1}|[1]|[]",
        "{'type':'array','items':[]}|[1]|7",
        "{'not':{'pattern':'(?=a)'},'type':'string'}|'b'|7",
        "{'not':'x','type':'string'}|'b'|7",
        "{'oneOf':[{'pattern':'(?=a)'},{'pattern':'^b'},{'type':'null'}]}|'b'|",
        "{'oneOf':[{'type':'string','pattern':'(?=a)'},{'type':'null'}]}|'b'|7",
        "{'if':{'pattern':'(?=a)'},'then':{'maxLength':1},'type':'string'}|'bbb'|7",
        "{'type':'array','contains':{'pattern':'(?=a)'},'maxContains':1,'minItems':2}|['b','b']|['b']",
        "{'type':'array','contains':{'const':1},'minContains':'0'}|[2]|7",
        "{'type':'object','patternProperties':{'(?=a)':{}},'additionalProperties':false}|{'a':1}|7",
        "{'type':'object','patternProperties':{'(?=a)':{},'^n':{'type':'number'}}}|{'a':1}|{'n':'x'}",
        "{'allOf':[{'$ref':'https://e.com/a.json'}],'unevaluatedProperties':false,'minProperties':1}|{'a':1}|{}",
        "{'properties':{'a':{'pattern':'(?=a)'}},'type':'object','unevaluatedProperties':false}|{'a':'1'}|{'b':1}",
        "{'$ref':'https://e.com/a.json','maxLength':2}|'ab'|'abc'",
        "{'$ref':'#/$defs/none','maxLength':2}|'ab'|'abc'",
        "{'$ref':'other.json#/a','maxLength':2}|'ab'|'abc'",
        "{'$ref':'file:///etc/passwd','maxLength':2}|'ab'|'abc'",
        "{'$ref':'#/properties/p','maxLength':2}|'ab'|'abc'",
        "{'$ref':7,'maxLength':2}|'ab'|'abc'",
        "{'$dynamicRef':'#nowhere','maxLength':2}|'ab'|'abc'",
        "{'format':'credit-card','maxLength':2}|'ab'|'abc'",
        "{'format':7,'maxLength':2}|'ab'|'abc'",
        "{'dependentRequired':{'a':'b'},'minProperties':1}|{'a':1}|{}",
        "{'$vocabulary':{'https://e.com/v':true},'x-check':1,'maxLength':2}|'ab'|'abc'",
        "{'type':'array','items':[{'type':'number'}],'additionalItems':false}|[1]|[1,2]",
        "{'type':'integer','minimum':3,'exclusiveMinimum':true}|4|3",
        "{'type':'integer','minimum':3,'exclusiveMinimum':false}|3|2",
        "{'type':'string','nullable':true}|null|7",
        "{'type':'string','enum':['a'],'nullable':true}|null|'b'",
        "{'anyOf':[{'type':'string'},{'type':'number'}],'nullable':true}|null|true",
        "{'const':'a','nullable':true}|null|'b'"
      })
  void keepsTheToolAndChecksWhatItCan(String schema, String good, String bad) {
    ParameterSchema read = member(schema);
    assertThat(faults(read, "{'p':" + good + "}")).as("accepts " + good).isEmpty();
    if (bad != null) {
      assertThat(faults(read, "{'p':" + bad + "}")).as("refuses " + bad).isNotEmpty();
    }
    assertThat(read.json().tree().at("/properties/p"))
        .isEqualTo(Json.text(schema.replace('\'', '"')).tree());
  }

  @Test
  void tellsWhatDependsOnAKeywordThatIsLeft() {
    assertThat(member("{'not':{'pattern':'(?=a)'}}").warnings())
        .containsExactly(
            "tool 'x': `parameters.properties.p.not['pattern']` is not a regular expression that"
                + " can be checked in linear time: \"(?=a)\"; it is left to the server.",
            "tool 'x': `parameters.properties.p['not']` depends on a keyword that cannot be"
                + " checked; it is left to the server.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$ref':'#/$defs/a','$defs':{'a':{'type':'object','required':['n']}}}",
        "{'allOf':[{'type':'object','required':['n']}]}",
        "{'anyOf':[{'type':'object','required':['n']},{'required':['n'],'properties':{'n':{}}}]}",
        "{'required':['n']}",
        "{'type':['object','null'],'required':['n','n']}",
        "{'type':'string','required':['n']}"
      })
  void aRootNeedsNoTypeOfItsOwn(String schema) {
    ParameterSchema read = foreign(schema);
    assertThat(faults(read, "{'n':1}")).isEmpty();
    assertThat(faults(read, "{}")).isNotEmpty();
    assertThat(faults(read, "null")).isNotEmpty();
    assertThat(read.json().tree().path("type").asString("")).isEqualTo("object");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"true", "null", "[]", "'no schema'", "7", "{}", "{'type':'object','type2':1"})
  void parametersThatAreNotASchemaAcceptAnyObject(String schema) {
    ParameterSchema read = foreign(schema);
    assertThat(faults(read, "{'n':1}")).isEmpty();
    assertThat(faults(read, "[]")).isNotEmpty();
  }

  @Test
  void readsTuplesOfDraft7() {
    String point =
        "{'$schema':'"
            + DRAFT_7
            + "','type':'object','properties':{'point':{'type':'array',"
            + "'items':[{'type':'number'},{'type':'number'}],'additionalItems':false},"
            + "'same':{'$ref':'#/properties/point/items/0'}}}";
    for (ParameterSchema read :
        List.of(
            foreign(point),
            ParameterSchema.parse("x", Json.text(point.replace('\'', '"')), false))) {
      assertThat(read.warnings()).isEmpty();
      assertThat(faults(read, "{'point':[1,2],'same':3}")).isEmpty();
      assertThat(faults(read, "{'point':[1,'b']}"))
          .containsExactly("/point/1: number, not string \"b\"");
      assertThat(faults(read, "{'point':[1,2,3]}")).hasSize(1);
      assertThat(faults(read, "{'same':'b'}")).hasSize(1);
    }
  }

  @Test
  void namesTheKeywordAsItIsStated() {
    assertThat(
            foreign(
                    "{'$schema':'"
                        + DRAFT_7
                        + "','type':'object','properties':{'p':{'items':[{},"
                        + "{'pattern':'(?=a)'}]}}}")
                .warnings())
        .singleElement()
        .asString()
        .contains("`parameters.properties.p.items[1]['pattern']`");
  }

  @Test
  void aReferenceHidesItsSiblingsInOldDrafts() {
    String schema =
        "{'$schema':'%s','type':'object','properties':{'p':{'$ref':'#/definitions/a','maxLength':2}},"
            + "'definitions':{'a':{'type':'string'}}}";
    assertThat(faults(foreign(schema.formatted(DRAFT_7)), "{'p':'abc'}")).isEmpty();
    assertThat(faults(foreign(schema.formatted(DRAFT_7)), "{'p':7}")).hasSize(1);
    assertThat(faults(foreign(schema.formatted(DRAFT_2019)), "{'p':'abc'}")).hasSize(1);
  }

  @Test
  void ignoresKeywordsThatTheDialectDoesNotHaveAndSaysSo() {
    ParameterSchema read =
        foreign(
            "{'$schema':'"
                + DRAFT_4
                + "','type':'object','properties':{'p':{'const':'a',"
                + "'if':{},'then':false,'type':'string'}}}");
    assertThat(faults(read, "{'p':'b'}")).isEmpty();
    assertThat(faults(read, "{'p':1}")).hasSize(1);
    assertThat(read.warnings())
        .contains(
            "tool 'x': `parameters.properties.p['const']` is not a keyword of draft-04, so it is"
                + " not checked.");
  }

  @Test
  void readsIdsAndAnchorsOfEachDraft() {
    assertThat(
            faults(
                foreign(
                    "{'$schema':'"
                        + DRAFT_4
                        + "','id':'http://e.com/root.json','type':'object',"
                        + "'properties':{'p':{'$ref':'#text'},'q':{'$ref':'http://e.com/sub.json'},"
                        + "'id':{'type':'string'}},"
                        + "'definitions':{'a':{'id':'#text','type':'string'},"
                        + "'b':{'id':'sub.json','type':'number'}}}"),
                "{'p':1,'q':'1','id':2}"))
        .hasSize(3);
    assertThat(
            faults(
                foreign(
                    "{'$schema':'"
                        + DRAFT_7
                        + "','type':'object','properties':{'p':{'$ref':'#text'}},"
                        + "'definitions':{'a':{'$id':'#text','type':'string'}}}"),
                "{'p':1}"))
        .hasSize(1);
    assertThat(
            faults(
                foreign(
                    "{'type':'object','properties':{'p':{'$ref':'#text'}},"
                        + "'$defs':{'a':{'$anchor':'text','type':'string'}}}"),
                "{'p':1}"))
        .hasSize(1);
  }

  @Test
  void readsRecursiveReferences() {
    String tree =
        "{'$schema':'"
            + DRAFT_2019
            + "','$id':'http://e.com/strict','$recursiveAnchor':true,"
            + "'type':'object','$ref':'http://e.com/tree','unevaluatedProperties':false,"
            + "'$defs':{'t':{'$id':'http://e.com/tree','$recursiveAnchor':true,'type':'object',"
            + "'properties':{'children':{'type':'array','items':{'$recursiveRef':'#'}}}}}}";
    assertThat(foreign(tree).warnings()).isEmpty();
    assertThat(faults(foreign(tree), "{'children':[{'children':[]}]}")).isEmpty();
    assertThat(faults(foreign(tree), "{'children':[{'childen':[]}]}")).hasSize(1);
    String plain =
        "{'$schema':'"
            + DRAFT_2019
            + "','type':'object','required':['n'],"
            + "'properties':{'n':{'type':'number'},'next':{'$recursiveRef':'#'}}}";
    assertThat(faults(foreign(plain), "{'n':1,'next':{'n':'2'}}")).hasSize(1);
  }

  @Test
  void aResourceMayDeclareItsOwnDialect() {
    ParameterSchema read =
        foreign(
            "{'$schema':'https://json-schema.org/draft/2020-12/schema','type':'object',"
                + "'properties':{'p':{'$ref':'old'}},'$defs':{'o':{'$id':'old','$schema':'"
                + DRAFT_7
                + "','items':[{'type':'number'}]}}}");
    assertThat(faults(read, "{'p':['a']}")).hasSize(1);
  }

  @Test
  void readsAnUnknownDialectAsTheLatestAndSaysSo() {
    ParameterSchema read =
        foreign("{'$schema':'https://e.com/mine','type':'object','required':['n']}");
    assertThat(read.warnings())
        .containsExactly(
            "tool 'x': `parameters['$schema']` is \"https://e.com/mine\", which is not a known"
                + " dialect: it is read as 2020-12.");
    assertThat(faults(read, "{}")).hasSize(1);
  }

  @Test
  void ourOwnSchemasKeepTheirErrors() {
    for (String schema :
        List.of(
            "{'type':'object','properties':{'p':{'pattern':'(?=a)'}}}",
            "{'type':'object','properties':{'p':{'items':[{}]}}}",
            "{'type':'object','properties':{},'required':['n']}",
            "{'$ref':'#/$defs/a','$defs':{'a':{'type':'object'}}}")) {
      assertThat(ParameterSchema.faultsOf("x", Json.text(schema.replace('\'', '"')), false))
          .as(schema)
          .isNotEmpty();
    }
  }

  @Test
  void boundsWhatItTells() {
    StringBuilder many = new StringBuilder("{'type':'object','properties':{");
    for (int i = 0; i < 1_000; i++) {
      many.append(i == 0 ? "" : ",").append("'p").append(i).append("':{'pattern':'(?=a)'}");
    }
    ParameterSchema read = foreign(many.append("}}").toString());
    assertThat(read.warnings()).hasSizeLessThanOrEqualTo(100);
    assertThat(faults(read, "{'p999':'b'}")).isEmpty();
  }
}
