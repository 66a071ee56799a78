package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairTest {
  enum Seat {
    INSIDE,
    OUTSIDE
  }

  record Guest(String name, Optional<Integer> age) {}

  record Booking(int n, boolean window, Seat seat, Guest guest, List<Integer> tables) {}

  private static final String GOOD =
      "{\"n\":4,\"window\":true,\"seat\":\"INSIDE\",\"guest\":{\"name\":\"Ada\",\"age\":36},\"tables\":[1]}";

  private final ParameterSchema typed = ParameterSchema.of("book", Booking.class, false);
  private final ParameterSchema dynamic = ParameterSchema.parse("book", typed.json(), false);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        ":4 | :\"4\" | /n: string \"4\" read as 4",
        ":true | :\"True\" | /window: string \"True\" read as true",
        "\"INSIDE\" | \"inside\" | /seat: string \"inside\" read as \"INSIDE\"",
        "{\"name\":\"Ada\",\"age\":36} | \"{\\\"name\\\":\\\"Ada\\\",\\\"age\\\":36}\" | /guest:"
            + " string read as object",
        ":36 | :\"36\" | /guest/age: string \"36\" read as 36",
        "[1] | 1 | /tables: number 1 read as a list of one",
        "[1] | \"[1]\" | /tables: string read as array",
        "[1] | [1,] | the arguments: trailing comma left out",
        "[1]} | [1],} | the arguments: trailing comma left out"
      })
  void mendsOneSlip(String from, String to, String repair) {
    String text = GOOD.replace(from, to);
    for (ParameterSchema schema : List.of(typed, dynamic)) {
      assertThat(schema.check(Json.text(text))).isInstanceOf(Checked.Refused.class);
      assertThat(schema.repairing(true).check(Json.text(text)))
          .isInstanceOfSatisfying(
              Checked.Accepted.class,
              accepted -> {
                assertThat(accepted.repairs()).containsExactly(repair);
                assertThat(accepted.arguments().digest()).isEqualTo(Json.text(GOOD).digest());
                assertThat(accepted.bound())
                    .isEqualTo(((Checked.Accepted) schema.check(Json.text(GOOD))).bound());
              });
    }
  }

  @Test
  void mendsArgumentsSentAsAString() {
    Json sent = Json.of(GOOD.replace("{\"n\"", "{\"request_heartbeat\":true,\"n\""));
    assertThat(typed.repairing(true).check(sent))
        .isInstanceOfSatisfying(
            Checked.Accepted.class,
            accepted -> {
              assertThat(accepted.repairs())
                  .containsExactly("the arguments: string read as object");
              assertThat(accepted.arguments().digest()).isEqualTo(Json.text(GOOD).digest());
            });
  }

  @Test
  void reportsFaultsOfSentArgumentsIfRepairFails() {
    String text = GOOD.replace(":4", ":\"4\"").replace("true", "7");
    assertThat(typed.repairing(true).check(Json.text(text)))
        .isEqualTo(typed.check(Json.text(text)));
    assertThat(((Checked.Refused) typed.repairing(true).check(Json.text(text))).faults())
        .hasSize(2);
  }

  @Test
  void neverMendsStrictTools() {
    ParameterSchema strict = ParameterSchema.of("book", Booking.class, true);
    assertThat(strict.check(Json.text(GOOD))).isInstanceOf(Checked.Accepted.class);
    assertThat(strict.repairing(true).check(Json.text(GOOD.replace(":4", ":\"4\""))))
        .isInstanceOf(Checked.Refused.class);
  }

  @Test
  void leavesGoodArgumentsAlone() {
    Json given = Json.text(GOOD);
    assertThat(typed.repairing(true).check(given)).isEqualTo(typed.check(given));
  }

  @Test
  void mendsWithinAlternatives() {
    ParameterSchema union =
        ParameterSchema.parse(
            "x",
            Json.text(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"integer\",\"null\"]},\"b\":{\"anyOf\":["
                    + "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]},"
                    + "{\"type\":\"object\",\"required\":[\"m\"]}]}}}"),
            false);
    assertThat(union.repairing(true).check(Json.text("{\"a\":\"4\",\"b\":{\"n\":\"5\"}}")))
        .isInstanceOfSatisfying(
            Checked.Accepted.class,
            accepted ->
                assertThat(accepted.arguments().text()).isEqualTo("{\"a\":4,\"b\":{\"n\":5}}"));
  }

  @Test
  void takesCommasOutBetweenStringsOnly() {
    Json given = Json.text("{\"a\":\",}\\\"],\",\"b\":[1, 2 , ] , }");
    ParameterSchema open =
        ParameterSchema.parse("x", Json.text("{\"type\":\"object\",\"properties\":{}}"), false);
    assertThat(open.repairing(true).check(given))
        .isInstanceOfSatisfying(
            Checked.Accepted.class,
            accepted ->
                assertThat(accepted.arguments().text())
                    .isEqualTo("{\"a\":\",}\\\"],\",\"b\":[1,2]}"));
  }
}
