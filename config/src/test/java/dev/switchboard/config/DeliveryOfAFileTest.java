package dev.switchboard.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Begun;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryOfAFileTest {
  private static final String KEY =
      "{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"}}}";

  @TempDir private Path folder;
  private final List<Json> probed = new ArrayList<>();

  private static String delivery(Tool tool) {
    return tool.options().delivery().word();
  }

  @Test
  void aToolStatesWhatBecomesOfItsCalls() {
    List<Tool> tools =
        new AgentFolder(folder)
            .read(
                """
                [agent]
                name = "a"

                [[tools]]
                name = "delete_one"
                command = ["rm", "x"]
                mode = "destructive"

                [[tools]]
                name = "delete_two"
                command = ["rm", "x"]
                mode = "destructive"
                delivery = "at_least_once"

                [[tools]]
                name = "delete_three"
                webhook_url = "https://api.example.com/x"

                [[tools]]
                name = "delete_four"
                http = { method = "DELETE", url = "https://api.example.com/x" }

                [[tools]]
                name = "delete_five"
                http = { method = "DELETE", url = "https://api.example.com/x", idempotency_header = "Key" }

                [[tools]]
                name = "delete_six"
                http = { method = "DELETE", url = "https://api.example.com/x" }
                retry = { max_retries = 1 }

                [[tools]]
                name = "pay"
                webhook_url = "https://api.example.com/x"
                delivery = "at_most_once"
                """)
            .tools();
    assertThat(tools)
        .extracting(DeliveryOfAFileTest::delivery)
        .containsExactly(
            "at_most_once",
            "at_least_once",
            "at_least_once",
            "at_most_once",
            "at_least_once",
            "at_least_once",
            "at_most_once");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          delivery = "once" | BAD_VALUE | tools[0].delivery must be one of 'at_least_once', 'at_most_once', 'reconcile', not 'once'
          delivery = "reconcile" | BAD_VALUE | tools[0].delivery is "reconcile", which needs 'probe', a tool that finds out what became of a call
          probe = "find_payment" | BAD_VALUE | tools[0].probe is for delivery = "reconcile"
          delivery = "reconcile"; probe = "good" | BAD_VALUE | tools[0].probe names the tool itself
          delivery = "reconcile"; probe = "find_payments" | UNKNOWN_TOOL | tools[0].probe names 'find_payments', which is not a tool of the agent; did you mean 'find_payment'?
          delivery = "reconcile"; probe = "pay" | BAD_VALUE | tools[0].probe names 'pay', whose mode is external: a probe only reads, state mode = "read" if it does
          delivery = "reconcile"; probe = "get_all" | BAD_VALUE | tools[0].probe names 'get_all', whose parameters do not take {"key": ".."}, which a probe is called with
          """)
  void saysWhatDoesNotGoTogether(String lines, FaultClass kind, String message) {
    String others =
        """

        [[tools]]
        name = "find_payment"
        webhook_url = "https://api.example.com/find"
        mode = "read"
        parameters = { type = "object", properties = { key = { type = "string" } } }

        [[tools]]
        name = "pay"
        webhook_url = "https://api.example.com/pay"
        parameters = { type = "object", properties = { key = { type = "string" } } }

        [[tools]]
        name = "get_all"
        webhook_url = "https://api.example.com/all"
        parameters = { type = "object", properties = { id = { type = "string" } }, required = ["id"] }
        """;
    assertThat(
            new AgentFolder(folder).all(AgentFolder.GOOD_TOOL + lines.replace("; ", "\n") + others))
        .singleElement()
        .satisfies(
            fault -> assertThat(fault.message()).isEqualTo(message),
            fault -> assertThat(fault.kind()).isEqualTo(kind));
  }

  /// What becomes of a call that had begun in a process that died, where the probe answers so.
  private ToolResult settled(String answer) {
    Tool find =
        Tool.dynamic("get_payment", KEY)
            .handler(arguments -> {
              probed.add(arguments);
              return Json.text(answer);
            });
    AgentFile file =
        new AgentFolder(folder)
            .read(
                """
                [agent]
                name = "a"

                [[tools]]
                name = "pay"
                command = ["false"]
                mode = "external"
                delivery = "reconcile"
                probe = "get_payment"
                """,
                find);
    InProcessConversations store = new InProcessConversations();
    Cell<ConversationState> state = store.state("c");
    ConversationState begun = ConversationState.NEW.beginning(new Begun("c1", "c1"));
    assertThat(state.replace(state.load(), begun)).isTrue();
    ToolSession session = ToolSession.builder("c").store(store).build();
    try (ToolExecutor executor = ToolExecutor.builder().tools(file.tools()).build()) {
      return executor.execute(new ToolCall("c1", "pay", Json.EMPTY_OBJECT), session);
    }
  }

  @Test
  void aToolOfTheAgentTellsWhatBecameOfACall() {
    assertThat(settled("{\"done\":true,\"result\":{\"receipt\":7}}").data())
        .isEqualTo(Json.text("{\"receipt\":7}"));
    assertThat(settled("{\"done\":true,\"receipt\":7}").data())
        .isEqualTo(Json.text("{\"done\":true,\"receipt\":7}"));
    assertThat(probed).hasSize(2);
    assertThat(probed.getFirst().tree().path("key").stringValue()).hasSize(32);
  }

  @Test
  void aCallThatWasNotDoneIsMade() {
    assertThat(settled("{\"done\":false}").error()).startsWith("Tool failed after 1 attempt: ");
  }

  @Test
  void anyOtherAnswerLeavesItUnknown() {
    for (String answer :
        List.of("{}", "{\"done\":\"yes\"}", "[]", "\"done\"", "{\"success\":false}")) {
      assertThat(settled(answer).code()).as(answer).isEqualTo(ResultCode.OUTCOME_UNKNOWN);
    }
  }
}
