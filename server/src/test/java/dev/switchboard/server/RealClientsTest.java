package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import tools.jackson.databind.JsonNode;

/// Clients of others that talk to a server through its routes.
@Isolated("programs of others need the processors")
@Tag("servers")
class RealClientsTest {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final TestServer server =
      new TestServer(
          tool("get_time"),
          tool("get_fault"),
          tool("get_slow"),
          tool("local_run"),
          tool("local_slow"));

  private Tool tool(String name) {
    return TestServer.tool(name)
        .handler(arguments -> {
          ran.add(name + arguments.text());
          if (name.equals("get_fault")) {
            throw new IllegalStateException("broken");
          }
          if (name.endsWith("slow")) {
            entered.countDown();
            assertThat(released.await(5, TimeUnit.MINUTES)).isTrue();
          }
          return name + " done";
        });
  }

  @AfterEach
  void close() {
    released.countDown();
    server.close();
  }

  @AfterAll
  static void stop() {
    for (RealClient client : RealClient.values()) {
      client.stop();
    }
  }

  /// All words of the agent; where texts and paragraphs begin is each dialect's own.
  private static String words(JsonNode told) {
    List<String> words = new ArrayList<>();
    told.path("words").forEach(text -> words.add(text.asString()));
    return String.join(" ", words).replaceAll("\\s+", " ").strip();
  }

  /// The calls and what became of them.
  private static List<String> calls(JsonNode told) {
    List<String> calls = new ArrayList<>();
    told.path("calls")
        .forEach(
            call -> calls.add(call.path("name").asString() + ' ' + call.path("state").asString()));
    return calls;
  }

  private static void assertEnd(JsonNode told, String end) {
    assertThat(told.path("end").asString("")).as(told.toString()).isEqualTo(end);
  }

  private static void assertCalls(RealClient client, JsonNode told, String... calls) {
    assertThat(calls(told)).containsExactly(client == RealClient.OPENAI ? new String[0] : calls);
  }

  /// A page that loads the conversation shows what the page shows that was there all the time.
  private static void assertTheSameForANewPage(
      RealClient client, RealClient.Open open, JsonNode told) {
    if (client == RealClient.AGUI || client == RealClient.AISDK) {
      open.tell("reload");
      JsonNode fresh = open.tell("rest");
      assertThat(fresh.path("users")).isEqualTo(told.path("users"));
      assertThat(fresh.path("words")).isEqualTo(told.path("words"));
      assertThat(fresh.path("calls")).isEqualTo(told.path("calls"));
      if (client == RealClient.AGUI) {
        assertThat(fresh.path("messages")).isEqualTo(told.path("messages"));
        assertEnd(fresh, told.path("end").asString(""));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsWords(RealClient client) {
    server.model.says("Hello, ", "Zoe.").says("Bye.");
    RealClient.Open open = client.on(server);

    JsonNode told = open.tell("say", "Hi");

    assertThat(words(told)).isEqualTo("Hello, Zoe.");
    assertEnd(told, client.finished);
    assertCalls(client, told);
    assertTheSameForANewPage(client, open, told);
    JsonNode second = open.tell("say", "See you");
    assertThat(words(second)).isEqualTo("Hello, Zoe. Bye.");
    assertThat(server.model.lastRequest().messages()).hasSize(3);
  }

  /// The hook of our own envelope's client sends words alone.
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OWN")
  void showsAnImage(RealClient client) {
    server.model.says("A dot.");
    RealClient.Open open = client.on(server);

    JsonNode told = open.tell("say", "What is it?", "data:image/gif;base64,R0lGODlh");

    assertThat(words(told)).isEqualTo("A dot.");
    Message.User said = (Message.User) server.model.lastRequest().messages().getLast();
    assertThat(said.text()).isEqualTo("What is it?");
    assertThat(said.files()).hasSize(1);
    assertThat(said.files().getFirst().dataUrl()).isEqualTo("data:image/gif;base64,R0lGODlh");
  }

  @Test
  void openAiReadsAWholeAnswer() {
    server.model.says("Hello, ", "Zoe.");

    JsonNode told = RealClient.OPENAI.on(server).tell("whole", "Hi");

    assertThat(words(told)).isEqualTo("Hello, Zoe.");
    assertEnd(told, "stop");
    assertThat(told.path("usage").path("total_tokens").isNumber()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void readsACall(RealClient client) {
    server.model.says("Let me look. ").and().calls("get_time", "{\"n\":1}").says("It is noon.");
    RealClient.Open open = client.on(server);

    JsonNode told = open.tell("say", "What time is it?");

    assertThat(words(told)).isEqualTo("Let me look. It is noon.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "get_time done");
    if (client != RealClient.OPENAI) {
      assertThat(told.path("calls").path(0).path("arguments")).hasToString("{\"n\":1}");
      assertThat(told.path("calls").path(0).path("result").asString()).contains("get_time done");
    }
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource
  void readsACallThatFails(RealClient client) {
    server.model.calls("get_fault", "{}").says("It does not work.");
    RealClient.Open open = client.on(server);

    JsonNode told = open.tell("say", "Try it");

    assertThat(words(told)).isEqualTo("It does not work.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "get_fault failed");
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource
  void allowsACall(RealClient client) {
    server.model.says("I run it. ").and().calls("local_run", "{\"n\":1}").says("Done.");
    RealClient.Open open = client.on(server);

    JsonNode asked = open.tell("say", "Run it");
    assertThat(words(asked)).startsWith("I run it.");
    assertEnd(asked, client.waits);
    assertCalls(client, asked, "local_run waiting");
    assertThat(ran).isEmpty();

    JsonNode told = open.tell("approve");
    assertRan(client, open, told, "local_run{\"n\":1}");
  }

  @ParameterizedTest
  @EnumSource
  void allowsACallWithOtherArguments(RealClient client) {
    server.model.says("I run it. ").and().calls("local_run", "{\"n\":1}").says("Done.");
    RealClient.Open open = client.on(server);
    open.tell("say", "Run it");

    JsonNode told = open.tell("approve", Map.of("n", 7));

    assertRan(client, open, told, "local_run{\"n\":7}");
    if (client == RealClient.AISDK) {
      assertThat(told.path("calls").path(0).path("arguments")).hasToString("{\"n\":7}");
    }
  }

  /// That the one call has run, and the turn has ended. A client of OpenAI's learns of it by its
  /// next words.
  private void assertRan(RealClient client, RealClient.Open open, JsonNode told, String call) {
    assertThat(ran).containsExactly(call);
    if (client == RealClient.OPENAI) {
      server.model.says("It has run.");
      JsonNode next = open.tell("say", "And?");
      assertThat(words(next)).endsWith("It has run.");
      return;
    }
    assertThat(words(told)).isEqualTo("I run it. Done.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "local_run done");
    if (client == RealClient.AISDK) {
      assertThat(told.path("requests").asInt()).isEqualTo(2);
    }
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource
  void deniesACall(RealClient client) {
    server.model.says("I run it. ").and().calls("local_run", "{\"n\":1}").says("Then not.");
    RealClient.Open open = client.on(server);
    open.tell("say", "Run it");

    JsonNode told = open.tell("deny", "Not today");

    assertThat(ran).isEmpty();
    assertThat(Json.of(server.model.lastRequest().messages().getLast()).text())
        .contains("Not today");
    if (client != RealClient.OPENAI) {
      assertThat(words(told)).isEqualTo("I run it. Then not.");
      assertEnd(told, client.finished);
      assertCalls(client, told, "local_run denied");
    }
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource
  void cancelsATurn(RealClient client) {
    server.model.says("One ").and().blocks().and().says("two.").says("Again.");
    RealClient.Open open = client.on(server);
    open.tell("start", "Count", "One");

    JsonNode told = open.tell("cancel");

    assertThat(words(told)).isEqualTo("One");
    assertEnd(told, client.cancelled);
    if (client == RealClient.AGUI || client == RealClient.AISDK) {
      assertThat(told.path("reason").asString()).isEqualTo("cancelled");
    }
    JsonNode next = open.tell("say", "Once more");
    assertThat(words(next)).isEqualTo("One Again.");
    assertEnd(next, client.finished);
  }

  @ParameterizedTest
  @EnumSource
  void cancelsACallThatRuns(RealClient client) {
    server.model.says("Wait. ").and().calls("get_slow", "{}");
    RealClient.Open open = client.on(server);
    open.tell("start", "Go", "Wait.");
    awaitTheCall();

    JsonNode told = open.tell("cancel");

    assertEnd(told, client.cancelled);
    assertCalls(client, told, "get_slow failed");
    assertTheSameForANewPage(client, open, told);
  }

  private void awaitTheCall() {
    try {
      assertThat(entered.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void learnsThatTheModelFails(RealClient client) {
    server.model.fails(ModelException.Kind.REFUSED).says("I am back.");
    RealClient.Open open = client.on(server);

    JsonNode told = open.tell("say", "Hi");

    assertEnd(told, client.failed);
    assertThat(told.path("error").asString("")).as(told.toString()).isNotEmpty();
    JsonNode next = open.tell("say", "Hi again");
    assertThat(words(next)).endsWith("I am back.");
    assertEnd(next, client.finished);
  }

  @ParameterizedTest
  @EnumSource
  void reloadsInTheMiddleOfWords(RealClient client) {
    server.model.says("One ").and().blocks().and().says("two ", "three.");
    RealClient.Open open = client.on(server);
    open.tell("start", "Count", "One");

    open.tell("reload");
    server.model.release();
    JsonNode told = open.tell("rest");

    assertThat(words(told)).isEqualTo("One two three.");
    assertEnd(told, client.finished);
    assertTheSameForANewPage(client, open, told);
    if (client == RealClient.OWN) {
      assertThat(told.path("events")).doesNotHaveDuplicates();
    } else {
      assertThat(told.path("words")).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void reloadsInTheMiddleOfACall(RealClient client) {
    server.model.says("Wait. ").and().calls("get_slow", "{}").says("There.");
    RealClient.Open open = client.on(server);
    open.tell("start", "Go", "Wait.");
    awaitTheCall();

    open.tell("reload");
    released.countDown();
    JsonNode told = open.tell("rest");

    assertThat(words(told)).isEqualTo("Wait. There.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "get_slow done");
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OPENAI")
  void allowsACallAfterAReload(RealClient client) {
    server.model.says("I run it. ").and().calls("local_run", "{\"n\":1}").says("Done.");
    RealClient.Open open = client.on(server);
    open.tell("say", "Run it");

    open.tell("reload");
    JsonNode asked = open.tell("rest");
    assertCalls(client, asked, "local_run waiting");
    JsonNode told = open.tell("approve", Map.of("n", 7));

    assertThat(ran).containsExactly("local_run{\"n\":7}");
    assertThat(words(told)).isEqualTo("I run it. Done.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "local_run done");
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource(names = {"AGUI", "AISDK"})
  void goesOnWithAnAnswerOfAnotherPage(RealClient client) {
    server.model.calls("local_run", "{\"n\":1}").calls("local_run", "{\"n\":2}").says("Done.");
    RealClient.Open open = client.on(server);
    open.tell("say", "Run it");

    open.tell("answerElsewhere", Map.of("n", 5));
    await().until(() -> ran.size() == 1 && server.live("t1").waiting().size() == 1);
    JsonNode asked = open.tell("approve");
    assertThat(ran).containsExactly("local_run{\"n\":5}");
    assertEnd(asked, client.waits);
    assertCalls(client, asked, "local_run done", "local_run waiting");

    JsonNode told = open.tell("approve");
    assertThat(ran).containsExactly("local_run{\"n\":5}", "local_run{\"n\":2}");
    assertThat(words(told)).isEqualTo("Done.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "local_run done", "local_run done");
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource(names = {"AGUI", "AISDK"})
  void answersTwoRequestsAlthoughAnotherPageAnsweredOne(RealClient client) {
    server.model.calls("local_run", "{\"n\":1}").and().calls("local_run", "{\"n\":2}");
    server.model.says("Done.");
    RealClient.Open open = client.on(server);
    assertCalls(client, open.tell("say", "Run both"), "local_run waiting", "local_run waiting");

    open.tell("answerElsewhere", Map.of("n", 5));
    await().until(() -> server.live("t1").waiting().size() == 1 && !server.live("t1").isRunning());
    JsonNode told = open.tell("approve");

    assertThat(ran).containsExactlyInAnyOrder("local_run{\"n\":5}", "local_run{\"n\":2}");
    assertThat(words(told)).isEqualTo("Done.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "local_run done", "local_run done");
    assertTheSameForANewPage(client, open, told);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "OPENAI")
  void reloadsWhileACallRunsThatWasAllowed(RealClient client) {
    server.model.says("I run it. ").and().calls("local_slow", "{\"n\":1}").says("Done.");
    RealClient.Open open = client.on(server);
    open.tell("say", "Run it");
    open.tell("startToApprove", Map.of("n", 7));
    awaitTheCall();

    open.tell("reload");
    released.countDown();
    JsonNode told = open.tell("rest");

    assertThat(ran).containsExactly("local_slow{\"n\":7}");
    assertThat(words(told)).isEqualTo("I run it. Done.");
    assertEnd(told, client.finished);
    assertCalls(client, told, "local_slow done");
    assertTheSameForANewPage(client, open, told);
  }

  @Test
  void aiSdkLeavesATurnByItsNextWords() {
    server.model.says("One ").and().blocks().and().says("two.").says("Hello.");
    RealClient.Open open = RealClient.AISDK.on(server);
    open.tell("start", "Count", "One");

    open.tell("leave");
    JsonNode told = open.tell("say", "Hi");

    assertThat(words(told)).isEqualTo("One Hello.");
    assertEnd(told, "stop");
    assertTheSameForANewPage(RealClient.AISDK, open, told);
  }

  @Test
  void openAiLearnsWhatItMayNot() {
    server.model.calls("local_run", "{}");
    RealClient.Open open = RealClient.OPENAI.on(server);
    open.tell("say", "Run it");

    assertThat(open.tell("say", "And?").path("error").asString()).isEqualTo("consent_pending");
    assertThat(open.tell("ask", "gpt").path("error").asString()).isEqualTo("404 model_not_found");
  }

  @Test
  void agUiResumesARunAfterItsConnectionBroke() {
    server.model.says("One ").and().blocks().and().says("two ", "three.");
    RealClient.Open open = RealClient.AGUI.on(server);
    open.tell("start", "Count", "One");

    open.tell("rejoin");
    server.model.release();
    JsonNode told = open.tell("rest");

    assertThat(told.path("words")).hasToString("[\"One two three.\"]");
    assertThat(told.path("snapshots").asInt()).isOne();
    assertEnd(told, "success");
    assertTheSameForANewPage(RealClient.AGUI, open, told);
  }
}
