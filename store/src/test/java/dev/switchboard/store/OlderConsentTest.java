package dev.switchboard.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Grants and requests as they were stored before they named the rule that asked: they hold for
/// nothing, and can be read.
class OlderConsentTest {
  private static final String AGENT =
      """
      {"v":1,"uses":{"v":1,"tools":{}},
       "grants":[{"tool":"pay","until":"2120-01-01T00:00:00Z","bound":{}}]}
      """;
  private static final String CONVERSATION =
      """
      {"v":1,"calls":{"v":1,"turn":0,"rules":{"v":1,"turn":{},"conversation":{},"startRefusals":0,"reminders":0,
       "exitHeld":false},"waiting":[{"request":{"conversation":"v","id":"c1","tool":"pay",
       "arguments":"{}","mode":"external","expiresAt":"2120-01-01T00:00:00Z",
       "demands":[{"reason":"A rule asks for consent to tool 'pay'.","bound":{}}]}}]},"loop":{}}
      """;

  @TempDir private Path folder;

  private void write(String command, String... values) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("agent.db"));
        PreparedStatement statement = connection.prepareStatement(command)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      assertThat(statement.executeUpdate()).isOne();
    }
  }

  private ConversationStore open() {
    return Storage.sqlite(folder.resolve("agent.db"), "Treasurer");
  }

  private static ToolExecutor executor(ConversationStore store) {
    Tool pay = Tool.dynamic("pay").mode(ToolMode.EXTERNAL).handler(arguments -> "paid");
    return ToolExecutor.builder().tools(pay).rules(ToolRule.consent("pay")).store(store).build();
  }

  private static CallStep submit(ConversationStore store, String conversation, String id) {
    ToolSession session = ToolSession.builder(conversation).store(store).build();
    return executor(store).submitAll(List.of(ToolCall.of(id, "pay", "{}")), session).getFirst();
  }

  @Test
  void aGrantWithoutItsRuleHoldsNoLonger() throws SQLException {
    open().close();
    write("INSERT INTO agent_state (version, state, agent) VALUES (1, ?, 'Treasurer')", AGENT);
    try (ConversationStore store = open()) {
      assertThat(store.agent().load().value().grants().all()).hasSize(1);
      assertThat(submit(store, "other", "c9")).isInstanceOf(CallStep.Pending.class);
    }
  }

  @Test
  void aRequestWithoutItsRuleIsAnsweredOnce() throws SQLException {
    open().close();
    write(
        "INSERT INTO conversation (version, state, due, fence, principal, agent, id)"
            + " VALUES (1, ?, 4733510400000, 0, 'local', 'Treasurer', 'v')",
        CONVERSATION);
    try (ConversationStore store = open()) {
      ToolSession session = ToolSession.builder("v").store(store).build();
      assertThat(executor(store).answer("c1", Answer.approveAlways(), session).orElseThrow().text())
          .isEqualTo("paid");
      assertThat(submit(store, "v", "c2")).isInstanceOf(CallStep.Pending.class);
    }
  }
}
