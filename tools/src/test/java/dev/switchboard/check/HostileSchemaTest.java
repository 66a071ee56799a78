package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Schemas that servers of others may send: each is built or refused, in time that grows with its
/// size. Done wrongly, each of these takes minutes or more.
class HostileSchemaTest {
  private static String many(int count, String separator, IntFunction<String> each) {
    return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(separator));
  }

  private static List<String> faults(String rest) {
    return ParameterSchema.faultsOf("x", Json.text("{\"type\":\"object\"," + rest + "}"), false);
  }

  private static ParameterSchema built(String rest) {
    return ParameterSchema.parse("x", Json.text("{\"type\":\"object\"," + rest + "}"), false);
  }

  private static String quoted(String word) {
    return "\"" + word + "\"";
  }

  @ParameterizedTest
  @ValueSource(strings = {"anyOf", "oneOf", "allOf"})
  void chainsThatDoubleOnEachLevel(String keyword) {
    String levels =
        many(
            60,
            ",",
            i ->
                "\"a%d\":{\"%s\":[{\"$ref\":\"#/$defs/a%d\"},{\"$ref\":\"#/$defs/a%d\"}]}"
                    .formatted(i, keyword, i + 1, i + 1));
    ParameterSchema schema =
        built(
            "\"properties\":{\"p\":{\"$ref\":\"#/$defs/a0\"}},\"$defs\":{"
                + levels
                + ",\"a60\":{\"type\":\"string\"}}");
    Checked checked = schema.check(Json.text("{\"p\":1}"));
    assertThat(checked).isInstanceOf(Checked.Refused.class);
    assertThat(schema.check(Json.text("{}"))).isInstanceOf(Checked.Accepted.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"not\":%s", "\"if\":%1$s,\"then\":%1$s,\"else\":%1$s"})
  void conditionsThatDoubleOnEachLevel(String form) {
    String levels =
        many(
            60,
            ",",
            i ->
                "\"a%d\":{%s,\"unevaluatedProperties\":{}}"
                    .formatted(i, form.formatted("{\"$ref\":\"#/$defs/a" + (i + 1) + "\"}")));
    assertThat(
            faults(
                "\"properties\":{\"p\":{\"$ref\":\"#/$defs/a0\"}},\"$defs\":{"
                    + levels
                    + ",\"a60\":{\"type\":\"string\"}}"))
        .isEmpty();
  }

  @Test
  void longChainsOfReferences() {
    String chain =
        many(
            5_000,
            ",",
            i -> "\"a%d\":{\"properties\":{\"n\":{\"$ref\":\"#/$defs/a%d\"}}}".formatted(i, i + 1));
    ParameterSchema schema =
        built(
            "\"properties\":{\"p\":{\"$ref\":\"#/$defs/a0\"}},\"$defs\":{"
                + chain
                + ",\"a5000\":{}}");
    assertThat(schema.check(Json.text("{\"p\":{\"n\":{\"n\":1}}}")))
        .isInstanceOf(Checked.Accepted.class);
    String inPlace =
        many(5_000, ",", i -> "\"a%d\":{\"$ref\":\"#/$defs/a%d\"}".formatted(i, i + 1));
    assertThat(
            faults(
                "\"properties\":{\"p\":{\"$ref\":\"#/$defs/a0\"}},\"$defs\":{"
                    + inPlace
                    + ",\"a5000\":{}}"))
        .isNotEmpty();
  }

  @Test
  void manyReferencesToOnePlace() {
    String references = many(5_000, ",", i -> "\"p" + i + "\":{\"$ref\":\"#/$defs/a\"}");
    String words = many(4_000, ",", i -> quoted("w" + i));
    assertThat(
            faults(
                "\"properties\":{" + references + "},\"$defs\":{\"a\":{\"enum\":[" + words + "]}}"))
        .isEmpty();
    String alternatives = many(5_000, ",", i -> "{\"$ref\":\"#/$defs/a\"}");
    assertThat(
            faults(
                "\"properties\":{\"p\":{\"anyOf\":["
                    + alternatives
                    + "]}},\"$defs\":{\"a\":{\"enum\":["
                    + words
                    + "]}}"))
        .isEmpty();
  }

  @Test
  void namesAndWordsWhoseHashCodesCollide() {
    List<String> words = CostTest.colliding(14);
    String names =
        words.stream().map(word -> quoted(word) + ":{}").collect(Collectors.joining(","));
    String list = words.stream().map(HostileSchemaTest::quoted).collect(Collectors.joining(","));
    ParameterSchema schema = built("\"properties\":{" + names + "},\"required\":[" + list + "]");
    String all = words.stream().map(word -> quoted(word) + ":1").collect(Collectors.joining(","));
    assertThat(schema.check(Json.text("{" + all + "}"))).isInstanceOf(Checked.Accepted.class);
    assertThat(faults("\"properties\":{\"p\":{\"enum\":[" + list + "]}}")).isEmpty();
    assertThat(faults("\"properties\":{\"p\":{\"type\":[" + list + "]}}")).hasSize(100);
    assertThat(
            faults(
                "\"properties\":{\"p\":{\"enum\":["
                    + words.stream()
                        .map(word -> "[" + quoted(word) + "]")
                        .collect(Collectors.joining(","))
                    + "],\"const\":["
                    + list
                    + "]}}"))
        .hasSize(1);
  }

  @Test
  void patternsThatGrow() {
    assertThat(faults(pattern("(((a{1000}){1000}){1000})"))).hasSize(1);
    assertThat(faults(pattern("a{1000}".repeat(10_000)))).hasSize(1);
    assertThat(faults(pattern("(".repeat(5_000) + ")".repeat(5_000)))).hasSize(1);
    assertThat(faults(pattern("(".repeat(501) + ")".repeat(501)))).hasSize(1);
    assertThat(faults(pattern("(".repeat(500) + ")".repeat(500)))).isEmpty();
    assertThat(
            faults(
                "\"properties\":{"
                    + many(4_000, ",", i -> "\"p" + i + "\":{\"pattern\":\"a{1000}\"}")
                    + "}"))
        .isNotEmpty();
    assertThat(faults(pattern("^.{0,1000}$"))).isEmpty();
  }

  private static String pattern(String source) {
    return "\"properties\":{\"p\":{\"pattern\":\"" + source + "\"}}";
  }

  @Test
  void manyFaultsAtLongPaths() {
    String name = "n".repeat(40_000);
    List<String> sentences =
        faults(
            "\"properties\":{\""
                + name
                + "\":{\"anyOf\":["
                + many(4_000, ",", i -> "{\"type\":4}")
                + "]}}");
    assertThat(sentences).hasSize(100);
  }

  @Test
  void deepNesting() {
    for (String form : List.of("{\"not\":%s}", "{\"items\":%s}", "{\"anyOf\":[%s,%s]}")) {
      String schema = "{}";
      for (int i = 0; i < (form.indexOf("%s") == form.lastIndexOf("%s") ? 190 : 12); i++) {
        schema = form.replace("%s", schema);
      }
      assertThat(faults("\"properties\":{\"p\":" + schema + "}")).isEmpty();
    }
    assertThat(
            faults(
                "\"properties\":{\"p\":"
                    + "{\"items\":".repeat(5_000)
                    + "{}"
                    + "}".repeat(5_000)
                    + "}"))
        .isNotEmpty();
  }

  @Test
  void nothingIsFetchedNorFoundOutsideTheSchema() {
    for (String place :
        List.of(
            "classpath:secret.json",
            "classpath:/vectors/schema.json",
            "file:///etc/passwd",
            "http://127.0.0.1:1/schema",
            "https://json-schema.org/draft/2020-12/schema")) {
      for (String keyword : List.of("dependencies", "dependentSchemas", "patternProperties")) {
        assertThat(
                faults(
                    "\"not\":{\"required\":[\"q\"]},\"%s\":{\"p\":{\"$ref\":\"%s\"}}"
                        .formatted(keyword, place)))
            .singleElement()
            .asString()
            .endsWith("which is not in this schema.");
      }
    }
  }
}
