package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.server.TestServer.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The same conversation in the dialects of other clients.
class DialectRoutesTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final TestServer server =
      start(TestServer.tool("get_time", ran), TestServer.tool("local_run", ran));

  /// A server with these tools.
  TestServer start(Tool... tools) {
    return new TestServer(tools);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static List<String> types(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return TestServer.events(answer.text()).stream()
        .map(event -> event.path("type").asString())
        .toList();
  }

  static String run(String thread, String run, String message) {
    return agUi(run, message, "").replace("\"t1\"", "\"" + thread + "\"");
  }

  private static String agUi(String run, String message, String more) {
    return """
    {"threadId":"t1","runId":"%s","state":{},"tools":[],"context":[],"forwardedProps":{},
     "messages":[{"id":"%s","role":"user","content":"Run it"}]%s}\
    """
        .formatted(run, message, more);
  }

  private static final String DOT = "data:image/gif;base64,R0lGODlh";

  @Test
  void filesOfEveryDialectReachTheModelAndAreToldInWords() {
    server.model.says("One.").says("Two.").says("Three.").says("Four.").says("Five.");
    String image = "{\"type\":\"image\",\"source\":{\"type\":\"url\",\"value\":\"" + DOT + "\"}}";
    types(
        server.zoe.post(
            "/agui/Desk", agUi("r1", "m1", "").replace("\"Run it\"", "[" + image + "]")));
    types(
        server.zoe.post(
            "/ai/Desk",
            "{\"id\":\"t2\",\"messages\":[{\"id\":\"m1\",\"role\":\"user\",\"parts\":[{\"type\":\"file\",\"url\":\"%s\"}]}]}"
                .formatted(DOT)));
    server.zoe.post(
        "/v1/chat/completions",
        "{\"model\":\"Desk\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"%s\"}}]}]}"
            .formatted(DOT));
    server.zoe.post(
        "/v1/agents/Desk/conversations",
        "{\"id\":\"t4\",\"text\":\"Look\",\"files\":[{\"type\":\"image/gif\",\"data\":\"R0lGODlh\"}]}");
    server.model.awaitRequests(4);

    assertThat(server.model.requests())
        .allSatisfy(request ->
            assertThat(request.messages().getLast())
                .isInstanceOfSatisfying(
                    Message.User.class, said -> assertThat(said.files()).hasSize(1)));
    assertThat(server.zoe.get("/ai/Desk/t2/messages").text())
        .contains("[image/gif, 6 bytes]")
        .doesNotContain("R0lGODlh");
    Answer joined = server.zoe.post("/agui/Desk", agUi("r2", "m1", ""));
    assertThat(joined.text()).contains("[image/gif, 6 bytes]").doesNotContain("R0lGODlh");
  }

  @Test
  void limitsFilesByMessageAndByConversation() {
    server.model.says("Seen.").says("Seen.");
    String large = Base64.getEncoder().encodeToString(gif(800_000));
    String body = "{\"files\":[{\"type\":\"image/gif\",\"data\":\"" + large + "\"}]}";
    server.zoe.post("/v1/agents/Desk/conversations", "{\"id\":\"t1\"}");
    assertThat(server.zoe.post("/v1/conversations/t1/turns", body).status()).isEqualTo(202);
    await().until(() -> server.zoe.get("/v1/conversations/t1").text().contains("\"idle\""));
    Message.Attachment last = Message.Attachment.of("image/gif", gif(4 << 20));
    Message.Attachment most = Message.Attachment.of("image/gif", gif(5 << 20));
    var unused =
        server
            .agent
            .conversation("t1", ConversationOptions.NONE.withPrincipal("zoe"))
            .say(new Message.User("", most, most, most, last), null);

    Answer full = server.zoe.post("/v1/conversations/t1/turns", body);

    assertThat(full.status()).isEqualTo(413);
    assertThat(full.text()).contains("would have more than 20 MiB");
    assertTooLarge("/v1/conversations/t1/cancel", body);
    assertTooLarge("/v1/conversations/t1/turns", "{\"text\":\"" + "x".repeat(8 << 20) + "\"}");
  }

  /// The server answers before it has read all, and hangs up: the client may not get to the answer.
  private void assertTooLarge(String path, String body) {
    try {
      assertThat(server.zoe.post(path, body).status()).isEqualTo(413);
    } catch (UncheckedIOException hungUp) {
      assertThat(hungUp).hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void fewRequestsWithFilesAreUnderWayAtATime() {
    String large = Base64.getEncoder().encodeToString(gif(800_000));
    String body =
        "{\"threadId\":\"t%d\",\"runId\":\"r\",\"messages\":[{\"id\":\"m\",\"role\":\"user\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"data\",\"mimeType\":\"image/gif\",\"value\":\"%s\"}}]}]}";
    List<Thread> streams = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      server.model.blocks().and().says("Seen.");
      String one = body.formatted(i, large);
      streams.add(Thread.ofVirtual().start(() -> types(server.zoe.post("/agui/Desk", one))));
      server.model.awaitRequests(i);
    }

    // It is refused at its head, and the client gets to know it all the same.
    String larger = Base64.getEncoder().encodeToString(gif(5_000_000));
    for (int i = 0; i < 20; i++) {
      Answer fifth = server.zoe.post("/agui/Desk", body.formatted(5, larger));
      assertThat(fifth.status()).isEqualTo(429);
      assertThat(fifth.text()).contains("limit of 4 requests with files");
    }
    server.model.says("Hello.");
    types(server.zoe.post("/agui/Desk", agUi("r1", "m1", "").replace("\"t1\"", "\"t9\"")));

    streams.forEach(stream -> server.model.release());
    server.model.says("Seen.");
    await()
        .untilAsserted(() ->
            assertThat(server.zoe.post("/agui/Desk", body.formatted(6, large)).status())
                .isEqualTo(200));
  }

  private static byte[] gif(int bytes) {
    byte[] image = new byte[bytes];
    System.arraycopy("GIF89a".getBytes(StandardCharsets.US_ASCII), 0, image, 0, 6);
    return image;
  }

  @Test
  void aUrlThatWouldHaveToBeFetchedIsRefused() {
    Answer refused =
        server.zoe.post(
            "/v1/chat/completions",
            """
            {"model":"Desk","messages":[{"role":"user","content":[
              {"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]}
            """);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("no other URL is fetched");
    assertThat(server.model.requests()).isEmpty();
  }

  @Test
  void runsInAgUiWithAnApproval() {
    server.model.calls("local_run", "{\"n\":1}").says("Done.");

    Answer first = server.yan.post("/agui/Desk", agUi("r1", "m1", ""));
    assertThat(types(first))
        .startsWith("RUN_STARTED")
        .contains("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END")
        .endsWith("RUN_FINISHED");
    JsonNode end = TestServer.events(first.text()).getLast();
    assertThat(end.path("outcome").path("type").asString()).isEqualTo("interrupt");
    String id = end.path("outcome").path("interrupts").path(0).path("id").asString();
    assertThat(id).startsWith("t1:");

    Answer none = server.yan.post("/agui/Desk", agUi("r2", "m2", ""));
    assertThat(types(none)).containsExactly("RUN_ERROR");
    assertThat(none.text()).contains("consent_pending");
    String bad =
        ",\"resume\":[{\"interruptId\":\"%s\",\"status\":\"resolved\",\"payload\":{\"approved\":true,\"editedArgs\":{\"n\":\"x\"}}}]"
            .formatted(id);
    assertThat(server.yan.post("/agui/Desk", agUi("r3", "m1", bad)).text())
        .contains("invalid_arguments");
    assertThat(ran).isEmpty();

    String good = bad.replace("\"x\"", "7");
    Answer resumed = server.yan.post("/agui/Desk", agUi("r4", "m1", good));
    assertThat(types(resumed))
        .startsWith("RUN_STARTED")
        .contains("TOOL_CALL_RESULT", "TEXT_MESSAGE_CONTENT")
        .doesNotContain("TOOL_CALL_START")
        .endsWith("RUN_FINISHED");
    assertThat(ran).containsExactly("local_run{\"n\":7}");
    Answer joined = server.yan.post("/agui/Desk", agUi("r5", "m1", ""));
    assertThat(types(joined)).contains("MESSAGES_SNAPSHOT").endsWith("RUN_FINISHED");
  }

  @Test
  void replaysRepeatedAgUiRunAndRefusesReusedId() {
    server.model.calls("get_time", "{}").says("Noon.").says("One.");
    Answer first = server.zoe.post("/agui/Desk", agUi("r1", "m1", ""));
    Answer second = server.zoe.post("/agui/Desk", agUi("r2", "m2", ""));
    assertThat(second.text()).contains("One.");

    assertThat(server.zoe.post("/agui/Desk", agUi("r1", "m1", "")).text()).isEqualTo(first.text());
    assertThat(server.zoe.post("/agui/Desk", agUi("r2", "m2", "")).text()).isEqualTo(second.text());
    for (String other :
        List.of(agUi("r1", "m3", ""), agUi("r1", "m1", "").replace("Run it", "Stop it"))) {
      Answer refused = server.zoe.post("/agui/Desk", other);
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().path("code").asString()).isEqualTo("id_used");
    }
    assertThat(server.model.requests()).hasSize(3);
  }

  @Test
  void aRunOfAgUiThatResumesIsKnownToo() {
    server.model.calls("local_run", "{\"n\":1}").says("Done.").says("More.");
    Answer first = server.zoe.post("/agui/Desk", agUi("r1", "m1", ""));
    String id =
        TestServer.events(first.text())
            .getLast()
            .path("outcome")
            .path("interrupts")
            .path(0)
            .path("id")
            .asString();
    String approve =
        ",\"resume\":[{\"interruptId\":\"%s\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]"
            .formatted(id);
    String deny = approve.replace("true", "false");
    // The run that waits is not the one that answers.
    assertThat(server.zoe.post("/agui/Desk", agUi("r1", "m1", approve)).status()).isEqualTo(409);
    assertThat(ran).isEmpty();

    Answer resumed = server.zoe.post("/agui/Desk", agUi("r2", "m1", approve));
    assertThat(types(resumed)).contains("TOOL_CALL_RESULT").endsWith("RUN_FINISHED");
    assertThat(server.zoe.post("/agui/Desk", agUi("r2", "m1", approve)).text())
        .isEqualTo(resumed.text());
    for (String other :
        List.of(agUi("r2", "m1", deny), agUi("r2", "m1", ""), agUi("r2", "m2", ""))) {
      Answer refused = server.zoe.post("/agui/Desk", other);
      assertThat(refused.status()).as(refused.text()).isEqualTo(409);
      assertThat(refused.json().path("code").asString()).isEqualTo("id_used");
    }
    // What is answered already can be asked for under another name, which is not kept.
    assertThat(types(server.zoe.post("/agui/Desk", agUi("r3", "m1", approve))))
        .endsWith("RUN_FINISHED");
    assertThat(server.zoe.post("/agui/Desk", agUi("r4", "m4", "")).text()).contains("More.");
    assertThat(types(server.zoe.post("/agui/Desk", agUi("r5", "m4", ""))))
        .contains("MESSAGES_SNAPSHOT")
        .endsWith("RUN_FINISHED");
    assertThat(ran).hasSize(1);
  }

  private static String ui(String parts, String role, String id) {
    return """
    {"id":"c1","trigger":"submit-message","messages":[{"id":"%s","role":"%s","parts":%s}]}\
    """
        .formatted(id, role, parts);
  }

  @Test
  void streamsMessagesOfTheAiSdkWithAnApproval() {
    server.model.calls("local_run", "{\"n\":1}").says("Done.");

    Answer first =
        server.zoe.post("/ai/Desk", ui("[{\"type\":\"text\",\"text\":\"Run\"}]", "user", "m1"));
    assertThat(types(first))
        .startsWith("start")
        .containsSubsequence("start-step", "tool-input-available", "tool-approval-request")
        .endsWith("finish");
    assertThat(first.text()).endsWith("data: [DONE]\n\n");
    JsonNode asked =
        TestServer.events(first.text()).stream()
            .filter(event -> event.path("type").asString().equals("tool-approval-request"))
            .findFirst()
            .orElseThrow();
    String responded =
        """
        [{"type":"dynamic-tool","toolName":"local_run","toolCallId":"x","state":"approval-responded",
          "input":{"n":99},"approval":{"id":"%s","approved":true}}]\
        """
            .formatted(asked.path("approvalId").asString());

    Answer second = server.zoe.post("/ai/Desk", ui(responded, "assistant", "reply_m1"));
    assertThat(types(second)).contains("tool-output-available", "text-delta").endsWith("finish");
    assertThat(ran).containsExactly("local_run{\"n\":1}");
    assertThat(server.zoe.get("/ai/Desk/c1/stream").status()).isEqualTo(204);
    JsonNode messages = server.zoe.get("/ai/Desk/c1/messages").json();
    assertThat(messages).hasSize(2);
    assertThat(messages.path(0).path("parts").path(0).path("text").asString()).isEqualTo("Run");
    assertThat(server.yan.get("/ai/Desk/c1/messages").status()).isEqualTo(404);
    Answer again =
        server.zoe.post("/ai/Desk", ui("[{\"type\":\"text\",\"text\":\"Run\"}]", "user", "m1"));
    assertThat(types(again)).contains("tool-approval-request");
    assertThat(server.model.requests()).hasSize(2);
  }

  @Test
  void completesChatsKeptAndNot() {
    server.model.calls("get_time", "{}").says("Noon.").says("Still noon.").says("Hello Ada.");
    String body =
        """
        {"model":"Desk","metadata":{"conversation":"k1"},
         "messages":[{"role":"user","content":"What time is it?"}]}\
        """;
    Answer kept = server.zoe.post("/v1/chat/completions", body);
    assertThat(kept.status()).as(kept.text()).isEqualTo(200);
    assertThat(content(kept)).isEqualTo("Noon.");
    Answer streamed =
        server.zoe.post(
            "/v1/chat/completions", body.replace("{\"model\"", "{\"stream\":true,\"model\""));
    assertThat(streamed.text()).contains("chat.completion.chunk").endsWith("data: [DONE]\n\n");

    Answer once =
        server.zoe.post(
            "/v1/chat/completions",
            """
            {"model":"Desk","messages":[{"role":"user","content":"I am Ada."},
             {"role":"assistant","content":"Hi."},{"role":"user","content":"Who am I?"}]}\
            """);
    assertThat(content(once)).isEqualTo("Hello Ada.");
    assertThat(server.model.requests().getLast().messages()).hasSize(3);
    assertThat(server.zoe.get("/v1/conversations").json().path("items")).hasSize(1);
    assertThat(server.zoe.get("/v1/models").json().path("data").path(0).path("id").asString())
        .isEqualTo("Desk");
    Answer unknown =
        server.zoe.post(
            "/v1/chat/completions",
            "{\"model\":\"gpt\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.json().path("error").path("code").asString()).isEqualTo("model_not_found");
  }

  @Test
  void hasNoOneToAskInAChatThatIsNotKept() {
    server.model.calls("local_run", "{\"n\":1}").says("I may not.");
    Answer once =
        server.zoe.post(
            "/v1/chat/completions",
            "{\"model\":\"Desk\",\"messages\":[{\"role\":\"user\",\"content\":\"Run\"}]}");

    assertThat(content(once)).isEqualTo("I may not.");
    assertThat(ran).isEmpty();
    assertThat(Json.of(server.model.requests().getLast().messages().getLast()).text())
        .contains("no_approver");
  }

  private static String content(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json().path("choices").path(0).path("message").path("content").asString();
  }

  @Test
  void resumesTheStreamOfATurnThatRuns() {
    server.model.blocks().and().says("never");
    Thread.ofVirtual()
        .start(() ->
            server.zoe.post(
                "/ai/Desk", ui("[{\"type\":\"text\",\"text\":\"Run\"}]", "user", "m1")));
    server.model.awaitRequests(1);
    await()
        .untilAsserted(
            () -> assertThat(server.zoe.get("/v1/conversations").json().path("items")).hasSize(1));
    var lines = server.zoe.stream("/ai/Desk/c1/stream");
    assertThat(lines.next()).isEqualTo(": keepalive");
    server.zoe.post("/v1/conversations/c1/cancel", "");
    StringBuilder text = new StringBuilder();
    while (lines.hasNext()) {
      text.append(lines.next()).append('\n');
    }
    assertThat(text).contains("\"start\"", "\"abort\"", "[DONE]");
  }
}
