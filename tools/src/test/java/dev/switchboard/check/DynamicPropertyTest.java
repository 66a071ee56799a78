package dev.switchboard.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Json;
import dev.switchboard.schema.ParameterSchema;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DynamicPropertyTest {
  private static final int SCHEMAS = PropertySize.of(1_500);
  private static final int TEXTS_PER_SCHEMA = 40;

  @Test
  void acceptsWhatTheSchemaAccepts() {
    RandomSchemas schemas = new RandomSchemas(new SplittableRandom(2));
    int built = 0;
    int accepted = 0;
    for (int i = 0; i < SCHEMAS; i++) {
      JsonNode schema = schemas.next();
      assertThat(Oracle.isSchema(schema)).as("is a schema: " + schema).isTrue();
      // A random schema may refer to itself without end, which the check at build refuses.
      if (ParameterSchema.faultsOf("x", Json.of(schema), false).isEmpty()) {
        built++;
        accepted += agreements(schema, i);
      }
    }
    assertThat(built).isGreaterThan(SCHEMAS / 2);
    assertThat(accepted)
        .isBetween(built * TEXTS_PER_SCHEMA / 20, built * TEXTS_PER_SCHEMA * 9 / 10);
  }

  private static int agreements(JsonNode schema, int seed) {
    Plan plan = new Plan(Ways.compiled(schema));
    Oracle oracle = new Oracle(schema);
    ParameterSchema parameters = ParameterSchema.parse("x", Json.of(schema), false);
    Samples samples = new Samples(schema, new SplittableRandom(seed));
    int accepted = 0;
    for (int i = 0; i < TEXTS_PER_SCHEMA; i++) {
      JsonNode value = samples.fitting();
      for (int j = i % 3; j > 0; j--) {
        value = samples.mutated(value);
      }
      String text = samples.text(value);
      boolean fast = Ways.fast(plan, text);
      assertThat(Ways.slow(plan, text)).as("slow: " + text + " by " + schema).isEqualTo(fast);
      assertThat(oracle.accepts(value)).as("oracle: " + text + " by " + schema).isEqualTo(fast);
      assertThat(parameters.check(Json.text(text)) instanceof Checked.Accepted)
          .as(text)
          .isEqualTo(fast);
      accepted += fast ? 1 : 0;
    }
    return accepted;
  }
}
