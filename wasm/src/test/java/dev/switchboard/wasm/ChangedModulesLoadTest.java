package dev.switchboard.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Modules of compilers with bytes changed at random: each is a fault, or another module whose
/// calls end in time with one result.
@Tag("load")
final class ChangedModulesLoadTest {
  private static final double SIZE =
      Double.parseDouble(System.getProperty("switchboard.load", "1"));
  private static final long SEED = Long.getLong("switchboard.seed", 7);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @ParameterizedTest
  @ValueSource(strings = {"price.wasm", "words.wasm"})
  void anyOfThemIsHarmless(String name) throws IOException {
    byte[] good = Files.readAllBytes(Modules.resource(name));
    Random random = new Random(SEED);
    Map<String, Integer> ends = new TreeMap<>();
    long slowest = 0;
    for (int i = 0; i < 1_000 * SIZE; i++) {
      byte[] changed = changed(good, random);
      long begun = System.nanoTime();
      String end = end(changed);
      long nanos = System.nanoTime() - begun;
      assertThat(Duration.ofNanos(nanos)).as("number %d of %s", i, name).isLessThan(PATIENCE);
      slowest = Math.max(slowest, nanos);
      ends.merge(end, 1, Integer::sum);
    }
    System.out.printf("%s changed, the slowest %d ms: %s%n", name, slowest / 1_000_000, ends);
  }

  private static byte[] changed(byte[] good, Random random) {
    byte[] changed = good.clone();
    for (int j = random.nextInt(1, 6); j > 0; j--) {
      int at = random.nextInt(8, random.nextBoolean() ? 600 : changed.length);
      changed[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (changed[at] + 1);
    }
    return changed;
  }

  private static String end(byte[] bytes) {
    WasmModule module;
    try {
      module = WasmModule.builder(bytes).timeout(Duration.ofMillis(100)).build();
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).matches("(?s)(file|function|memory) .*");
      return kind(e.getMessage());
    }
    ToolResult result = Modules.call(module, "{\"item\":\"tea\",\"quantity\":3,\"text\":\"a b\"}");
    return result.success() ? "answered" : kind(String.valueOf(result.error()));
  }

  private static String kind(String message) {
    return message
        .replaceFirst("Tool failed after 1 attempt: ", "")
        .replaceAll("(?s)[0-9':].*", "")
        .strip();
  }
}
