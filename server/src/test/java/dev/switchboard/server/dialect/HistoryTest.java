package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolResult;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class HistoryTest {
  static Stream<Case> cases() {
    return Case.all();
  }

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isAsItsGoldenFile(Case of) {
    Golden.check("agui-history/" + of.name(), AgUiHistory.of(of.events()) + "\n");
    Golden.check("aisdk-history/" + of.name(), UiHistory.of("t1", of.events()) + "\n");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void hasEachMessageOnceAndResultsBehindTheirCalls(long seed) {
    List<Event.Logged> events = RandomTurns.of(seed).getLast().events();
    Set<String> ids = new HashSet<>();
    Set<String> calls = new HashSet<>();
    for (JsonNode message : AgUiHistory.of(events).tree()) {
      assertThat(ids.add(message.path("id").asString())).isTrue();
      message.path("toolCalls").forEach(call -> calls.add(call.path("id").asString()));
      if (message.path("role").asString().equals("tool")) {
        assertThat(calls).contains(message.path("toolCallId").asString());
      }
    }
    assertThat(UiHistory.of("t1", events).tree().size()).isLessThanOrEqualTo(2);
  }

  @Test
  void takesDataThatNestsAsDeepAsItMay() {
    ObjectNode data = Codec.object();
    ObjectNode inner = data;
    for (int i = 0; i < 190; i++) {
      inner = inner.putObject("a");
    }
    Log log = new Log();
    log.call("c1").result("c1", ToolResult.builder(true).text("ok").data(Json.of(data)).build());
    assertThat(UiHistory.of("t1", log.events).text()).contains("\"output\":\"{");
    AgUi run = new AgUi("t1", "r1", name -> null);
    log.events.forEach(event -> Sse.data(run.encode(event)));
  }

  @Test
  void keepsWhatWasSaidInSeveralTurns() {
    Log log = new Log().words("Welcome.").said("u2", "A table?").call("c1").result("c1");
    log.words("Yes.").done("end_turn").said("u3", "Thanks.").words("Bye.").done("end_turn");
    Golden.check("agui-history/turns", AgUiHistory.of(log.events) + "\n");
    Golden.check("aisdk-history/turns", UiHistory.of("t1", log.events) + "\n");
  }
}
