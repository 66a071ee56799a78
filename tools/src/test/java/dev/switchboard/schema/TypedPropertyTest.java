package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Likeness;
import dev.switchboard.check.Oracle;
import dev.switchboard.check.Plan;
import dev.switchboard.check.Samples;
import dev.switchboard.check.SchemaCheck;
import dev.switchboard.check.Ways;
import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class TypedPropertyTest {
  private static final int TEXTS_PER_TYPE = PropertySize.of(800);

  static List<Class<?>> types() {
    return Zoo.TYPES;
  }

  @ParameterizedTest
  @MethodSource("types")
  void acceptsWhatTheSchemaAcceptsAndBindsIt(Class<?> type) {
    agree(type, Mode.OPEN);
  }

  @ParameterizedTest
  @MethodSource("types")
  void acceptsNothingThatTheStrictSchemaRefusesAndBindsIt(Class<?> type) {
    if (!List.of(Zoo.Maps.class, Zoo.Anything.class, Zoo.Figure.class).contains(type)) {
      agree(type, Mode.STRICT);
    }
  }

  /// What model APIs do not allow in a strict schema is checked without being written; what a
  /// constructor refuses, also.
  private static boolean checksMoreThanWritten(Class<?> type, Mode mode) {
    boolean trimmed =
        List.of(Zoo.Names.class, Zoo.Collections.class, Zoo.Constrained.class).contains(type);
    return type == Zoo.Interval.class || (mode == Mode.STRICT && trimmed);
  }

  private static void agree(Class<?> type, Mode mode) {
    Typed typed = RecordSchemas.of("x", type, mode);
    JsonNode offered = typed.schema();
    assertThat(Oracle.isSchema(offered)).as(offered.toString()).isTrue();
    assertThat(SchemaCheck.of("x", offered).faults()).isEmpty();
    JsonNode schema = Exact.of(type, offered);
    Oracle wide = new Oracle(mode == Mode.OPEN ? withNulls(offered) : offered);
    Oracle oracle = new Oracle(mode == Mode.OPEN ? withNulls(schema) : schema);
    Samples samples = new Samples(schema, new SplittableRandom(type.getSimpleName().hashCode()));
    int accepted = 0;
    for (int i = 0; i < TEXTS_PER_TYPE; i++) {
      JsonNode value = samples.fitting();
      for (int j = i % 3; j > 0; j--) {
        value = samples.mutated(value);
      }
      String text = samples.text(value);
      if (agree(typed.plan(), text, oracle, checksMoreThanWritten(type, mode))) {
        accepted++;
        assertThat(wide.accepts(Json.text(text).tree())).as("offered: " + text).isTrue();
      }
    }
    assertThat(accepted)
        .as("accepted texts")
        .isBetween(
            TEXTS_PER_TYPE / 100, PropertySize.WHOLE ? TEXTS_PER_TYPE * 9 / 10 : TEXTS_PER_TYPE);
  }

  private static boolean agree(Plan plan, String text, Oracle oracle, boolean checksMore) {
    boolean fast = Ways.fast(plan, text);
    assertThat(Ways.slow(plan, text)).as("slow: " + text).isEqualTo(fast);
    JsonNode tree = Ways.tree(text);
    if (tree != null && (fast || !checksMore)) {
      assertThat(oracle.accepts(tree)).as("oracle: " + text).isEqualTo(fast);
    }
    if (fast && tree != null) {
      JsonNode written = BoundWriter.write(Ways.bound(plan, text));
      assertThat(Likeness.holds(tree, written)).as(text + " bound as " + written).isTrue();
      JsonNode again = BoundWriter.write(Ways.bound(plan, written.toString()));
      assertThat(again).isEqualTo(written);
    }
    return fast;
  }

  /// The schema with null allowed for every component that need not be there.
  static JsonNode withNulls(JsonNode schema) {
    JsonNode copy = schema.deepCopy();
    allowNulls(copy);
    return copy;
  }

  private static void allowNulls(JsonNode node) {
    node.forEach(TypedPropertyTest::allowNulls);
    if (node instanceof ObjectNode object
        && object.get("properties") instanceof ObjectNode properties) {
      List<JsonNode> required = List.copyOf(object.path("required").values());
      for (String name : List.copyOf(properties.propertyNames())) {
        if (required.stream().noneMatch(each -> each.asString("").equals(name))) {
          ObjectNode either = Codec.object();
          either.putArray("anyOf").add(properties.get(name)).addObject().put("type", "null");
          properties.set(name, either);
        }
      }
    }
  }
}
