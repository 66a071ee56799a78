package dev.switchboard.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.contract.CasesLeftOut;
import dev.switchboard.contract.MemoryCasesContract;
import dev.switchboard.contract.MemoryScript;
import dev.switchboard.harness.Vectors;
import dev.switchboard.harness.Vectors.Vector;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Which of the cases about memory are done, and why the others are not.
class MemoryVectorsTest {
  /// The clauses of the others that are not done.
  private static final Map<String, List<String>> PARTLY =
      Map.of(
          "R171",
          List.of("replace nth", "regex replace", "patch", "edit a line range"),
          "R178",
          List.of("nth '2: foo'", "regex 'b(a)r' -> 'B$1R'"));

  private static Stream<Vector> all() {
    return Vectors.areas("memory/", "send_message");
  }

  @Test
  void everyCaseIsDoneOrLeftOutForAReason() {
    List<String> done = MemoryCasesContract.cases().map(Vector::id).toList();

    assertThat(Stream.concat(done.stream(), CasesLeftOut.REASONS.keySet().stream()))
        .containsExactlyInAnyOrderElementsOf(all().map(Vector::id).toList());
    assertThat(done).hasSize(28);
  }

  @Test
  void everyClauseIsDoneOrLeftOut() {
    Map<String, List<String>> beyond =
        MemoryCasesContract.cases()
            .filter(vector -> !MemoryScript.beyond(vector).isEmpty())
            .collect(Collectors.toMap(Vector::id, MemoryScript::beyond, (a, b) -> a, TreeMap::new));

    assertThat(beyond).isEqualTo(PARTLY);
  }
}
