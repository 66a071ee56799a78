package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.consent.Answer;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Grant;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// In whose conversations a lasting consent holds.
class LastingConsentsTest {
  private final ConversationStore store = new InProcessConversations();
  private final ToolExecutor executor =
      ToolExecutor.builder()
          .tools(Tool.dynamic("pay").mode(ToolMode.EXTERNAL).handler(arguments -> "paid"))
          .rules(ToolRule.consent("pay"))
          .store(store)
          .build();
  private int calls;

  private ToolSession session(String principal) {
    return ToolSession.builder("of-" + principal).principal(principal).store(store).build();
  }

  /// Whether a call of that principal waits; it is answered if so.
  private boolean asks(String principal, Answer answer) {
    String id = "c" + calls++;
    ToolSession session = session(principal);
    boolean asked =
        executor.submitAll(List.of(ToolCall.of(id, "pay", "{}")), session).getFirst()
            instanceof ToolExecutor.CallStep.Pending;
    if (asked) {
      assertThat(executor.answer(id, answer, session)).isPresent();
    }
    return asked;
  }

  @Test
  void oneGivenToAPrincipalHoldsForThatOneAlone() {
    assertThat(asks("zoe", Answer.approveAlways())).isTrue();

    assertThat(asks("zoe", Answer.deny(""))).isFalse();
    assertThat(asks("yan", Answer.deny(""))).isTrue();
  }

  @Test
  void oneForAllHoldsForEveryPrincipal() {
    assertThat(asks("zoe", Answer.approveAlways().by("ann").everywhere())).isTrue();

    assertThat(asks("zoe", Answer.deny(""))).isFalse();
    assertThat(asks("yan", Answer.deny(""))).isFalse();
    assertThatThrownBy(() -> Answer.approveOnce().everywhere())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oneThatIsTakenBackAsksAgain() {
    assertThat(asks("zoe", Answer.approveAlways().everywhere())).isTrue();
    assertThat(asks("yan", Answer.approveAlways())).isFalse();
    Grant grant = store.agent().load().value().grants().all().getFirst();

    assertThat(AgentState.changeGrants(store.agent(), all -> all.withoutId(grant.id()))).isTrue();
    assertThat(AgentState.changeGrants(store.agent(), all -> all.withoutId(grant.id()))).isFalse();
    assertThat(asks("yan", Answer.deny(""))).isTrue();
  }
}
