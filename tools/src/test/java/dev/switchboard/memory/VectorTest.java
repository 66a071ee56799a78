package dev.switchboard.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class VectorTest {
  @Test
  void hasTheLengthOne() {
    assertThat(VectorStore.Vector.of(3, 4)).hasToString("[0.6, 0.8]");
    assertThat(VectorStore.Vector.of(0, 0)).hasToString("[0.0, 0.0]");
    assertThat(VectorStore.Vector.of(1e30f, 0).similarity(VectorStore.Vector.of(1, 0)))
        .isEqualTo(1);
  }

  @Test
  void whatIsNotADirectionIsRefused() {
    for (float[] bad :
        new float[][] {{}, {Float.NaN}, {1, Float.POSITIVE_INFINITY}, {Float.NEGATIVE_INFINITY}}) {
      assertThatThrownBy(() -> VectorStore.Vector.of(bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void similarityIsTheCosine() {
    Random random = new Random(1);
    for (int length = 1; length < 40; length++) {
      float[] a = new float[length];
      float[] b = new float[length];
      double dot = 0;
      double aa = 0;
      double bb = 0;
      for (int i = 0; i < length; i++) {
        a[i] = random.nextFloat();
        b[i] = random.nextFloat();
        dot += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
      }
      VectorStore.Vector other = VectorStore.Vector.of(b);
      assertThat(VectorStore.Vector.of(a).similarity(other))
          .isCloseTo(dot / Math.sqrt(aa * bb), within(1e-5));
      assertThat(VectorStore.Vector.of(a).similarity(other.bytes()))
          .isEqualTo(VectorStore.Vector.of(a).similarity(other));
    }
    assertThat(VectorStore.Vector.of(1, 0).similarity(VectorStore.Vector.of(-1, 0))).isZero();
    assertThat(VectorStore.Vector.of(1, 0).similarity(VectorStore.Vector.of(1, 0, 0))).isZero();
  }
}
