package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChatCompletionsTest {
  static Stream<Case> cases() {
    return Case.all();
  }

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  private static ChatCompletions reply(boolean stream) {
    ChatInput input =
        new ChatInput("bistro", "t1", List.of(new Message.User("Hello")), stream, true);
    return new ChatCompletions("t1", "chatcmpl-r1", Log.AT, input);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isAsItsGoldenFile(Case of) {
    String told = Golden.stream(reply(true), of);
    Golden.check("openai/" + of.name(), told);
    assertThat(Golden.stream(reply(true), of)).isEqualTo(told);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isAsItsGoldenFileInOnePiece(Case of) {
    ChatCompletions reply = reply(false);
    String told = Golden.stream(reply, of);
    Golden.check("openai-whole/" + of.name(), told + "\n");
    assertThat(reply.breaksOff()).isEqualTo(Json.text(told).tree().has("error"));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void keepsTheGrammar(long seed) {
    for (Case of : RandomTurns.of(seed)) {
      ChatGrammar.check(Golden.stream(reply(true), of));
      assertThat(Json.text(Golden.stream(reply(false), of)).tree().isObject()).isTrue();
    }
  }
}
