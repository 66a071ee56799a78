package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.Records;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.Doc;
import dev.switchboard.tool.Range;
import dev.switchboard.tool.ToolSchemaException;
import jakarta.validation.constraints.Max;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

@SuppressWarnings("ArrayRecordComponent")
class RecordSchemasTest {
  @Doc("One guest.")
  record Guest(String name, @Doc("In years") int age) {}

  record Booking(
      Guest guest,
      @JsonProperty("seat_kind") Seat seat,
      @JsonPropertyDescription("Anything else") Optional<String> note,
      @Default("2") @Range(min = 1, max = 20) int size) {}

  enum Seat {
    INSIDE,
    @JsonProperty("outdoors")
    OUTSIDE
  }

  private static String open(Class<?> type) {
    return ParameterSchema.of("x", type, false).json().text();
  }

  private static String strict(Class<?> type) {
    return ParameterSchema.of("x", type, true).json().text();
  }

  private static JsonNode property(String schema, String name) {
    return Json.text(schema).tree().path("properties").path(name);
  }

  @Test
  void writesNestedRecordsInPlaceInTheOrderOfTheirComponents() {
    assertThat(open(Booking.class))
        .isEqualTo(
            "{\"type\":\"object\",\"properties\":{\"guest\":{\"type\":\"object\",\"description\":\"One"
                + " guest.\",\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\",\"description\":\"In"
                + " years\"}},\"required\":[\"name\",\"age\"],\"additionalProperties\":false},"
                + "\"seat_kind\":{\"type\":\"string\",\"enum\":[\"INSIDE\",\"outdoors\"]},\"note\":{\"type\":\"string\",\"description\":\"Anything"
                + " else\"},"
                + "\"size\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":20,\"default\":2}},"
                + "\"required\":[\"guest\",\"seat_kind\"],\"additionalProperties\":false}");
  }

  @Test
  void writesOptionalComponentsAsNullableWhenStrict() {
    String schema = strict(Zoo.Optionals.class);
    assertThat(property(schema, "text").toString()).isEqualTo("{\"type\":[\"string\",\"null\"]}");
    assertThat(property(schema, "color").toString())
        .isEqualTo(
            "{\"type\":[\"string\",\"null\"],\"enum\":[\"RED\",\"GREEN\",\"light-blue\",null]}");
    assertThat(property(schema, "place").path("anyOf").path(1).toString())
        .isEqualTo("{\"type\":\"null\"}");
    assertThat(Json.text(schema).tree().path("required").size()).isEqualTo(9);
  }

  @Test
  void writesDefaultsAsNullableWhenStrictAndBindsNullToThem() {
    record Party(@Default("2") int size) {}
    ParameterSchema schema = ParameterSchema.of("x", Party.class, true);
    assertThat(property(schema.json().text(), "size").has("default")).isFalse();
    assertThat(schema.check(Json.text("{\"size\":null}")))
        .extracting("bound")
        .isEqualTo(new Party(2));
    assertThat(schema.check(Json.text("{}"))).isInstanceOf(Checked.Refused.class);
    assertThat(ParameterSchema.of("x", Party.class, false).check(Json.text("{}")))
        .extracting("bound")
        .isEqualTo(new Party(2));
  }

  @Test
  void givesEachCallItsOwnMutableDefault() {
    record Numbers(@Default("[1,2]") int[] list) {}
    ParameterSchema schema = ParameterSchema.of("x", Numbers.class, false);
    Numbers one = (Numbers) ((Checked.Accepted) schema.check(Json.text("{}"))).bound();
    Numbers other = (Numbers) ((Checked.Accepted) schema.check(Json.text("{}"))).bound();
    assertThat(one.list()).containsExactly(1, 2).isNotSameAs(other.list());
  }

  @Test
  void definesOnlyTypesThatHoldThemselves() {
    assertThat(open(Zoo.Tree.class)).contains("\"items\":{\"$ref\":\"#\"}").doesNotContain("$defs");
    JsonNode drawing = Json.text(open(Zoo.Drawing.class)).tree();
    assertThat(drawing.path("$defs").propertyNames()).containsExactly("Figure");
    assertThat(open(Zoo.Search.class)).doesNotContain("$defs", "$ref");
  }

  @Test
  void tellsTheRecordsOfASealedInterfaceApart() {
    JsonNode figure = Json.text(open(Zoo.Figure.class)).tree();
    assertThat(figure.path("type").stringValue()).isEqualTo("object");
    assertThat(
            figure
                .path("oneOf")
                .valueStream()
                .map(each -> each.at("/properties/type/const").stringValue()))
        .containsExactly("circle", "square", "all");
    assertThat(strict(Zoo.Drawing.class))
        .contains("\"anyOf\":[{\"type\":\"object\"")
        .doesNotContain("oneOf");
    assertThat(Records.typeOf(SmsMessageV2.class)).isEqualTo("sms_message_v2");
    assertThat(Records.typeOf(HTTPCall.class)).isEqualTo("http_call");
  }

  record SmsMessageV2() {}

  record HTTPCall() {}

  @Test
  void bindsAVariantWhereverItsTagStands() {
    ParameterSchema schema = ParameterSchema.of("x", Zoo.Figure.class, false);
    for (String text :
        List.of("{\"type\":\"circle\",\"radius\":1}", "{\"radius\":1,\"type\":\"circle\"}")) {
      assertThat(schema.check(Json.text(text)))
          .extracting("bound")
          .isEqualTo(new Zoo.Figure.Circle(1));
    }
    assertThat(((Checked.Refused) schema.check(Json.text("{\"radius\":1}"))).faults())
        .containsExactly(new Fault("/type", "one of [\"circle\",\"square\",\"all\"]", "missing"));
  }

  static List<Class<?>> types() {
    return Zoo.TYPES;
  }

  @ParameterizedTest
  @MethodSource("types")
  void usesOnlyTheKeywordsThatStrictAllows(Class<?> type) {
    if (List.of(Zoo.Maps.class, Zoo.Anything.class, Zoo.Figure.class).contains(type)) {
      return;
    }
    Json schema = ParameterSchema.of("x", type, true).json();
    assertThat(ParameterSchema.faultsOf("x", schema, true)).isEmpty();
    List<String> allowed =
        List.of(
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "const",
            "anyOf",
            "$ref",
            "$defs",
            "description",
            "pattern",
            "format",
            "multipleOf",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "minItems",
            "maxItems");
    assertOnly(schema.tree(), allowed);
  }

  private static void assertOnly(JsonNode schema, List<String> allowed) {
    assertThat(allowed).containsAll(schema.propertyNames());
    schema.path("properties").forEach(child -> assertOnly(child, allowed));
    schema.path("$defs").forEach(child -> assertOnly(child, allowed));
    schema.path("anyOf").forEach(child -> assertOnly(child, allowed));
    schema.path("items").path("x");
    if (schema.has("items")) {
      assertOnly(schema.path("items"), allowed);
    }
  }

  @Test
  void writesConstraintsAsKeywords() {
    String schema = open(Zoo.Constrained.class);
    assertThat(property(schema, "guests").toString())
        .isEqualTo("{\"type\":\"integer\",\"minimum\":1,\"maximum\":20}");
    assertThat(property(schema, "code").toString())
        .isEqualTo("{\"type\":\"string\",\"minLength\":2,\"maxLength\":3}");
    assertThat(property(schema, "name").toString())
        .isEqualTo("{\"type\":\"string\",\"pattern\":\"\\\\S\"}");
    assertThat(property(schema, "number").path("pattern").stringValue())
        .isEqualTo("^(?:[A-Z]+-\\d+)$");
    assertThat(property(schema, "mail").toString())
        .isEqualTo("{\"type\":\"string\",\"format\":\"email\"}");
    assertThat(property(schema, "price").toString())
        .isEqualTo("{\"type\":\"number\",\"exclusiveMinimum\":0}");
    assertThat(property(schema, "weight").toString())
        .isEqualTo("{\"type\":\"number\",\"exclusiveMinimum\":0.5,\"maximum\":10}");
    assertThat(property(schema, "tags").toString())
        .isEqualTo(
            "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"\\\\S\"},\"minItems\":1,\"maxItems\":2}");
    assertThat(property(schema, "digits").path("multipleOf").toString()).isEqualTo("0.1");
    assertThat(property(schema, "more").path("minimum").intValue()).isEqualTo(5);
    assertThat(property(open(Zoo.Maps.class), "counts").path("minProperties").intValue())
        .isEqualTo(1);
  }

  record Stay(@Range(min = 1) short nights, @Max(10_000_000_000L) int cents, Duration notice) {}

  @Test
  void offersTheLimitsOfTheDeveloperAndChecksThoseOfTheTypeToo() {
    ParameterSchema schema = ParameterSchema.of("stay", Stay.class, false);
    assertThat(schema.json().tree().path("properties").toString())
        .isEqualTo(
            "{\"nights\":{\"type\":\"integer\",\"minimum\":1},"
                + "\"cents\":{\"type\":\"integer\",\"maximum\":10000000000},"
                + "\"notice\":{\"type\":\"string\",\"format\":\"duration\"}}");
    Checked checked =
        schema.check(Json.text("{\"nights\":40000,\"cents\":3000000000,\"notice\":\"P1M\"}"));
    assertThat(checked)
        .isEqualTo(
            new Checked.Refused(
                List.of(
                    new Fault("/nights", "integer between 1 and 32767", "number 40000"),
                    new Fault(
                        "/cents",
                        "integer between -2147483648 and 2147483647",
                        "number 3000000000"),
                    new Fault("/notice", "duration (PT1H30M)", "string \"P1M\""))));
  }

  record Unfit(
      ZoneId zone,
      List<Locale> locales,
      @Range(min = 1) String text,
      @Default("x") int number,
      Thread.State state,
      Map<Integer, String> map) {}

  @Test
  void namesEveryComponentThatHasNoSchema() {
    assertThatThrownBy(() -> ParameterSchema.of("book", Unfit.class, false))
        .isInstanceOf(ToolSchemaException.class)
        .hasMessage(
            """
            tool 'book': `parameters.properties.zone` is of the type java.time.ZoneId, which has no JSON Schema here.
            tool 'book': `parameters.properties.locales.items` is of the type java.util.Locale, which has no JSON Schema here.
            tool 'book': `parameters.properties.text` has bounds, but is not a number.
            tool 'book': `parameters.properties.number` has the default "x", which does not fit: expected integer, found string "x".
            tool 'book': `parameters.properties.map` is a map whose keys are neither strings nor an enum's constants.\
            """);
  }

  @Test
  void namesWhatStrictCannotSay() {
    assertThatThrownBy(() -> ParameterSchema.of("x", Zoo.Maps.class, true))
        .hasMessageContaining(
            "tool 'x': `parameters.properties.counts` is a map, which strict does not allow.");
    assertThatThrownBy(() -> ParameterSchema.of("x", Zoo.Anything.class, true))
        .hasMessageContaining(
            "tool 'x': `parameters.properties.object` takes anything, which strict does not"
                + " allow.");
    assertThatThrownBy(() -> ParameterSchema.of("x", Zoo.Figure.class, true))
        .hasMessageContaining("wrap it in a record");
    assertThatThrownBy(() -> ParameterSchema.of("x", String.class, false))
        .hasMessageContaining("must be a record");
    assertThatThrownBy(() -> ParameterSchema.of("x", Zoo.Page.class, false))
        .hasMessageContaining("has the open type variable T");
  }

  @SuppressWarnings("rawtypes")
  record Raw(List list, Optional optional) {}

  @Test
  void wantsTypesForElements() {
    assertThatThrownBy(() -> ParameterSchema.of("x", Raw.class, false))
        .hasMessage(
            "tool 'x': `parameters.properties.list` names no type for its elements.\n"
                + "tool 'x': `parameters.properties.optional` names no type for its elements.");
  }

  record Answer(
      String text,
      Optional<Integer> count,
      @Nullable Seat seat,
      OptionalInt left,
      Map<String, Object> more) {}

  @Test
  void describesAnswers() {
    assertThat(OutputSchema.of(Answer.class).text())
        .isEqualTo(
            "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"},"
                + "\"count\":{\"type\":[\"integer\",\"null\"]},"
                + "\"seat\":{\"type\":[\"string\",\"null\"],\"enum\":[\"INSIDE\",\"outdoors\",null]},"
                + "\"left\":{\"type\":[\"integer\",\"null\"]},\"more\":{\"type\":\"object\"}},"
                + "\"required\":[\"text\",\"more\"],\"additionalProperties\":false}");
    assertThat(OutputSchema.of(String.class).text()).isEqualTo("{\"type\":\"string\"}");
  }

  private record Hidden(int x) {}

  @Test
  void bindsPrivateRecords() {
    assertThat(ParameterSchema.of("x", Hidden.class, false).check(Json.text("{\"x\":1}")))
        .extracting("bound")
        .isEqualTo(new Hidden(1));
  }

  record Growing<T>(Optional<Growing<List<T>>> more) {}

  record HasGrowing(Growing<String> first) {}

  @Test
  void refusesATypeThatHoldsItselfWithEverMoreTypes() {
    assertThatThrownBy(() -> ParameterSchema.of("x", HasGrowing.class, false))
        .isInstanceOf(ToolSchemaException.class)
        .hasMessageContaining(
            "RecordSchemasTest$Growing with other type arguments again and again");
  }
}
