package dev.switchboard.spec;

import dev.switchboard.harness.Vectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Areas `rules/*`, `executor/*` and `consent`, as far as their steps are calls: through the one
/// door, by their ids.
class RuleCallVectorsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "R003", "R005", "R009", "R010", "R011", "R012", "R013", "R020", "R023", "R024", "R028",
        "R030", "R048", "R049", "R051", "R052", "R053", "R055", "R057", "R058", "R059", "R064",
        "R065", "R066", "R067", "R068", "R069", "R072", "R074", "R075", "R076", "R077", "R080",
        "R087", "R092", "R093", "R094", "R117", "R118", "R119", "R120", "R123", "R125", "R135",
        "R136", "R137", "R138", "R139", "R141", "R143", "R144", "R145"
      })
  void decidesAsTheCaseSays(String id) {
    new RuleScript(Vectors.byId(id)).run();
  }
}
