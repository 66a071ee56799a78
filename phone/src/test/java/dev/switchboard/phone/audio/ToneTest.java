package dev.switchboard.phone.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ToneTest {
  private static int loudest(byte[] samples, int from, int to) {
    int loudest = 0;
    for (int i = from; i < to; i++) {
      loudest = Math.max(loudest, Math.abs(MuLaw.decode(samples[i])));
    }
    return loudest;
  }

  @Test
  void hasItsPitchAndLoudness() {
    byte[] tone = Tone.of(500, 0.5, Duration.ofSeconds(1));
    int rises = 0;
    for (int i = 1; i < tone.length; i++) {
      rises += MuLaw.decode(tone[i - 1]) < 0 && MuLaw.decode(tone[i]) >= 0 ? 1 : 0;
    }

    assertThat(tone).hasSize(8_000);
    assertThat(rises).isBetween(495, 501);
    assertThat(loudest(tone, 0, 8_000)).isBetween(15_000, 17_000);
  }

  @Test
  void beginsAndEndsWithoutAClick() {
    byte[] tone = Tone.of(440, 1, Duration.ofMillis(200));

    assertThat(loudest(tone, 0, 8)).isLessThan(1_500);
    assertThat(loudest(tone, tone.length - 8, tone.length)).isLessThan(1_500);
  }

  @Test
  void theSoftToneIsQuietAndMostlySilent() {
    byte[] soft = Tone.soft();

    assertThat(soft).hasSize(16_000);
    assertThat(loudest(soft, 0, 3_200)).isBetween(2_000, 3_000);
    assertThat(loudest(soft, 3_200, 16_000)).isZero();
  }
}
