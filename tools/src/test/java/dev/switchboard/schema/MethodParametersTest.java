package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ToolMemoryId;
import dev.langchain4j.model.output.structured.Description;
import dev.switchboard.check.Checked;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Range;
import dev.switchboard.tool.ToolSchemaException;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.tool.annotation.ToolParam;

class MethodParametersTest {
  static List<Class<?>> records() {
    return Zoo.TYPES.stream()
        .filter(Class::isRecord)
        .filter(type -> type != Zoo.Tree.class)
        .toList();
  }

  /// The parameters of a record's constructor are its components, annotations and all.
  @ParameterizedTest
  @MethodSource("records")
  void haveTheSchemaOfTheRecordWithTheseComponents(Class<?> type) {
    Executable constructor = Component.canonical(type);

    assertThat(RecordSchemas.of("x", constructor, Void.class, Mode.OPEN).schema())
        .isEqualTo(RecordSchemas.of("x", type, Mode.OPEN).schema());
    if (!List.of(Zoo.Maps.class, Zoo.Anything.class).contains(type)) {
      assertThat(RecordSchemas.of("x", constructor, Void.class, Mode.STRICT).schema())
          .isEqualTo(RecordSchemas.of("x", type, Mode.STRICT).schema());
    }
  }

  @Test
  void nameTypesThatHoldThemselvesBelowTheRoot() {
    assertThat(schema("tree").json().text())
        .contains("{\"tree\":{\"$ref\":\"#/$defs/Tree\"}}", "\"$defs\":{\"Tree\":");
    assertThat(bound("tree", "{\"tree\":{\"name\":\"a\",\"children\":[],\"parent\":null}}"))
        .containsExactly(new Zoo.Tree("a", List.of(), null));
  }

  @Test
  void areBoundToTheirValuesWithoutTheOneThatIsGiven() {
    assertThat(bound("seat", "{\"guests\":4,\"where\":\"bar\"}"))
        .containsExactly(4, Optional.of("bar"));
    assertThat(bound("seat", "{\"guests\":4}")).containsExactly(4, Optional.empty());
    assertThat(bound("none", "")).isEmpty();
  }

  @Test
  void areRefusedAsComponentsAre() {
    assertThat(schema("seat").check(Json.text("{\"guests\":21,\"runnable\":1}")))
        .isInstanceOfSatisfying(
            Checked.Refused.class,
            refused ->
                assertThat(refused.faults())
                    .extracting(Object::toString)
                    .hasSize(2)
                    .satisfiesOnlyOnce(fault -> assertThat(fault).contains("/guests"))
                    .satisfiesOnlyOnce(fault -> assertThat(fault).contains("/runnable")));
  }

  @Test
  void areDescribedByTheAnnotationsOfOthers() {
    assertThat(schema("langChain4j").json().tree())
        .isEqualTo(
            Json.text(
                    """
                    {"type":"object","properties":{
                      "city":{"type":"string","description":"Where"},
                      "day":{"type":"string","description":"When","default":"today"},
                      "days":{"type":"integer","default":3},
                      "unit":{"type":"string"},
                      "place":{"type":"object","properties":{
                        "zip":{"type":"string","description":"Five digits"}},
                        "required":["zip"],"additionalProperties":false}},
                     "required":["city","place"],"additionalProperties":false}\
                    """)
                .tree());
    assertThat(schema("springAi").json().tree())
        .isEqualTo(
            Json.text(
                    """
                    {"type":"object","properties":{
                      "city":{"type":"string","description":"Where"},
                      "unit":{"type":"string"}},
                     "required":["city"],"additionalProperties":false}\
                    """)
                .tree());
  }

  @Test
  void thatCannotBeFilledInAreNamedWithTheRemedy() {
    assertThatThrownBy(() -> schema("primitive"))
        .isInstanceOf(ToolSchemaException.class)
        .hasMessage(
            "tool 'primitive': `parameters.properties.days` may be left out and is a primitive,"
                + " which is never null; box it or give it a default.");
    assertThatThrownBy(() -> schema("memory"))
        .hasMessageContaining("`parameters.properties.id` has @ToolMemoryId")
        .hasMessageContaining("ToolContext");
    assertThatThrownBy(() -> schema("open"))
        .hasMessage("tool 'open': `parameters.properties.any` has the open type variable T.");
  }

  @Test
  void withoutNamesAreNamedWithTheRemedy() throws ReflectiveOperationException {
    Executable nameless = String.class.getMethod("concat", String.class);

    assertThatThrownBy(() -> ParameterSchema.of("concat", nameless, Void.class, false))
        .isInstanceOf(ToolSchemaException.class)
        .hasMessageContaining("`parameters.properties.arg0` has no name in the class file")
        .hasMessageContaining("-parameters")
        .hasMessageContaining("<parameters>true</parameters>");
  }

  private static ParameterSchema schema(String method) {
    Executable found =
        Arrays.stream(Methods.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(method))
            .findAny()
            .orElseThrow();
    return ParameterSchema.of(method, found, Runnable.class, false);
  }

  private static Object[] bound(String method, String arguments) {
    Checked checked = schema(method).check(Json.text(arguments));
    return (Object[]) ((Checked.Accepted) checked).bound();
  }

  record Address(@Description({"Five", "digits"}) String zip) {}

  interface Methods {
    void none();

    void tree(Zoo.Tree tree);

    void seat(@Range(min = 1, max = 20) int guests, Runnable runnable, Optional<String> where);

    void langChain4j(
        @P("Where") String city,
        @P(name = "day", description = "When", defaultValue = "today") String date,
        @P(defaultValue = "3") int days,
        @P(required = false) String unit,
        Address place);

    void springAi(
        @ToolParam(description = "Where") String city, @ToolParam(required = false) String unit);

    void primitive(@P(required = false) int days);

    void memory(@ToolMemoryId String id);

    <T> void open(T any, Map<String, String> fine);
  }
}
