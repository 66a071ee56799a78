package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NonNull;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterSchemaTest {
  record Point(int x, int y) {}

  record Line(Point from, Optional<Point> to) {}

  record Word(String text) {
    Word {
      if (!text.matches("(a|b)*")) {
        throw new IllegalArgumentException("only a and b");
      }
    }
  }

  private static ParameterSchema dynamic(String schema) {
    return ParameterSchema.parse("x", Json.text(schema), false);
  }

  private static List<String> faults(ParameterSchema schema, String text) {
    return switch (schema.check(Json.text(text))) {
      case Checked.Refused refused ->
          refused.faults().stream()
              .map(f -> f.pointer() + ": " + f.expected() + ", not " + f.found())
              .toList();
      case Checked.Accepted accepted -> List.of();
    };
  }

  @Test
  void bindsTypedArgumentsAndKeepsTheJsonGiven() {
    Json given = Json.text(" {\"from\" : {\"x\":4.0,\"y\":1e2}, \"to\": null}");
    Checked checked = ParameterSchema.of("line", Line.class, false).check(given);
    assertThat(checked)
        .isEqualTo(
            new Checked.Accepted(given, new Line(new Point(4, 100), Optional.empty()), List.of()));
    assertThat(((Checked.Accepted) checked).arguments()).isSameAs(given);
  }

  @Test
  void bindsNothingForDynamicArguments() {
    Checked checked =
        dynamic("{\"type\":\"object\",\"properties\":{}}").check(Json.text("{\"a\":1}"));
    assertThat(checked).isEqualTo(new Checked.Accepted(Json.text("{\"a\":1}"), null, List.of()));
  }

  @Test
  void showsTheSchemaCompactlyInTheOrderGiven() {
    String schema =
        "{ \"type\": \"object\",\n \"properties\": {\"b\": {}, \"a\": {}}, \"required\": [\"a\"] }";
    assertThat(dynamic(schema).json().text())
        .isEqualTo("{\"type\":\"object\",\"properties\":{\"b\":{},\"a\":{}},\"required\":[\"a\"]}");
  }

  @Test
  void acceptsEmptyTextIfNoArgumentIsRequired() {
    assertThat(dynamic("{\"type\":\"object\",\"properties\":{\"a\":{}}}").check(Json.text("")))
        .isEqualTo(new Checked.Accepted(Json.EMPTY_OBJECT, null, List.of()));
    assertThat(
            faults(
                dynamic("{\"type\":\"object\",\"properties\":{\"a\":{}},\"required\":[\"a\"]}"),
                ""))
        .containsExactly(": a JSON object, not no JSON at all");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"request_heartbeat\":true,\"x\":1,\"y\":2}",
            "{\"x\":1, \"request_heartbeat\" : false , \"y\":2}",
        "{\"x\":1,\"y\":2,\"request_heartbeat\":true}",
            "{\"x\":1,\"y\":2 , \"request_heartbeat\":true }"
      })
  void takesAnUndeclaredHeartbeatOut(String text) {
    Checked checked = ParameterSchema.of("point", Point.class, false).check(Json.text(text));
    assertThat(checked)
        .isInstanceOfSatisfying(
            Checked.Accepted.class,
            accepted -> {
              assertThat(accepted.bound()).isEqualTo(new Point(1, 2));
              assertThat(accepted.arguments().tree())
                  .isEqualTo(Json.text("{\"x\":1,\"y\":2}").tree());
            });
  }

  @Test
  void leavesADeclaredHeartbeatAndOneThatIsNotABoolean() {
    ParameterSchema declared =
        dynamic(
            "{\"type\":\"object\",\"properties\":{\"request_heartbeat\":{\"type\":\"boolean\"}}}");
    Json given = Json.text("{\"request_heartbeat\":true}");
    assertThat(((Checked.Accepted) declared.check(given)).arguments()).isSameAs(given);
    ParameterSchema point = ParameterSchema.of("point", Point.class, false);
    assertThat(faults(point, "{\"x\":1,\"y\":2,\"request_heartbeat\":1}"))
        .containsExactly("/request_heartbeat: no such property, not number 1");
    assertThat(faults(point, "{\"x\":1,\"y\":2,\"z\":{\"request_heartbeat\":true}}")).hasSize(1);
    assertThat(
            faults(
                point, "{\"x\":1,\"request_heartbeat\":true,\"request_heartbeat\":true,\"y\":2}"))
        .isNotEmpty();
  }

  @Test
  void takesTheHeartbeatOutOfALongText() {
    ParameterSchema open = dynamic("{\"type\":\"object\",\"properties\":{}}");
    String filler = "\"" + "x".repeat(100_000) + "\"";
    Json sent =
        Json.text("{\"a\":" + filler + ", \"request_heartbeat\": true, \"b\":" + filler + "}");
    assertThat(open.check(sent))
        .isInstanceOfSatisfying(
            Checked.Accepted.class,
            accepted ->
                assertThat(accepted.arguments().text())
                    .isEqualTo("{\"a\":" + filler + ", \"b\":" + filler + "}"));
  }

  @Test
  void refusesWhatOverflowsAConstructor() {
    ParameterSchema word = ParameterSchema.of("word", Word.class, false);
    assertThat(faults(word, "{\"text\":\"abc\"}"))
        .containsExactly(": object that its type accepts, not one that it refuses: only a and b");
    assertThat(faults(word, "{\"text\":\"" + "ab".repeat(500_000) + "\"}"))
        .containsExactly(
            ": object that its type accepts, not one that it refuses: StackOverflowError");
  }

  @Test
  void takesTheHeartbeatAloneOut() {
    ParameterSchema open = dynamic("{\"type\":\"object\",\"properties\":{}}");
    assertThat(
            ((Checked.Accepted) open.check(Json.text("{ \"request_heartbeat\": true }")))
                .arguments()
                .tree())
        .isEqualTo(Json.EMPTY_OBJECT.tree());
  }

  @Test
  void countsARefusalByTheConstructorAsAFaultOfItsObject() {
    record Trip(String name, Zoo.Interval days) {}
    ParameterSchema trip = ParameterSchema.of("trip", Trip.class, false);
    assertThat(faults(trip, "{\"name\":\"a\",\"days\":{\"from\":3,\"to\":1}}"))
        .containsExactly(
            "/days: object that its type accepts, not one that it refuses: from must not be after"
                + " to");
  }

  @Test
  void findsDuplicatesWhereverTheyAre() {
    ParameterSchema open = dynamic("{\"type\":\"object\",\"properties\":{\"a\":{}}}");
    String twice = "each member once, not the same name a second time";
    assertThat(faults(open, "{\"a\":{\"b/c\":[{\"d\":1,\"d\":2}]}}"))
        .containsExactly("/a/b~1c/0/d: " + twice);
    assertThat(faults(open, "{\"a\":1,\"z\":1,\"z\":2}")).containsExactly("/z: " + twice);
    assertThat(faults(open, "{\"a\":1,\"\\u0061\":2}")).containsExactly("/a: " + twice);
    assertThat(faults(open, "{\"a\":1e400,\"b\":[1e-400,1e99999999999,-1e400],\"c\":0e99}"))
        .hasSize(4);
  }

  @Test
  void countsMembersBeyondTheSixtyFourth() {
    String properties =
        IntStream.range(0, 130)
            .mapToObj(i -> "\"p" + i + "\":{\"type\":\"integer\"}")
            .collect(Collectors.joining(","));
    ParameterSchema wide =
        dynamic(
            "{\"type\":\"object\",\"properties\":{"
                + properties
                + "},\"required\":[\"p0\",\"p64\",\"p129\"],\"maxProperties\":3}");
    assertThat(faults(wide, "{\"p0\":1,\"p64\":1,\"p129\":1}")).isEmpty();
    assertThat(faults(wide, "{\"p0\":1,\"p64\":1}")).containsExactly("/p129: integer, not missing");
    assertThat(faults(wide, "{\"p0\":1,\"p64\":1,\"p129\":1,\"p100\":1}")).hasSize(1);
    assertThat(faults(wide, "{\"p0\":1,\"p64\":1,\"p129\":1,\"p129\":1}")).hasSize(1);
  }

  @Test
  void explainsTheAlternativeThatIsMeant() {
    ParameterSchema union =
        dynamic(
            """
            {"type":"object","properties":{"to":{"anyOf":[
              {"type":"object","properties":{"mail":{"type":"string","format":"email"}},"required":["mail"]},
              {"type":"object","properties":{"phone":{"type":"string"},"country":{"type":"string"}},"required":["phone","country"]},
              {"type":"null"}]}}}\
            """);
    assertThat(faults(union, "{\"to\":{\"mail\":\"nobody\"}}"))
        .containsExactly("/to/mail: string in format email, not string \"nobody\"");
    assertThat(faults(union, "{\"to\":4}")).containsExactly("/to: object or null, not number 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        // Told apart by a tag.
        "{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"card\"}},\"required\":[\"kind\"]},{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"cash\"}},\"required\":[\"kind\"]}]}"
            + " | {\"kind\":\"check\"} | /p/kind: one of [\"card\",\"cash\"], not string \"check\"",
        "{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"card\"}},\"required\":[\"kind\"]},{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"cash\"}},\"required\":[\"kind\"]}]}"
            + " | {} | /p/kind: one of [\"card\",\"cash\"], not missing",
        "{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"card\"},\"no\":{\"type\":\"integer\"},\"to\":{}},\"required\":[\"kind\",\"no\",\"to\"]},{\"type\":\"object\",\"properties\":{\"kind\":{\"enum\":[\"cash\",\"coin\"]}},\"required\":[\"kind\"]}]}"
            + " | {\"kind\":\"card\",\"to\":1} | /p/no: integer, not missing",
        // Each lacks something else.
        "{\"properties\":{\"a\":{\"type\":\"string\"}},\"anyOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}"
            + " | {} | /p: 'a' as any value; or 'b' as any value, not object",
        // All speak of the value itself.
        "{\"anyOf\":[{\"type\":\"integer\",\"maximum\":3},{\"type\":\"integer\",\"minimum\":10}]}"
            + " | 5 | /p: integer of at most 3 or integer of at least 10, not number 5",
        "{\"type\":\"string\",\"anyOf\":[{\"maxLength\":2},{\"minLength\":4}]} | \"foo\" | /p:"
            + " string of at most 2 characters or string of at least 4 characters, not string"
            + " \"foo\"",
        "{\"anyOf\":[false,false]} | 1 | /p: nothing, not number 1",
        "{\"anyOf\":[{\"enum\":[\"a\",\"b\"]},{\"enum\":[\"c\"]}]} | \"d\" | /p: one of"
            + " [\"a\",\"b\",\"c\"], not string \"d\"",
        // One is nearer.
        "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]},{\"properties\":{\"b\":{},\"c\":{}},\"required\":[\"b\",\"c\"]}]}"
            + " | {\"a\":1} | /p/a: string, not number 1",
        // Keywords beyond types and bounds.
        "{\"not\":{\"required\":[\"q\"]}} | {\"q\":1} | /p: a value that does not match"
            + " {\"required\":[\"q\"]}, not object",
        "{\"propertyNames\":{\"enum\":[\"RED\",\"GREEN\"]}} | {\"BLUE\":1} | /p/BLUE: a name that"
            + " is one of [\"RED\",\"GREEN\"], not \"BLUE\"",
        "{\"patternProperties\":{\"^x-\":{}},\"properties\":{\"partySize\":{}},\"additionalProperties\":false}"
            + " | {\"party_size\":1} | /p/party_size: no such property (did you mean 'partySize'?),"
            + " not number 1",
        "{\"patternProperties\":{\"^x-\":{\"maxLength\":2}}} | {\"x-a\":\"abc\"} | /p/x-a: string"
            + " of at most 2 characters, not string \"abc\"",
        "{\"contains\":{\"type\":\"integer\"}} | [\"a\"] | /p: array of at least 1 item that is"
            + " integer, not none of them",
        "{\"minLength\":1} | \"\" | /p: string of at least 1 character, not string \"\"",
        "{\"maxItems\":1} | [1,2] | /p: array of at most 1 item, not array of 2",
        "{\"minItems\":3,\"maxItems\":3} | [1] | /p: array of 3 items, not array of 1",
        "{\"type\":\"object\",\"minProperties\":1,\"maxProperties\":1} | {} | /p: object of 1"
            + " member, not object of 0",
        "{\"type\":\"object\",\"minProperties\":1,\"properties\":{\"a\":{}}} | {} | /p: object of"
            + " at least 1 member, not object of 0",
        "{\"dependencies\":{\"a\":[\"b\"]}} | {\"a\":1} | /p/b: a value beside 'a', not missing",
        "{\"dependentSchemas\":{\"a\":{\"properties\":{\"b\":{\"type\":\"string\"}}}}} |"
            + " {\"a\":1,\"b\":2} | /p/b: string, not number 2",
        "{\"if\":{\"required\":[\"a\"]},\"then\":{\"properties\":{\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]}}"
            + " | {\"a\":1} | /p/b: string, not missing",
        "{\"properties\":{\"a\":{}},\"unevaluatedProperties\":false} | {\"b\":1} | /p/b: no such"
            + " property, not number 1",
        "{\"prefixItems\":[{}],\"unevaluatedItems\":false} | [1,2] | /p/1: no such item, not number"
            + " 2",
        "{\"patternProperties\":{\"^x-\":{}},\"properties\":{\"seat\":{\"enum\":[\"in\",\"out\"]}}}"
            + " | {\"seat\":\"IN\"} | /p/seat: one of [\"in\",\"out\"], not string \"IN\""
      })
  void saysWhatAModelCanMend(String schema, String value, String fault) {
    ParameterSchema parameters =
        dynamic("{\"type\":\"object\",\"properties\":{\"p\":" + schema + "}}");
    assertThat(faults(parameters, "{\"p\":" + value + "}")).containsExactly(fault);
  }

  @Test
  void boundsTheWorkOfEntangledAlternatives() {
    ParameterSchema entangled =
        dynamic(
            """
            {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[
              {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["a"]},
              {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["b"]}]}}}\
            """);
    String deep = "{\"n\":".repeat(150) + "{}" + "}".repeat(150);
    assertThat(faults(entangled, deep))
        .containsExactly(
            ": arguments that can be checked in reasonable time, not too many alternatives");
  }

  @Test
  void reportsAtMostAHundredFaults() {
    ParameterSchema list =
        dynamic(
            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}");
    assertThat(faults(list, "{\"a\":[" + "1,".repeat(5_000) + "1]}")).hasSize(100);
  }

  @Test
  void showsValuesCutAndEscaped() {
    ParameterSchema one =
        dynamic("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}");
    assertThat(faults(one, "{\"a\":\"" + "x".repeat(50) + "\"}"))
        .containsExactly("/a: integer, not string \"" + "x".repeat(40) + "…\"");
    assertThat(faults(one, "{\"a\":\"a\\n\\\"b\\u0007\"}"))
        .containsExactly("/a: integer, not string \"a\\u000a\\\"b\\u0007\"");
  }

  record Values(@NonNull Object one, List<@NonNull Object> several) {}

  @Test
  void refusesNullWhereAnyValueIsNeverNull() {
    ParameterSchema values = ParameterSchema.of("x", Values.class, false);
    assertThat(faults(values, "{\"one\":{\"a\":null},\"several\":[1,[null]]}")).isEmpty();
    assertThat(faults(values, "{\"one\":null,\"several\":[null]}"))
        .containsExactly(
            "/one: any value but null, not null", "/several/0: any value but null, not null");
  }
}
