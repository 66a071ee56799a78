package dev.switchboard.contract;

import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The cases about memory and messages, through every store.
public interface MemoryCasesContract extends MemoryPlace {
  String CASES = "dev.switchboard.contract.MemoryCasesContract#cases";

  static Stream<Vector> cases() {
    return Vectors.areas("memory/", "send_message")
        .filter(vector -> !CasesLeftOut.REASONS.containsKey(vector.id()));
  }

  @ParameterizedTest
  @MethodSource(CASES)
  default void followsTheCaseAsUsedByAProgram(Vector vector) {
    MemoryScript.run(vector, open(), false);
  }

  @ParameterizedTest
  @MethodSource(CASES)
  default void followsTheCaseAsUsedByAModel(Vector vector) {
    MemoryScript.run(vector, open(), true);
  }
}
