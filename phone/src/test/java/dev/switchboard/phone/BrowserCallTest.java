package dev.switchboard.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Role;
import dev.switchboard.phone.call.CallSettings.ConsentMode;
import dev.switchboard.phone.carrier.browser.BrowserCarrier;
import dev.switchboard.phone.engine.realtime.OpenAiRealtime;
import dev.switchboard.phone.engine.relay.ConversationRelay;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.tool.ToolMode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Calls from a page, over a real server and its sockets.
final class BrowserCallTest {
  private static final String PATH = "/phone/browser/relay?agent=Shop";

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicReference<String> called = new AtomicReference<>("");
  private String ada = "";
  private String bob = "";
  private Agent shop;
  private Calls calls;
  private Server server;

  @TempDir Path folder;

  private static ModelReply reply(ModelRequest request) {
    return switch (request.messages().getLast()) {
      case Message.User user when user.text().contains("order") ->
          ModelReply.calls(RequestedCall.of("c1", "get_order_status", "{}"));
      case Message.User user when user.text().contains("back") ->
          ModelReply.calls(RequestedCall.of("c2", "initiate_return", "{}"));
      case Message.User user when user.text().contains("all") ->
          ModelReply.calls(RequestedCall.of("c3", "end_call", "{\"reason\":\"done\"}"));
      case Message.Result result when result.tool().equals("get_order_status") ->
          ModelReply.text("It arrives on Friday.");
      case Message.Result result when result.tool().equals("initiate_return") ->
          ModelReply.text("The return has begun.");
      default -> ModelReply.text("Goodbye.");
    };
  }

  @BeforeEach
  void serve() {
    Tool status =
        Tool.dynamic("get_order_status", "{\"type\":\"object\"}")
            .mode(ToolMode.READ)
            .handler((arguments, context) -> {
              context.progress("I am looking.");
              return "{\"status\":\"shipped\"}";
            });
    Tool returns =
        Tool.dynamic("initiate_return", "{\"type\":\"object\"}")
            .mode(ToolMode.LOCAL)
            .confirm("Shall I start the return?")
            .handler(arguments -> "{\"return\":\"RET-7\"}");
    shop =
        Agent.builder("Shop")
            .prompt("You are a shop. {{caller}} calls.")
            .firstMessage("Hi!")
            .model(ScriptedModel.answering(BrowserCallTest::reply))
            .store(new InProcessConversations())
            .tools(status, returns)
            .build();
    calls =
        Phone.builder()
            .carrier(BrowserCarrier.of())
            .engine(ConversationRelay.of())
            .consent(ConsentMode.CALLER)
            .onCallStart(call -> called.set(call.from() + " " + call.to()))
            .build()
            .answeredBy(shop);
    Tokens tokens = Tokens.open(folder.resolve("tokens"));
    ada = tokens.add("ada", Role.CHAT);
    bob = tokens.add("bob", Role.CHAT);
    server =
        Server.builder(tokens)
            .agents(shop)
            .port(0)
            .mount(calls.routes().toArray(Mount[]::new))
            .calls(calls.pages())
            .start();
  }

  @AfterEach
  void close() {
    calls.close();
    server.close();
    shop.close();
  }

  /// A page with a socket.
  private static final class Page implements WebSocket.Listener {
    private final StringBuilder said = new StringBuilder();
    private final StringBuilder part = new StringBuilder();
    private volatile String end = "";

    @Override
    public synchronized @Nullable CompletionStage<?> onText(
        WebSocket socket, CharSequence text, boolean last) {
      part.append(text);
      if (last) {
        JsonNode message = Json.text(part.toString()).tree();
        part.setLength(0);
        said.append(message.path("token").asString(""));
        said.append(message.path("last").asBoolean(false) ? "\n" : "");
        end = message.path("reason").asString(end);
      }
      socket.request(1);
      return null;
    }

    synchronized String said() {
      return said.toString();
    }

    void awaits(String words) {
      await().untilAsserted(() -> assertThat(said()).contains(words));
    }

    void awaitsEnd(String reason) {
      await().untilAsserted(() -> assertThat(end).isEqualTo(reason));
    }
  }

  private WebSocket open(String path, @Nullable String token, Page page) {
    WebSocket.Builder socket = http.newWebSocketBuilder();
    if (token != null) {
      socket.header("Authorization", "Bearer " + token);
    }
    return socket.buildAsync(URI.create("ws://127.0.0.1:" + server.port() + path), page).join();
  }

  private static void say(WebSocket socket, String words) {
    send(socket, "{\"type\":\"prompt\",\"voicePrompt\":\"" + words + "\",\"last\":true}");
  }

  private static void send(WebSocket socket, String message) {
    var unused = socket.sendText(message, true).join();
  }

  private HttpResponse<String> get(String path, String token)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void anAgentIsCalledAndEndsTheCall() throws Exception {
    Page page = new Page();
    WebSocket socket = open(PATH, ada, page);
    send(socket, "{\"type\":\"setup\"}");
    page.awaits("Hi!\n");
    say(socket, "Where is my order?");
    page.awaits("I am looking.");
    page.awaits("It arrives on Friday.\n");
    say(socket, "I send it back.");
    page.awaits("Shall I start the return?");
    send(socket, "{\"type\":\"dtmf\",\"digit\":\"1\"}");
    page.awaits("The return has begun.\n");
    say(socket, "That is all.");
    page.awaits("Goodbye.\n");
    page.awaitsEnd("end_call");

    assertThat(called.get()).isEqualTo("browser:ada Shop");
    await().until(() -> calls.count() == 0);
  }

  @Test
  void theCallIsItsCallersConversationAndNoOneElses() throws Exception {
    Page page = new Page();
    WebSocket socket = open(PATH, ada, page);
    page.awaits("Hi!\n");

    JsonNode own = Json.text(get("/v1/conversations", ada).body()).tree().path("items");
    String id = own.path(0).path("id").asString("");
    assertThat(own).hasSize(1);
    assertThat(id).startsWith("browser_");
    assertThat(own.path(0).path("principal").asString("")).isEqualTo("ada");
    assertThat(Json.text(get("/v1/conversations", bob).body()).tree().path("items")).isEmpty();
    assertThat(get("/v1/conversations/" + id, bob).statusCode()).isEqualTo(404);

    socket.abort();
    await().until(() -> calls.count() == 0);
  }

  @Test
  void closingTheSocketHangsUp() {
    Page page = new Page();
    WebSocket socket = open(PATH, ada, page);
    page.awaits("Hi!\n");
    var unused = socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    await().until(() -> calls.count() == 0);

    Page again = new Page();
    WebSocket next = open(PATH, ada, again);
    again.awaits("Hi!\n");
    next.abort();
  }

  @Test
  void aClientHasOneCallAtATime() {
    Page first = new Page();
    WebSocket socket = open(PATH, ada, first);
    first.awaits("Hi!\n");
    Page second = new Page();
    open(PATH, ada, second);
    second.awaitsEnd("busy");
    assertThat(second.said()).contains("You have another call");
    Page other = new Page();
    open(PATH, bob, other).request(1);
    other.awaits("Hi!\n");

    say(socket, "Where is my order?");
    first.awaits("It arrives on Friday.\n");
  }

  @Test
  void noOneCallsWithoutToken() {
    assertThat(refusal(PATH, null)).isEqualTo(401);
    assertThat(refusal("/phone/browser/relay", ada)).isEqualTo(400);
  }

  private int refusal(String path, @Nullable String token) {
    try {
      open(path, token, new Page()).abort();
      return 101;
    } catch (CompletionException refused) {
      return ((WebSocketHandshakeException) refused.getCause()).getResponse().statusCode();
    }
  }

  @Test
  void anAgentWithoutSuchAPhoneDoesNotAnswer() {
    Page page = new Page();
    open("/phone/browser/relay?agent=Kitchen", ada, page);
    page.awaitsEnd("unknown_agent");
    assertThat(calls.count()).isZero();
  }

  @Test
  void whatIsNotAMessageIsIgnored() {
    Page page = new Page();
    WebSocket socket = open(PATH, ada, page);
    page.awaits("Hi!\n");
    for (String text : new String[] {"", "{", "[]", "{\"type\":\"dtmf\",\"digit\":\"12\"}"}) {
      send(socket, text);
    }
    say(socket, "Where is my order?");
    page.awaits("It arrives on Friday.\n");
  }

  @Test
  void theServerSaysWhichAgentsCanBeCalled() throws Exception {
    JsonNode agent = Json.text(get("/v1/agents", ada).body()).tree().path("items").path(0);
    assertThat(agent.path("call").asString("")).isEqualTo(PATH);
  }

  @Test
  void aStoppingProcessSaysGoodbye() {
    Page page = new Page();
    open(PATH, ada, page);
    page.awaits("Hi!\n");
    calls.close();
    page.awaitsEnd("shutdown");
    assertThat(page.said()).contains("Goodbye");
  }

  @Test
  void aPhoneInTheBrowserNeedsAnEngineOfText() {
    assertThatThrownBy(() ->
            Phone.builder().carrier(BrowserCarrier.of()).engine(OpenAiRealtime.of("sk")).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("calls from the browser need an engine of text: ConversationRelay.of()");
  }
}
