package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UiMessagesTest {
  static Stream<Case> cases() {
    return Case.all();
  }

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  private static UiMessages reply() {
    return new UiMessages("t1", UiMessages.reply("u1"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isAsItsGoldenFile(Case of) {
    String told = Golden.stream(reply(), of);
    Golden.check("aisdk/" + of.name(), told);
    assertThat(Golden.stream(reply(), of)).isEqualTo(told);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void keepsTheGrammar(long seed) {
    UiGrammar grammar = new UiGrammar();
    for (Case of : RandomTurns.of(seed)) {
      grammar.check(Golden.stream(reply(), of));
    }
  }
}
