package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What every host of tool calls does alike, because it hands them to the one executor: a call that
/// must not run reaches nobody, one that may is answered, and its words come back.
abstract class HostContract {
  @TempDir Path folder;
  StubWebhook webhook;
  private StubWebhook model;
  private volatile String reply = "";

  @BeforeEach
  void start() {
    webhook = StubWebhook.start();
    model = StubWebhook.start().answer(this::reply);
  }

  @AfterEach
  void stop() {
    webhook.close();
    model.close();
  }

  /// Hands a call to the host.
  ///
  /// @param agent the file of its agent
  /// @return all that comes back, with the words of the result
  abstract String call(String agent, String tool, String arguments) throws Exception;

  /// Hands a call to the host, and has a person agree to it.
  ///
  /// @return as [#call]
  abstract String approved(String agent, String tool, String arguments) throws Exception;

  private String answer(String tool, String arguments) throws Exception {
    return call(agent(tool, arguments), tool, arguments);
  }

  /// The file of an agent whose model makes that call.
  String agent(String tool, String arguments) {
    String function = "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, Json.of(arguments));
    reply =
        "{\"tool_calls\":[{\"index\":0,\"id\":\"p\",\"type\":\"function\",\"function\":%s}]}"
            .formatted(function);
    return agent();
  }

  /// A model that makes that call, and then has nothing to add.
  private StubAnswer reply(StubRequest request) {
    List<JsonNode> messages = request.json().tree().path("messages").valueStream().toList();
    boolean done = messages.getLast().path("role").asString().equals("tool");
    String choice =
        done
            ? "{\"index\":0,\"delta\":{\"content\":\"Done.\"},\"finish_reason\":\"stop\"}"
            : "{\"index\":0,\"delta\":%s,\"finish_reason\":\"tool_calls\"}".formatted(reply);
    String events = "data: {\"choices\":[%s]}\n\ndata: [DONE]\n\n".formatted(choice);
    return StubAnswer.of(200, events).contentType("text/event-stream");
  }

  private String agent() {
    return AgentToml.write(
        folder,
        """
        [agent]
        name = "Host"
        model = { provider = "openai", name = "stub", base_url = "%s" }
        tool_rules = [{ tool_name = "book_table", rule_type = { RequiresPreceding = ["get_table"] } }]

        [[tools]]
        name = "get_table"
        webhook_url = "%2$s"
        retry = { base = 0.001, cap = 0.002 }
        parameters = { type = "object", properties = { party = { type = "integer" } }, required = ["party"] }

        [[tools]]
        name = "book_table"
        webhook_url = "%2$s"

        [[tools]]
        name = "local_open"
        webhook_url = "%2$s"

        [network]
        allow = ["%3$s"]

        [storage]
        url = "sqlite:agent.db"
        """
            .formatted(model.url("/v1"), webhook.url(), webhook.hostAndPort()));
  }

  @Test
  void aGoodCallIsAnswered() throws Exception {
    webhook.answer(200, "{\"tables\":[\"T4\"]}");
    assertThat(answer("get_table", "{\"party\":4}")).contains("T4");
    assertThat(webhook.requests()).hasSize(1);
    assertThat(webhook.requests().getFirst().json().tree().at("/arguments/party").asInt())
        .isEqualTo(4);
  }

  @Test
  void anUnknownToolIsRefusedWithTheClosestName() throws Exception {
    assertThat(answer("get_tabel", "{}")).contains("did you mean 'get_table'?");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void badArgumentsReachNoOne() throws Exception {
    assertThat(answer("get_table", "{\"party\":\"four\"}")).contains("/party: expected integer");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void aRuleHolds() throws Exception {
    assertThat(answer("book_table", "{}")).contains("Tool rule violation");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void nothingRunsThatAPersonHasToAgreeTo() throws Exception {
    String unusedWaitsOrIsRefused = answer("local_open", "{}");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void whatAPersonAgreesToRunsOnce() throws Exception {
    webhook.answer(200, "{\"opened\":\"yes\"}");
    assertThat(approved(agent("local_open", "{}"), "local_open", "{}")).contains("opened");
    assertThat(webhook.requests()).hasSize(1);
  }

  @Test
  void aCallThatCannotBeReadReachesNoOne() throws Exception {
    assertThat(answer("get_table", "{\"party\":")).contains("JSON");
    assertThat(webhook.requests()).isEmpty();
  }

  @Test
  void aFailureIsTriedAgainUnderTheSameKey() throws Exception {
    webhook.answer(500, "");
    assertThat(answer("get_table", "{\"party\":4}")).contains("Tool failed after 3 attempts");
    assertThat(webhook.requests())
        .hasSize(3)
        .extracting(request -> request.header("Idempotency-Key"))
        .containsOnly(webhook.requests().getFirst().header("Idempotency-Key"));
  }

  @Test
  void anAnswerThatIsNotJsonIsAFailureThatIsNotTriedAgain() throws Exception {
    webhook.answer(200, "hello");
    assertThat(answer("get_table", "{\"party\":4}")).contains("JSON");
    assertThat(webhook.requests()).hasSize(1);
  }

  /// The call as a line for a host that reads such.
  static String line(String tool, String arguments) {
    return "{\"id\":\"c1\",\"name\":%s,\"arguments\":%s}\n".formatted(Json.of(tool), arguments);
  }

  /// What hosts do alike in which a call can be ended before it runs: by another thread, or by a
  /// signal.
  abstract static class Cancellable extends HostContract {
    /// Hands a call to the host, and cancels it before it runs.
    ///
    /// @return all that comes back
    abstract String cancelled(String agent, String tool, String arguments) throws Exception;

    @Test
    void aCancelledCallReachesNoOne() throws Exception {
      String arguments = "{\"party\":4}";
      assertThat(cancelled(agent("get_table", arguments), "get_table", arguments))
          .contains("Tool 'get_table' was cancelled");
      assertThat(webhook.requests()).isEmpty();
    }
  }

  /// What hosts do alike that can be handed the same thing again.
  abstract static class WithIds extends Cancellable {
    /// Hands the host what brings a call about, twice under one id.
    ///
    /// @return all that comes back
    abstract String twice(String agent, String tool, String arguments) throws Exception;

    @Test
    void whatIsHandedInTwiceRunsOnce() throws Exception {
      webhook.answer(200, "{\"tables\":[\"T4\"]}");
      String arguments = "{\"party\":4}";
      assertThat(twice(agent("get_table", arguments), "get_table", arguments)).contains("T4");
      assertThat(webhook.requests()).hasSize(1);
    }
  }
}
