package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The faults of values for which there are several alternatives that a member selects.
class AlternativesTest {
  private static final String BASE =
      "'Base':{'type':'object','required':['kind'],'properties':{'kind':{'type':'string','enum':['card','iban']}}}";
  private static final String CARD =
      "'type':'object','properties':{'kind':{'type':'string'},'number':{'type':'string'}},'required':['kind','number']";
  private static final String IBAN =
      "'type':'object','properties':{'kind':{'type':'string'},'iban':{'type':'string'}},'required':['kind','iban']";

  private static List<String> faults(String alternatives, String value) {
    String schema =
        "{'type':'object','properties':{'m':{%s}},'$defs':{%s,'Card':{%s},'Iban':{%s},'C':{'allOf':[{'$ref':'#/$defs/Base'},{%s}]},'I':{'allOf':[{'$ref':'#/$defs/Base'},{%s}]}}}"
            .formatted(alternatives, BASE, CARD, IBAN, CARD, IBAN);
    ParameterSchema parameters =
        ParameterSchema.parse("t", Json.text(schema.replace('\'', '"')), false);
    String arguments = "{'m':" + value + "}";
    return switch (parameters.check(Json.text(arguments.replace('\'', '"')))) {
      case Checked.Accepted accepted -> List.of();
      case Checked.Refused refused ->
          refused.faults().stream()
              .map(
                  fault -> "%s: %s, %s".formatted(fault.pointer(), fault.expected(), fault.found()))
              .map(fault -> fault.replace('"', '\''))
              .toList();
    };
  }

  private static final String BESIDE =
      "[{'$ref':'#/$defs/%1$s','properties':{'kind':{%3$s}}%5$s},{'$ref':'#/$defs/%2$s','properties':{'kind':{%4$s}}%5$s}]";

  private static List<String> all() {
    return List.of(
        BESIDE.formatted(
            "Card", "Iban", "'const':'card'", "'const':'iban'", ",'required':['kind']"),
        BESIDE.formatted(
            "C", "I", "'enum':['card','visa']", "'enum':['iban']", ",'required':['kind']"),
        BESIDE.formatted("C", "I", "'const':'card'", "'const':'iban'", ""),
        "[{'allOf':[{'$ref':'#/$defs/Card'},{'properties':{'kind':{'const':'card'}}}]},"
            + "{'properties':{'kind':{'const':'iban'}},'allOf':[{'$ref':'#/$defs/I'}]}]",
        "[{'properties':{'kind':{'enum':['card']}},'$ref':'#/$defs/Card'},"
            + "{'type':'object','properties':{'kind':{'const':'iban'},'iban':{'type':'string'}},'required':['kind','iban']}]",
        "[{'type':['object','null'],'$ref':'#/$defs/Card','properties':{'kind':{'const':'card'}}},"
            + "{'type':['object','null'],'$ref':'#/$defs/Iban','properties':{'kind':{'const':'iban'}}}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"anyOf", "oneOf"})
  void areThoseOfTheSelectedOne(String word) {
    for (String alternatives : all()) {
      String part = "'" + word + "':" + alternatives;
      assertThat(faults(part, "{'kind':'card'}"))
          .as(part)
          .containsExactly("/m/number: string, missing");
      assertThat(faults(part, "{'kind':'iban','number':'1'}"))
          .as(part)
          .containsExactly("/m/iban: string, missing");
      assertThat(faults(part, "{'kind':'card','number':'1'}")).as(part).isEmpty();
    }
  }

  @Test
  void nameEachPlaceOnce() {
    for (String alternatives : all()) {
      for (String value : List.of("{'kind':'cow'}", "{'kind':5}", "{}", "{'iban':'1'}")) {
        List<String> faults = faults("'anyOf':" + alternatives, value);
        List<String> places =
            faults.stream().map(fault -> fault.substring(0, fault.indexOf(':'))).toList();
        assertThat(places).as(faults + " of " + alternatives).doesNotHaveDuplicates();
        if (!value.equals("{'iban':'1'}")) {
          assertThat(places).as(alternatives).containsExactly("/m/kind");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':'x','n':1} | ",
        "{'n':1} | ",
        "{'a':'y'} | /m/n: string, missing",
        "{'a':'z'} | /m/a: one of ['x','y'], string 'z'",
      })
  void mayBeSelectedByAMemberThatIsNotRequired(String value, @Nullable String fault) {
    String part =
        "'anyOf':[{'type':'object','properties':{'a':{'const':'x'},'n':{'type':'integer'}}},"
            + "{'type':'object','properties':{'a':{'const':'y'},'n':{'type':'string'}},'required':['n']}]";
    assertThat(faults(part, value)).isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  void areOneWhereSeveralPartsSayTheSame() {
    String both = "'allOf':[{'$ref':'#/$defs/Base'},{'$ref':'#/$defs/C'}]";
    assertThat(faults(both, "{'number':'1'}"))
        .containsExactly("/m/kind: one of ['card','iban'], missing");
    assertThat(
            faults(
                "'allOf':[{'$ref':'#/$defs/Base'},{'properties':{'kind':{'const':'card'}}}]",
                "{'kind':'cow'}"))
        .containsExactly("/m/kind: 'card', string 'cow'");
    assertThat(faults("'allOf':[{'type':'string'},{'type':'string','minLength':3}]", "5"))
        .containsExactly("/m: string, number 5");
  }

  @Test
  void areListedUpToFiftyWithTheNearOnesFirst() {
    String values =
        IntStream.range(0, 2_500)
            .mapToObj(i -> "'value_%04d'".formatted(i))
            .collect(Collectors.joining(","));
    for (String part :
        List.of(
            "'enum':[" + values + "]",
            "'type':'string','enum':[" + values + "]",
            "'anyOf':[{'enum':[" + values + "]},{'type':'integer'}]")) {
      String fault = faults(part, "'vlue_2490'").getFirst();
      assertThat(fault)
          .startsWith("/m: one of ['value_2490',")
          .contains("'value_0000'", "] or 2450 more")
          .hasSizeLessThan(1_200);
    }
    assertThat(faults("'enum':[1," + values + "]", "7").getFirst())
        .startsWith("/m: one of [1,'value_0000',")
        .contains("] or 2451 more, number 7");
    String large = "[" + values + "]";
    assertThat(faults("'enum':[1," + large + "]", "7").getFirst()).hasSizeLessThan(200);
    String many =
        IntStream.range(0, 300)
            .mapToObj(i ->
                "{'type':'object','required':['a'],'properties':{'a':{'minimum':%d}}}"
                    .formatted(i + 5))
            .collect(Collectors.joining(","));
    assertThat(faults("'anyOf':[" + many + "]", "{'a':1}").getFirst()).hasSizeLessThan(1_000);
  }
}
