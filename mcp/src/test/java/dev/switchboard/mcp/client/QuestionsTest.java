package dev.switchboard.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.Approver;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ToolExecutorBuilder;
import dev.switchboard.handler.Services;
import dev.switchboard.json.Json;
import dev.switchboard.mcp.McpTools;
import dev.switchboard.memory.InProcessMemory;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What servers ask of their client: data of a person, a reply of the model, folders.
class QuestionsTest {
  private static final String FORM =
      "{\"message\":\"How"
          + " many?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":9,\"description\":\"a"
          + " number\"}},\"required\":[\"n\"]}}";

  private final List<ConsentRequest> asked = new CopyOnWriteArrayList<>();
  private Fake fake;

  @AfterEach
  void close() {
    if (fake != null) {
      fake.close();
    }
  }

  private void start(Approver approver) {
    fake =
        Fake.of(
            Fake.server(Fake.SESSIONS),
            builder ->
                builder.approver(request -> {
                  asked.add(request);
                  return approver.ask(request);
                }));
  }

  private static Answer data(String json) {
    return new Answer.Approved(Duration.ZERO, Json.text(json), null);
  }

  private String ask(String method, String params) {
    return fake.run("ask " + method + " " + params).text();
  }

  @Test
  void aFormIsFilledIn() {
    start(request -> data("{\"n\":4}"));
    assertThat(ask("elicitation/create", FORM))
        .contains("\"action\":\"accept\"", "\"content\":{\"n\":4}");
    assertThat(asked.getFirst().demands().getFirst().reason())
        .isEqualTo("The MCP server 'fake' asks: How many? It wants: n (a number).");
  }

  @Test
  void invalidDataIsAskedForAgain() {
    AtomicInteger tries = new AtomicInteger();
    start(request -> data(tries.incrementAndGet() == 1 ? "{\"n\":40}" : "{\"n\":4}"));
    assertThat(ask("elicitation/create", FORM)).contains("\"content\":{\"n\":4}");
    assertThat(asked.get(1).demands().getFirst().reason())
        .contains("That was not valid: /n must be");
  }

  @Test
  void dataThatStaysInvalidIsNotSent() {
    start(request -> data("{\"n\":\"many\"}"));
    assertThat(ask("elicitation/create", FORM)).contains("\"action\":\"cancel\"");
    assertThat(asked).hasSize(3);
  }

  @Test
  void aPersonMayDecline() {
    start(request -> new Answer.Denied("no", null));
    assertThat(ask("elicitation/create", FORM)).contains("\"action\":\"decline\"");
  }

  @Test
  void noOneIsThereToAsk() {
    fake = Fake.of(Fake.server(Fake.SESSIONS));
    assertThat(ask("elicitation/create", FORM)).contains("\"action\":\"decline\"");
  }

  @Test
  void formsThatAreNoneAreRefused() {
    start(request -> data("{}"));
    assertThat(ask("elicitation/create", "{\"message\":\"x\"}")).contains("\"code\":-32602");
    assertThat(
            ask(
                "elicitation/create",
                "{\"message\":\"x\",\"requestedSchema\":{\"type\":\"string\"}}"))
        .contains("\"code\":-32602");
    assertThat(ask("elicitation/create", "{\"mode\":\"url\",\"url\":\"https://evil.example\"}"))
        .contains("\"code\":-32602");
    assertThat(asked).isEmpty();
  }

  @Test
  void ofSeveralPersonsNoneIsAsked() throws Exception {
    start(request -> data("{\"n\":4}"));
    CompletableFuture<ToolResult> other = fake.running("await end\nsay end");
    await().until(() -> !fake.seen("await end").isEmpty());

    assertThat(ask("elicitation/create", FORM)).contains("\"action\":\"cancel\"");
    assertThat(asked).isEmpty();
    fake.run("release end\nsay x");
    assertThat(other.get().text()).isEqualTo("end");
    assertThat(ask("elicitation/create", FORM)).contains("\"action\":\"accept\"");
  }

  @Test
  void theNextPersonIsNotAskedForOneWhoGaveUp() {
    start(request -> data("{\"n\":4}"));
    assertThat(fake.brief("await never").code()).isEqualTo(ResultCode.TIMEOUT);
    assertThat(ask("elicitation/create", FORM)).contains("\"action\":\"cancel\"");
    assertThat(asked).isEmpty();
  }

  @Test
  void unknownQuestionsAreRefused() {
    start(request -> data("{}"));
    assertThat(ask("roots/list", "{}")).contains("\"roots\":[]");
    assertThat(ask("tools/list", "{}")).contains("\"code\":-32601");
    assertThat(ask("sampling/createMessage", "{\"messages\":[]}")).contains("\"code\":-1");
    assertThat(ask("ping", "{}")).contains("\"result\":{}");
  }

  @Test
  void rootsAreAsConfigured() {
    fake = Fake.of(Fake.server(Fake.SESSIONS).roots(Path.of("/srv/data")));
    assertThat(ask("roots/list", "{}")).contains("\"uri\":\"file:///srv/data", "\"name\":\"data\"");
  }

  @Test
  void samplingKeepsToItsBudget() {
    ScriptedModel model = new ScriptedModel().says("one two three four").says("x");
    McpTools server = Fake.server(Fake.SESSIONS).sampling(2, 2);
    fake = Fake.of(server, builder -> withModel(builder, model));
    String question =
        "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"hi\"}}],\"maxTokens\":1000}";
    assertThat(ask("sampling/createMessage", question))
        .contains("\"text\":\"one two \"", "\"stopReason\":\"maxTokens\"");
    assertThat(ask("sampling/createMessage", question)).contains("\"text\":\"x\"");
    assertThat(ask("sampling/createMessage", question)).contains("budget", "\"code\":-1");
    assertThat(ask("sampling/createMessage", "{\"messages\":[]}")).contains("\"code\":-32602");
    assertThat(model.requests()).hasSize(2);
    assertThat(model.requests().getFirst().messages()).hasSize(1);
  }

  private static ToolExecutorBuilder withModel(ToolExecutorBuilder builder, ScriptedModel model) {
    return builder.services(
        Services.of("agent", new InProcessMemory(), Time.SYSTEM).withModel(model));
  }

  @Test
  void questionsWithinAResultAreBounded() {
    try (FakeWeb web = new FakeWeb(Fake.STATELESS)) {
      web.start();
      String question = "\"q\":{\"method\":\"elicitation/create\",\"params\":" + FORM + "}";
      web.on(
          "tools/call",
          request ->
              FakeWeb.result(
                  request,
                  "{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{"
                      + question
                      + "}}"));
      assertThat(web.run().error()).contains("the server does not stop asking");
      assertThat(web.requests("tools/call")).hasSize(10);
      assertThat(
              web.requests("tools/call")
                  .getLast()
                  .json()
                  .tree()
                  .at("/params/requestState")
                  .asString())
          .isEqualTo("s");

      web.on(
          "tools/call",
          request ->
              FakeWeb.result(
                  request,
                  "{\"resultType\":\"input_required\",\"inputRequests\":{\"q\":{\"method\":\"x\"}}}"));
      ToolResult result = web.run();
      assertThat(result.code()).isEqualTo(ResultCode.FAILED);
      assertThat(result.error())
          .contains("it sends a request that is not supported: Unknown method 'x'");

      web.on("tools/call", StubAnswer.of(200, "{}"));
      assertThat(web.run().code()).isEqualTo(ResultCode.FAILED);
    }
  }
}
