package dev.switchboard.phone.audio;

import java.time.Duration;
import java.util.Arrays;

/// Telephone audio: µ-law (ITU-T G.711), 8,000 samples a second, a byte each.
public final class MuLaw {
  /// Samples per millisecond.
  public static final int SAMPLES_PER_MS = 8;

  /// The sample of silence.
  public static final byte SILENCE = (byte) 0xff;

  private static final int BIAS = 0x84;
  private static final int CLIP = 32_635;
  private static final short[] LINEAR = new short[256];

  static {
    for (int code = 0; code < LINEAR.length; code++) {
      int bits = ~code;
      int magnitude = (((bits & 0x0f) << 3) + BIAS << ((bits & 0x70) >> 4)) - BIAS;
      LINEAR[code] = (short) ((bits & 0x80) == 0 ? magnitude : -magnitude);
    }
  }

  private MuLaw() {}

  /// The sample closest to a linear one of 16 bits.
  public static byte encode(short linear) {
    int sign = linear < 0 ? 0x80 : 0;
    int magnitude = Math.min(Math.abs((int) linear), CLIP) + BIAS;
    int exponent = 31 - Integer.numberOfLeadingZeros(magnitude) - 7;
    int mantissa = magnitude >> (exponent + 3) & 0x0f;
    return (byte) ~(sign | exponent << 4 | mantissa);
  }

  /// The linear sample of 16 bits.
  public static short decode(byte sample) {
    return LINEAR[sample & 0xff];
  }

  /// The samples closest to these linear ones of 16 bits.
  public static byte[] encode(short[] linear) {
    byte[] samples = new byte[linear.length];
    for (int i = 0; i < linear.length; i++) {
      samples[i] = encode(linear[i]);
    }
    return samples;
  }

  /// The linear samples of 16 bits.
  public static short[] decode(byte[] samples) {
    short[] linear = new short[samples.length];
    for (int i = 0; i < samples.length; i++) {
      linear[i] = decode(samples[i]);
    }
    return linear;
  }

  /// Silence of that length.
  public static byte[] silence(Duration length) {
    byte[] samples = new byte[samples(length)];
    Arrays.fill(samples, SILENCE);
    return samples;
  }

  /// The number of samples of that length.
  public static int samples(Duration length) {
    return Math.toIntExact(length.toMillis() * SAMPLES_PER_MS);
  }
}
