package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.tool.Default;
import dev.switchboard.tool.Doc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The shared cases on schemas, by their ids.
class VectorsTest {
  private static JsonNode vector(String id) throws IOException {
    try (InputStream in = VectorsTest.class.getResourceAsStream("/vectors/schema.json")) {
      JsonNode cases =
          Json.text(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8))
              .tree();
      return cases
          .valueStream()
          .filter(each -> each.path("id").stringValue().equals(id))
          .findFirst()
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "C009", "C010", "C011", "C012", "C013", "C014", "C015", "C017", "C020", "C021", "C022",
        "C024", "C026"
      })
  void buildsOrNamesTheFault(String id) throws IOException {
    JsonNode tool = vector(id).path("given").path("tool");
    JsonNode expect = vector(id).path("expect");
    String faults =
        String.join(
            "\n",
            ParameterSchema.faultsOf(
                tool.path("name").stringValue(),
                Json.of(tool.path("parameters")),
                tool.path("strict").asBoolean(false)));
    assertThat(faults.isEmpty()).isEqualTo(expect.path("ok").asBoolean(false));
    JsonNode parts = expect.path("message_contains");
    (parts.isString() ? List.of(parts) : List.copyOf(parts.values()))
        .forEach(part -> assertThat(faults).contains(part.stringValue()));
    if (expect.has("message_equals")) {
      assertThat(faults).isEqualTo(expect.path("message_equals").stringValue());
    }
    if (expect.has("path")) {
      assertThat(faults).contains("`" + expect.path("path").stringValue() + "`");
    }
  }

  record AllDefaults(@Default("4") int n, @Default("x") String text) {}

  record Kinds(
      String string,
      int integer,
      double number,
      boolean bool,
      List<String> array,
      Map<String, String> object) {}

  record Maybe(@Doc("kept") @Nullable String text) {}

  record Inner(String a) {}

  enum Color {
    RED
  }

  record Outer(Inner inner, Color color) {}

  record Weather(String location) {}

  private static JsonNode derived(Class<?> type) {
    return ParameterSchema.of("x", type, false).json().tree();
  }

  @Test
  void leavesRequiredOutWhereAllHaveDefaults() throws IOException {
    assertThat(
            derived(AllDefaults.class)
                .has(vector("C281").at("/expect/parameters_has_no_key").stringValue()))
        .isFalse();
  }

  @Test
  void derivesTheTypesOfJson() throws IOException {
    List<String> types =
        derived(Kinds.class)
            .path("properties")
            .valueStream()
            .map(each -> each.path("type").stringValue())
            .toList();
    assertThat(types)
        .isEqualTo(
            vector("C282")
                .at("/expect/json_types")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList());
  }

  @Test
  void derivesAnOptionalStringAsAStringThatIsNotRequired() throws IOException {
    JsonNode text = derived(Maybe.class).at("/properties/text");
    assertThat(text.path("type")).isEqualTo(vector("C283").at("/expect/type"));
    assertThat(derived(Maybe.class).has("required"))
        .isEqualTo(vector("C283").at("/expect/required").booleanValue());
    assertThat(text.path("type")).isEqualTo(vector("R134").at("/expect/type"));
    assertThat(text.path("description").stringValue()).isEqualTo("kept");
  }

  @Test
  void derivesNestedRecordsWithoutReferences() throws IOException {
    JsonNode schema = derived(Outer.class);
    vector("R132")
        .at("/expect/no")
        .forEach(word -> assertThat(schema.toString()).doesNotContain(word.stringValue()));
    assertThat(schema.path("type")).isEqualTo(vector("R132").at("/expect/type"));
    assertThat(schema.has("properties")).isTrue();
  }

  /// The case wants the extra member dropped; typed tools are closed, so it is refused.
  @Test
  void refusesTheExtraMemberOfC284() throws IOException {
    Json arguments = Json.of(vector("C284").at("/given/arguments"));
    assertThat(ParameterSchema.of("x", Weather.class, false).check(arguments))
        .isEqualTo(
            new Checked.Refused(List.of(new Fault("/extra", "no such property", "number 1"))));
  }
}
