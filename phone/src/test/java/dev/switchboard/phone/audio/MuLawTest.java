package dev.switchboard.phone.audio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Vectors;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class MuLawTest {
  private static short[] linear(JsonNode numbers) {
    short[] linear = new short[numbers.size()];
    for (int i = 0; i < linear.length; i++) {
      linear[i] = numbers.get(i).shortValue();
    }
    return linear;
  }

  @Test
  void encodesTheSamplesOfC294() {
    byte[] encoded = MuLaw.encode(linear(Vectors.given("C294").path("pcm16")));

    assertThat(HexFormat.of().formatHex(encoded))
        .isEqualTo(Vectors.expect("C294").path("hex").stringValue());
  }

  @Test
  void decodesTheSamplesOfC295() {
    byte[] samples = HexFormat.of().parseHex(Vectors.given("C295").path("mulaw_hex").stringValue());

    assertThat(MuLaw.decode(samples)).isEqualTo(linear(Vectors.expect("C295").path("pcm16")));
  }

  @Test
  void everySampleButTheSecondZeroComesBack() {
    for (int code = 0; code < 256; code++) {
      byte sample = (byte) code;
      byte back = MuLaw.encode(MuLaw.decode(sample));
      assertThat(back).isEqualTo(code == 0x7f ? MuLaw.SILENCE : sample);
    }
  }

  @Test
  void isNeverFurtherFromASampleThanHalfAStep() {
    for (int linear = Short.MIN_VALUE; linear <= Short.MAX_VALUE; linear++) {
      int back = MuLaw.decode(MuLaw.encode((short) linear));
      int step = Math.max(8, (Math.abs(linear) + 132) / 16);
      assertThat(Math.abs(linear - back)).isLessThanOrEqualTo(step);
    }
  }

  @Test
  void silenceHasEightSamplesAMillisecond() {
    assertThat(MuLaw.silence(Duration.ofMillis(20))).hasSize(160).containsOnly(0xff);
  }
}
