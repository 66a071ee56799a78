package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import run.endive.runtime.ByteArrayMemory;
import run.endive.runtime.Memory;
import run.endive.wasm.types.MemoryLimits;

/// What a module sees of the world.
final class WasiEnvironmentTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.000000005Z");
  private static final long[] EDGES = {
    0,
    1,
    2,
    3,
    7,
    8,
    64,
    1_024,
    1_025,
    65_472,
    65_528,
    65_532,
    65_535,
    65_536,
    -1,
    -8,
    -65_536,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final Memory memory = new ByteArrayMemory(new MemoryLimits(1, 1));
  private final Output output = new Output(1_000);
  private final Output errors = new Output(10);

  private WasiEnvironment world(String input, String seed) {
    return new WasiEnvironment(
        new WasiEnvironment.Streams(input, output, errors),
        "price.wasm",
        List.of("CURRENCY=EUR", "EMPTY="),
        NOON,
        seed);
  }

  private int call(
      WasiEnvironment world, SystemCall call, @Nullable Memory seen, long... arguments) {
    return call.answer().to(world, seen, arguments);
  }

  private int call(WasiEnvironment world, SystemCall call, long... arguments) {
    return call(world, call, memory, arguments);
  }

  @ParameterizedTest
  @EnumSource
  void anyNumbersAreAnswered(SystemCall call) {
    Random random = new Random(call.ordinal());
    byte[] noise = new byte[65_536];
    for (int i = 0; i < 3_000; i++) {
      if (i % 100 == 0) {
        random.nextBytes(noise);
        memory.write(0, noise, 0, noise.length);
      }
      long[] arguments = random.longs(9, 0, EDGES.length).map(edge -> EDGES[(int) edge]).toArray();
      Memory seen = i % 10 == 0 ? null : memory;
      WasiEnvironment world = world("{\"a\":1}", "k");

      Throwable thrown =
          catchThrowable(() -> assertThat(call(world, call, seen, arguments)).isBetween(0, 76));

      if (thrown != null) {
        assertThat(thrown).as(Arrays.toString(arguments)).isInstanceOf(Exit.class);
        assertThat(call == SystemCall.PROC_EXIT || world.tooMuch()).isTrue();
      }
    }
  }

  @Test
  void theClockStandsStillButForSleep() {
    WasiEnvironment world = world("", "k");
    long noon = TimeUnit.SECONDS.toNanos(NOON.getEpochSecond()) + NOON.getNano();

    assertThat(call(world, SystemCall.CLOCK_TIME_GET, 0, 0, 16)).isZero();
    assertThat(memory.readLong(16)).isEqualTo(noon);
    memory.writeLong(64 + 24, 5_000);
    assertThat(call(world, SystemCall.POLL_ONEOFF, 64, 256, 1, 512)).isZero();
    assertThat(memory.readInt(512)).isEqualTo(1);
    assertThat(call(world, SystemCall.CLOCK_TIME_GET, 0, 0, 16)).isZero();
    assertThat(memory.readLong(16)).isEqualTo(noon + 5_000);
    assertThat(call(world, SystemCall.CLOCK_TIME_GET, 2, 0, 16)).isEqualTo(58);
  }

  @Test
  void theEarliestOfSeveralClocksComes() {
    WasiEnvironment world = world("", "k");
    memory.writeLong(64, 1);
    memory.writeLong(64 + 24, 9_000);
    memory.writeLong(112, 2);
    memory.writeLong(112 + 24, 5_000);

    assertThat(call(world, SystemCall.POLL_ONEOFF, 64, 256, 2, 512)).isZero();

    assertThat(memory.readInt(512)).isEqualTo(1);
    assertThat(memory.readLong(256)).isEqualTo(2);
  }

  @Test
  void randomNumbersFollowFromTheCall() {
    byte[] first = random("key1");

    assertThat(random("key1")).isEqualTo(first);
    assertThat(random("key2")).isNotEqualTo(first);
    assertThat(first).isNotEqualTo(new byte[9_000]);
  }

  private byte[] random(String seed) {
    assertThat(call(world("", seed), SystemCall.RANDOM_GET, 100, 9_000)).isZero();
    return memory.readBytes(100, 9_000);
  }

  @Test
  void givesNameAndVariables() {
    WasiEnvironment world = world("", "k");

    assertThat(call(world, SystemCall.ENVIRON_SIZES_GET, 0, 4)).isZero();
    assertThat(memory.readInt(0)).isEqualTo(2);
    assertThat(memory.readInt(4)).isEqualTo(20);
    assertThat(call(world, SystemCall.ENVIRON_GET, 0, 64)).isZero();
    assertThat(memory.readInt(4)).isEqualTo(64 + 13);
    assertThat(new String(memory.readBytes(64, 20), StandardCharsets.UTF_8))
        .isEqualTo("CURRENCY=EUR\0EMPTY=\0");
    assertThat(call(world, SystemCall.ARGS_GET, 0, 64)).isZero();
    assertThat(new String(memory.readBytes(64, 11), StandardCharsets.UTF_8))
        .isEqualTo("price.wasm\0");
  }

  @Test
  void readsInPiecesAndThenNothing() {
    WasiEnvironment world = world("hello", "k");
    memory.writeI32(0, 100);
    memory.writeI32(4, 2);
    memory.writeI32(8, 200);
    memory.writeI32(12, 2);

    assertThat(call(world, SystemCall.FD_READ, 0, 0, 2, 16)).isZero();
    assertThat(memory.readInt(16)).isEqualTo(4);
    assertThat(new String(memory.readBytes(200, 2), StandardCharsets.UTF_8)).isEqualTo("ll");
    assertThat(call(world, SystemCall.FD_READ, 0, 0, 2, 16)).isZero();
    assertThat(memory.readInt(16)).isEqualTo(1);
    assertThat(call(world, SystemCall.FD_READ, 0, 0, 2, 16)).isZero();
    assertThat(memory.readInt(16)).isZero();
  }

  @Test
  void aStreamThatIsClosedIsGone() {
    WasiEnvironment world = world("", "k");

    assertThat(call(world, SystemCall.FD_CLOSE, 1)).isZero();
    assertThat(call(world, SystemCall.FD_WRITE, 1, 0, 0, 16)).isEqualTo(8);
    assertThat(call(world, SystemCall.FD_CLOSE, 1)).isEqualTo(8);
    assertThat(call(world, SystemCall.FD_CLOSE, 3)).isEqualTo(8);
  }

  @Test
  void thereIsNoFolderAndNoSocket() {
    WasiEnvironment world = world("", "k");

    assertThat(call(world, SystemCall.FD_PRESTAT_GET, 3, 64)).isEqualTo(8);
    assertThat(call(world, SystemCall.PATH_OPEN, 3, 0, 64, 4, 0, 0, 0, 0, 128)).isEqualTo(76);
    assertThat(call(world, SystemCall.SOCK_SEND, 3, 0, 0, 0, 128)).isEqualTo(76);
  }
}
