package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Two processes, each with an executor and a session of its own, over one store.
class StoredSessionTest {
  private static final ToolCall CALL = ToolCall.of("1", "pay", "{\"to\":\"a\"}");

  private final InProcessConversations store = new InProcessConversations();
  private final AtomicInteger ran = new AtomicInteger();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final ToolExecutor here = executor();
  private final ToolSession session =
      ToolSession.builder("c").store(store).events(events::add).build();

  private ToolExecutor executor() {
    Tool pay =
        Tool.dynamic("pay", "{\"type\":\"object\"}")
            .mode(ToolMode.EXTERNAL)
            .handler(arguments -> "paid " + ran.incrementAndGet());
    return ToolExecutor.builder()
        .tools(pay)
        .rules(ToolRule.consent("pay", "to"))
        .store(store)
        .build();
  }

  private ToolSession elsewhere() {
    return ToolSession.builder("c").store(store).build();
  }

  private List<ToolResult> shown() {
    return events.stream()
        .filter(Event.ToolSettled.class::isInstance)
        .map(event -> ((Event.ToolSettled) event).result())
        .toList();
  }

  @Test
  void takesUpWhatWasAnsweredElsewhere() {
    here.submitAll(List.of(CALL), session);
    session.refresh();
    assertThat(shown()).isEmpty();

    ToolResult result = executor().answer("1", Answer.approveOnce(), elsewhere()).orElseThrow();
    session.refresh();
    session.refresh();

    assertThat(shown()).containsExactly(result);
    assertThat(session.waiting()).isEmpty();
    assertThat(here.execute(CALL, session).text()).isEqualTo("paid 1");
    assertThat(here.answer("1", Answer.approveOnce(), session)).isEmpty();
    assertThat(ran).hasValue(1);
  }

  @Test
  void ofTwoAnswersOneRunsTheCall() {
    here.submitAll(List.of(CALL), session);
    ToolSession other = elsewhere();

    assertThat(executor().answer("1", Answer.approveOnce(), other)).isPresent();
    assertThat(here.answer("1", Answer.deny("too late"), session)).isEmpty();
    assertThat(store.settledCalls("c", 0)).hasSize(1);
    assertThat(ran).hasValue(1);
  }

  @Test
  void aLastingAnswerGivenElsewhereHoldsHere() {
    here.submitAll(List.of(CALL), session);
    executor().answer("1", Answer.approveAlways(), elsewhere());

    ToolCall same = ToolCall.of("2", "pay", "{\"to\":\"a\"}");
    ToolCall other = ToolCall.of("3", "pay", "{\"to\":\"b\"}");
    assertThat(here.execute(same, session).text()).isEqualTo("paid 2");
    assertThat(here.execute(other, session).code()).isEqualTo(ResultCode.NO_APPROVER);
  }

  @Test
  void countsRepeatsOfTheTurnOn() {
    ToolExecutor plain =
        ToolExecutor.of(Tool.dynamic("get_it", "{\"type\":\"object\"}").handler(a -> "it"));
    for (String id : List.of("1", "2", "3")) {
      assertThat(plain.execute(ToolCall.of(id, "get_it", "{}"), elsewhere()).success()).isTrue();
    }

    assertThat(plain.execute(ToolCall.of("4", "get_it", "{}"), elsewhere()).code())
        .isEqualTo(ResultCode.REPEATED_CALL);
  }
}
