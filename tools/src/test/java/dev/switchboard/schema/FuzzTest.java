package dev.switchboard.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.check.Checked;
import dev.switchboard.check.Samples;
import dev.switchboard.check.Ways;
import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Json;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Texts that are no longer JSON, or hardly.
class FuzzTest {
  private static final String SCRAPS = "{}[]\",:\\ue019.-+tfn \u0000\ud800\udc00ü";

  @Test
  void neverThrowsAndNeverDiffersBetweenTheTwoWays() {
    RandomGenerator random = new SplittableRandom(7);
    ParameterSchema anything =
        ParameterSchema.parse("x", Json.text("{\"type\":\"object\"}"), false);
    int texts = PropertySize.of(400);
    for (Class<?> type : Zoo.TYPES) {
      Typed typed = RecordSchemas.of("x", type, Mode.OPEN);
      ParameterSchema schema = ParameterSchema.of("x", type, false);
      Samples samples = new Samples(Exact.of(type, typed.schema()), random);
      for (int i = 0; i < texts; i++) {
        String text = broken(samples.fitting().toString(), random);
        boolean accepted = Ways.fast(typed.plan(), text);
        assertThat(Ways.slow(typed.plan(), text)).as(text).isEqualTo(accepted);
        assertThat(schema.check(Json.text(text)) instanceof Checked.Accepted)
            .as(text)
            .isEqualTo(accepted);
        assertSoundWhereAccepted(schema, text);
        assertSoundWhereAccepted(anything, text);
        schema.repairing(true).check(Json.text(text));
      }
    }
  }

  /// What the check accepts goes into the history without being read again.
  private static void assertSoundWhereAccepted(ParameterSchema schema, String text) {
    if (schema.check(Json.text(text)) instanceof Checked.Accepted) {
      assertThat(Json.text(text).isReadableObject()).as(text).isTrue();
    }
  }

  private static String broken(String text, RandomGenerator random) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 1 + random.nextInt(3); i > 0 && !out.isEmpty(); i--) {
      int at = random.nextInt(out.length());
      char scrap = SCRAPS.charAt(random.nextInt(SCRAPS.length()));
      switch (random.nextInt(4)) {
        case 0 -> out.deleteCharAt(at);
        case 1 -> out.insert(at, scrap);
        case 2 -> out.setCharAt(at, scrap);
        default -> out.setLength(at);
      }
    }
    return out.isEmpty() ? "{" : out.toString();
  }
}
