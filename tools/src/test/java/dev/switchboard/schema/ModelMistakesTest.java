package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.tool.Range;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The mistakes that models make, each against a typed tool and a dynamic one of the same schema.
class ModelMistakesTest {
  enum Seat {
    INSIDE,
    OUTSIDE
  }

  record Guest(String name, int age) {}

  record Booking(
      @Range(min = 1, max = 20) int partySize,
      Seat seat,
      Guest guest,
      List<String> tags,
      Optional<String> note) {}

  private static final String GOOD =
      "{\"partySize\":4,\"seat\":\"INSIDE\",\"guest\":{\"name\":\"Ada\",\"age\":36},\"tags\":[\"a\"],\"note\":\"n\"}";

  private final ParameterSchema typed = ParameterSchema.of("book", Booking.class, false);
  private final ParameterSchema dynamic = ParameterSchema.parse("book", typed.json(), false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "`\"partySize\":4,` -> `` : /partySize | integer | missing",
        "`\"age\":36` -> `\"x\":1` : /guest/age | integer | missing : /guest/x | no such property |"
            + " number 1",
        "`36` -> `null` : /guest/age | integer | null",
        "`\"seat\":\"INSIDE\"` -> `\"seat\":null` : /seat | one of [\"INSIDE\",\"OUTSIDE\"] | null",
        "`:4` -> `:\"4\"` : /partySize | integer | string \"4\"",
        "`:4` -> `:4.7` : /partySize | integer | number 4.7",
        "`:4` -> `:21` : /partySize | integer between 1 and 20 | number 21",
        "`\"Ada\"` -> `7` : /guest/name | string | number 7",
        "`\"INSIDE\"` -> `\"ROOF\"` : /seat | one of [\"INSIDE\",\"OUTSIDE\"] | string \"ROOF\"",
        "`\"INSIDE\"` -> `\"inside\"` : /seat | one of [\"INSIDE\",\"OUTSIDE\"] | string"
            + " \"inside\"",
        "`{\"partySize\"` -> `{\"zzz\":true,\"partySize\"` : /zzz | no such property | boolean"
            + " true",
        "`partySize` -> `party_size` : /partySize | integer | missing : /party_size | no such"
            + " property (did you mean 'partySize'?) | number 4",
        "`{\"name\":\"Ada\",\"age\":36}` -> `\"{\\\"name\\\":\\\"Ada\\\"}\"` : /guest | object |"
            + " string \"{\\\"name\\\":\\\"Ada\\\"}\"",
        "`[\"a\"]` -> `\"a\"` : /tags | array | string \"a\"",
        "`[\"a\"]` -> `[\"a\",null]` : /tags/1 | string | null",
        "`,\"note\":\"n\"}` -> `` :  | a JSON object | truncated JSON (line 1, column 76)",
        "`\"n\"}` -> `\"n\",}` :  | a JSON object | broken JSON (line 1, column 88)",
        "`{\"partySize\"` -> `{\"note\":\"a\",\"partySize\"` : /note | each member once | the same"
            + " name a second time",
        "`:4` -> `:1e400` : /partySize | a number in the range of a double | a number out of range",
        "`:4` -> `:1e999999999` : /partySize | a number in the range of a double | a number out of"
            + " range",
        "`\"n\"` -> `\"\\ud800\"` : /note | text of whole characters | half a surrogate pair"
      })
  void areRefusedWithTheirPlace(String line) {
    String[] parts = line.split(" : ", -1);
    String from = parts[0].substring(1, parts[0].indexOf("` -> `"));
    String to = parts[0].substring(parts[0].indexOf("` -> `") + 6, parts[0].length() - 1);
    String text = GOOD.replace(from, to);
    assertThat(text).isNotEqualTo(GOOD);
    List<Fault> expected = new java.util.ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      String[] fault = parts[i].split(" ?\\| ", 3);
      expected.add(new Fault(fault[0].strip(), fault[1].strip(), fault[2].strip()));
    }
    assertThat(faults(typed, text)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(faults(dynamic, text)).isEqualTo(faults(typed, text));
  }

  @Test
  void writeNumbersThatTheJavaTypeDoesNotHold() {
    String text = GOOD.replace("36", "9999999999");
    assertThat(faults(typed, text))
        .containsExactly(
            new Fault(
                "/guest/age", "integer between -2147483648 and 2147483647", "number 9999999999"));
    assertThat(faults(dynamic, text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "\"x\"",
        "4",
        "null",
        "{} {}",
        "nul",
        "{\"a\":01}",
        "{'a':1}",
        "\u0000"
      })
  void areNoObject(String text) {
    for (ParameterSchema schema : List.of(typed, dynamic)) {
      assertThat(faults(schema, text))
          .singleElement()
          .satisfies(fault -> {
            assertThat(fault.pointer()).isEmpty();
            assertThat(fault.expected()).isEqualTo("a JSON object");
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {184, 201, 5_000, 1_000_000})
  void nestTooDeep(int levels) {
    String text = GOOD.replace("\"n\"", "[".repeat(levels) + "]".repeat(levels));
    for (ParameterSchema schema : List.of(typed, dynamic)) {
      assertThat(faults(schema, text))
          .containsExactly(new Fault("/note", "at most 184 levels of nesting", "more"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 1_001, 100_000})
  void writeNumbersOfManyDigits(int digits) {
    String text = GOOD.replace(":4", ":" + "9".repeat(digits));
    for (ParameterSchema schema : List.of(typed, dynamic)) {
      assertThat(faults(schema, text))
          .singleElement()
          .extracting(Fault::pointer)
          .isEqualTo("/partySize");
    }
  }

  private static List<Fault> faults(ParameterSchema schema, String text) {
    assertThat(schema.check(Json.text(GOOD))).isInstanceOf(Checked.Accepted.class);
    return schema.check(Json.text(text)) instanceof Checked.Refused refused
        ? refused.faults()
        : List.of();
  }
}
