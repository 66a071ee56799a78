package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What a check costs, in steps: in proportion to the text, whatever the text.
class CostTest {
  /// Text of which each twice as long takes about twice the steps: a table of hash codes, or
  /// alternatives that are tried again on each level, would take four times as many, or more.
  private static final double MOST_GROWTH = 2.6;

  /// Different strings of one `String.hashCode`, `2^pairs` of them.
  static List<String> colliding(int pairs) {
    List<String> words = List.of("");
    for (int i = 0; i < pairs; i++) {
      List<String> longer = new ArrayList<>();
      words.forEach(word -> longer.addAll(List.of(word + "Aa", word + "BB")));
      words = longer;
    }
    return words;
  }

  private static ParameterSchema member(String schema) {
    return ParameterSchema.parse(
        "x", Json.text("{\"type\":\"object\",\"properties\":{\"p\":" + schema + "}}"), false);
  }

  private static long steps(String schema, String text) {
    JsonNode root = Json.text("{\"type\":\"object\",\"properties\":{\"p\":" + schema + "}}").tree();
    Shape shape = Ways.compiled(root);
    Faults slow = new Faults(Long.MAX_VALUE);
    shape.explain(Reading.of(text).tree(), Place.ROOT, slow);
    Faults fast;
    try (JsonTokens in = JsonTokens.of(text, Long.MAX_VALUE)) {
      in.next();
      fast = in.budget();
      shape.read(in);
    } catch (Mismatch e) {
      fast = new Faults(Long.MAX_VALUE);
    }
    return Long.MAX_VALUE - Math.min(slow.left(), fast.left());
  }

  private static String array(List<String> items) {
    return "{\"p\":[" + String.join(",", items) + "]}";
  }

  private static boolean accepts(ParameterSchema schema, String text) {
    return schema.check(Json.text(text)) instanceof Checked.Accepted;
  }

  private static boolean undecided(ParameterSchema schema, String text) {
    return schema.check(Json.text(text)) instanceof Checked.Refused refused && refused.undecided();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"%s\"", "[\"%s\"]", "{\"a\":\"%s\"}", "{\"%s\":1}", "[[{\"%s\":[\"%s\"]}]]"})
  void uniqueItemsCostNoMoreWithHashCollisions(String form) {
    for (String schema :
        List.of(
            "{\"uniqueItems\":true}",
            "{\"uniqueItems\":true,\"not\":{\"const\":1}}",
            "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"not\":{\"type\":\"null\"}}}")) {
      List<String> few = colliding(11).stream().map(word -> form.replace("%s", word)).toList();
      List<String> many = colliding(12).stream().map(word -> form.replace("%s", word)).toList();
      long before = steps(schema, array(few));
      assertThat((double) steps(schema, array(many)) / before).isLessThan(MOST_GROWTH);
      assertThat(before).isLessThan(64L * array(few).length());
      assertThat(accepts(member(schema), array(many))).isTrue();
      List<String> twice = new ArrayList<>(many);
      twice.add(many.get(100));
      assertThat(accepts(member(schema), array(twice))).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"pattern\":\"^(a+)+$\"}",
        "{\"pattern\":\"(x?){50}y\"}",
        "{\"format\":\"regex\",\"not\":{\"const\":\"\"}}",
        "{\"format\":\"email\"}",
        "{\"format\":\"uri\"}",
        "{\"format\":\"ipv6\"}",
        "{\"enum\":[\"a\",\"b\",[1]]}",
        "{\"patternProperties\":{\"a*b\":{}},\"propertyNames\":{\"pattern\":\"a+b?\"}}",
        "{\"anyOf\":[{\"pattern\":\"a$\"},{\"pattern\":\"b$\"},{\"type\":\"array\"}]}"
      })
  void longStringsCostInProportion(String schema) {
    for (String piece : List.of("a", "x", "P1:", "a@", "::", "ü")) {
      long before = steps(schema, "{\"p\":\"" + piece.repeat(5_000) + "\"}");
      long after = steps(schema, "{\"p\":\"" + piece.repeat(10_000) + "\"}");
      assertThat(after).isLessThan(Math.round(before * MOST_GROWTH) + 100);
    }
  }

  @Test
  void boundsWorkOfNestedAlternativesByTextLength() {
    String entangled =
        """
        {"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[
          {"allOf":[{"properties":{"n":{"$ref":"#/$defs/n"}}},{"required":["a"]}]},
          {"allOf":[{"properties":{"n":{"$ref":"#/$defs/n"}}},{"required":["b"]}]}]}}}\
        """;
    ParameterSchema schema =
        ParameterSchema.parse(
            "x",
            Json.text(
                "{\"type\":\"object\",\"properties\":{\"p\":{\"$ref\":\"#/$defs/n\"}},"
                    + entangled.substring(entangled.indexOf("\"$defs\""))),
            false);
    assertThat(undecided(schema, "{\"p\":" + "{\"n\":".repeat(10) + "{}" + "}".repeat(10) + "}"))
        .isFalse();
    assertThat(undecided(schema, "{\"p\":" + "{\"n\":".repeat(150) + "{}" + "}".repeat(150) + "}"))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"contains\":{\"properties\":{\"price\":{\"minimum\":1000}},\"required\":[\"price\"]}}",
        "{\"items\":{\"anyOf\":[{\"type\":\"integer\",\"maximum\":-1},{\"type\":\"integer\"}]}}",
        "{\"items\":{\"not\":{\"type\":\"string\"}},\"minItems\":1}",
        "{\"type\":\"array\",\"items\":{\"oneOf\":[{\"const\":1},{\"const\":0},{\"required\":[\"q\"],\"type\":\"object\"}]}}"
      })
  void threeHundredThousandHonestItemsPass(String schema) {
    List<String> items =
        IntStream.range(0, 300_000)
            .mapToObj(i -> "0")
            .collect(Collectors.toCollection(ArrayList::new));
    ParameterSchema parameters = member(schema);
    if (schema.contains("price")) {
      assertThat(undecided(parameters, array(items))).isFalse();
      items.add("{\"price\":5000}");
    }
    assertThat(accepts(parameters, array(items))).isTrue();
  }

  @Test
  void manyItemsThatMustDifferPass() {
    List<String> items = IntStream.range(0, 300_000).mapToObj(String::valueOf).toList();
    assertThat(accepts(member("{\"uniqueItems\":true}"), array(items))).isTrue();
  }

  private record Tagged(String word) {}

  private record Basket(Set<Tagged> tags) {}

  @Test
  void aSetOfRecordsWhoseHashCodesCollideIsRefusedAsTooCostly() {
    ParameterSchema schema = ParameterSchema.of("x", Basket.class, false);
    List<String> words = colliding(12).stream().map(word -> "{\"word\":\"" + word + "\"}").toList();
    assertThat(undecided(schema, "{\"tags\":[" + String.join(",", words) + "]}")).isTrue();
    assertThat(accepts(schema, "{\"tags\":[" + String.join(",", words.subList(0, 100)) + "]}"))
        .isTrue();
    List<String> honest =
        IntStream.range(0, 20_000).mapToObj(i -> "{\"word\":\"w" + i + "\"}").toList();
    assertThat(accepts(schema, "{\"tags\":[" + String.join(",", honest) + "]}")).isTrue();
  }

  @Test
  void manyFaultsAtLongPathsMakeNoHugeAnswer() {
    String name = "n".repeat(40_000);
    String path = ("{\"" + name + "\":").repeat(20);
    String text = path + "[" + "\"\\ud800\",".repeat(2_000) + "1]" + "}".repeat(20);
    Checked checked = member("{}").check(Json.text(text));
    assertThat(
            ((Checked.Refused) checked).faults().stream().mapToInt(f -> f.pointer().length()).sum())
        .isLessThan(2_000_000);
  }

  @Tag("slow")
  @Test
  void repairOfAlternativesWithinAlternativesEnds() {
    ParameterSchema schema =
        ParameterSchema.parse(
            "x",
            Json.text(
                """
                {"type":"object","properties":{"p":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[
                  {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["a"]},
                  {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["b"]}]}}}\
                """),
            false);
    String deep = "{\"p\":" + "{\"n\":".repeat(60) + "\"x\"" + "}".repeat(60) + "}";
    assertThat(schema.repairing(true).check(Json.text(deep))).isInstanceOf(Checked.Refused.class);
  }
}
