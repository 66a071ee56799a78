package dev.switchboard.phone.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.carrier.CarrierEvent;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Results that come when the line is gone, or almost.
class LateResultsTest {
  private final CountDownLatch begun = new CountDownLatch(2); // of the writes
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch second = new CountDownLatch(1);

  private final InProcessConversations store = new InProcessConversations();

  private PlayedCall call(ConsentMode consent) {
    Agent agent =
        Agent.builder("Shop")
            .prompt("You sell.")
            .store(store)
            .tools(
                Tool.dynamic("create_return")
                    .mode(ToolMode.SAFE_WRITE)
                    .handler(arguments -> {
                      begun.countDown();
                      first.await();
                      return "return made";
                    }),
                Tool.dynamic("create_note")
                    .mode(ToolMode.SAFE_WRITE)
                    .handler(arguments -> {
                      begun.countDown();
                      second.await();
                      return "note made";
                    }),
                Tool.dynamic("pay").mode(ToolMode.LOCAL).handler(arguments -> "paid"))
            .build();
    return new PlayedCall(agent, PlayedCall.SETTINGS.with(consent)).talking();
  }

  private static void calls(PlayedCall call, String item, String tool) {
    call.says(item, "Do it.");
    String asks = call.created();
    call.calls(asks, "call_" + tool, tool, "{}");
    call.done(asks);
    call.until(() -> has(call, "tool_call", tool));
  }

  private static boolean has(PlayedCall call, String type, String part) {
    return call.notes.stream().anyMatch(note -> note.startsWith(type + " ") && note.contains(part));
  }

  private List<String> types() {
    return store.events("CA1", 0, 1_000).stream()
        .map(one -> one.event().tree())
        .map(tree -> tree.path("event").asString(tree.path("type").asString("")))
        .toList();
  }

  private static List<String> since(PlayedCall call, String note) {
    return call.notes.subList(call.notes.indexOf(note) + 1, call.notes.size());
  }

  @Test
  void lateWriteFollowsEndOfRecord() {
    PlayedCall call = call(ConsentMode.OPERATOR);
    calls(call, "i1", "create_return");
    calls(call, "i2", "create_note");
    call.until(() -> begun.getCount() == 0);
    call.carrier(new CarrierEvent.Disconnected());
    call.until(() -> !call.ended.isEmpty());
    assertThat(since(call, "ended hung_up")).isEmpty();
    second.countDown();
    call.until(() -> has(call, "late_result", "note made"));
    first.countDown();
    call.until(() -> has(call, "late_result", "return made"));
    assertThat(since(call, "ended hung_up")).hasSize(2).allMatch(n -> n.startsWith("late_result"));
    assertThat(since(call, "ended hung_up").getFirst())
        .isEqualTo(
            "late_result {\"id\":\"call_3_1_1\",\"tool\":\"create_note\",\"success\":true,"
                + "\"result\":\"note made\"}");
    assertThat(call.ended).hasSize(1);
    // In the log of the conversation the turn ends after the results of its calls.
    call.until(() -> types().contains("done") && types().getLast().equals("done"));
    assertThat(types().subList(types().lastIndexOf("tool_call"), types().size()))
        .containsExactly("tool_call", "call_ended", "tool_result", "tool_result", "done");
    // The model is gone.
    assertThat(call.toEngine().getLast()).isEqualTo("end of engine");
    assertThat(call.time.alarms()).isZero();
  }

  @ParameterizedTest
  @EnumSource(ConsentMode.class)
  void recordsResultOfCallPendingAtHangUp(ConsentMode consent) {
    PlayedCall call = call(consent);
    calls(call, "i1", "pay");
    call.until(
        () -> call.toEngine().stream().anyMatch(one -> one.matches("(?s)(output|create aside).*")));
    call.carrier(new CarrierEvent.Disconnected());
    call.until(() -> !call.ended.isEmpty());
    call.until(() -> has(call, "tool_result", "pay") || has(call, "late_result", "pay"));
  }

  @Test
  void theOutputOfEndCallIsSentBeforeTheSessionCloses() {
    // The line is gone before the carrier's answer is there, and after it.
    for (boolean isEarly : List.of(true, false)) {
      PlayedCall call = call(ConsentMode.OPERATOR);
      call.says("i1", "Bye");
      String asks = call.created();
      call.engine(new EngineEvent.Spoken(asks, "item-" + asks, "Goodbye!"));
      call.audio(asks, 200);
      call.calls(asks, "call_1", "end_call", "{\"reason\":\"all said\"}");
      call.done(asks);
      call.until(() -> has(call, "tool_call", "end_call"));
      CountDownLatch answers = new CountDownLatch(isEarly ? 1 : 0);
      call.carrierAnswers = answers;
      call.hearsAll();
      call.until(() -> call.toCarrier().contains("rest hang up"));
      call.carrier(new CarrierEvent.Disconnected());
      call.until(() -> !call.ended.isEmpty());
      answers.countDown();
      assertThat(call.ended).containsExactly("end_call");
      assertThat(call.toEngine())
          .endsWith(
              "output call_1 {\"status\":\"ending\",\"reason\":\"all said\"}", "end of engine");
      assertThat(has(call, "tool_result", "all said")).isTrue();
    }
  }
}
