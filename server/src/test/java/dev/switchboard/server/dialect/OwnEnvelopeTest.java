package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class OwnEnvelopeTest {
  static Stream<Case> cases() {
    return Case.all();
  }

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isAsItsGoldenFile(Case of) {
    Golden.check("own/" + of.name(), Golden.stream(new OwnEnvelope(), of));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tellsEachEventUnderItsNumber(long seed) {
    for (Case of : RandomTurns.of(seed)) {
      String told = Golden.stream(new OwnEnvelope(), of);
      List<JsonNode> data = Sse.data(told);
      List<String> frames = Sse.frames(told);
      assertThat(data).hasSize(of.told().size() + 1).endsWith((JsonNode) null);
      for (int i = 0; i < of.told().size(); i++) {
        assertThat(frames.get(i)).startsWith("id: " + of.told().get(i).number() + "\ndata: {");
      }
    }
  }
}
