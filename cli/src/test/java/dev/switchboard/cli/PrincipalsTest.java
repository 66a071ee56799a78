package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.mcp.McpServer;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.mount.Mount;
import dev.switchboard.mount.Role;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.text.DerivedId;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two principals with all that they may do, over HTTP in its four dialects and over MCP with and
/// without sessions, and ids of all kinds: nothing of one is run in, read by, answered by or found
/// by the other.
class PrincipalsTest {
  private static final Pattern SECRET = Pattern.compile("SECRET-(\\w+)-\\d+");
  private static final int STEPS = Integer.getInteger("principals.steps", 150);

  @TempDir private Path folder;
  private final InProcessConversations store = new InProcessConversations();
  private final HttpClient http = HttpClient.newHttpClient();
  // Whose conversations the tools ran in, and with what.
  private final List<Map.Entry<String, String>> ran = new CopyOnWriteArrayList<>();
  private final List<String> ids = new ArrayList<>(List.of("agent:Desk", "~x", "mcp-ada", "none"));
  private final List<String> requests = new ArrayList<>(List.of("none:call_1_1_1"));
  private final List<String> sessions = new ArrayList<>(List.of("none"));
  private Agent agent;
  private McpServer mcp;
  private Server server;
  private int number;

  /// A client.
  ///
  /// @param name of its principal
  /// @param user that it names, empty for none
  /// @param mark of its words
  private record Client(String name, String token, String user, String mark) {}

  private final List<Client> clients = new ArrayList<>();

  @BeforeEach
  void start() {
    Tool pay =
        Tool.dynamic("local_pay")
            .description("Pays.")
            .handler((arguments, context) -> {
              ran.add(Map.entry(owner(context.conversationId()), arguments.text()));
              return "paid " + arguments.text();
            });
    Tool note =
        Tool.dynamic("get_note")
            .handler((arguments, context) -> {
              ran.add(Map.entry(owner(context.conversationId()), arguments.text()));
              return "noted " + arguments.text();
            });
    agent =
        Agent.builder("Desk")
            .model(ScriptedModel.answering(PrincipalsTest::reply))
            .store(store)
            .tools(pay, note)
            .build();
    mcp = McpServer.of(agent);
    Tokens tokens = Tokens.open(folder.resolve("tokens"), null, Time.SYSTEM);
    String ada = tokens.add("ada", Role.CHAT, Role.TOOLS);
    String bob = tokens.add("bob", Role.CHAT, Role.TOOLS);
    String shop = tokens.addForUsers("shop");
    clients.add(new Client("ada", ada, "", "ada"));
    clients.add(new Client("bob", bob, "", "bob"));
    clients.add(new Client("shop/ada", shop, "ada", "ann"));
    for (Client client : clients) {
      ids.add(DerivedId.of("mcp", "Desk", client.name, ""));
    }
    server =
        Server.builder(tokens)
            .agents(agent)
            .mount(mcp.routes("/mcp").toArray(Mount[]::new))
            .rate(100_000, 100_000)
            .port(0)
            .start();
  }

  @AfterEach
  void stop() {
    server.close();
    mcp.close();
    agent.close();
  }

  private String owner(String conversation) {
    Summary known = store.conversation(conversation);
    return known == null ? "gone" : String.valueOf(known.header().principal());
  }

  private String mark(String owner) {
    return clients.stream()
        .filter(client -> client.name.equals(owner))
        .map(Client::mark)
        .findFirst()
        .orElse("nobody");
  }

  /// Repeats the latest words, or asks for a payment with them.
  private static ModelReply reply(ModelRequest request) {
    Message last = request.messages().getLast();
    String words = last instanceof Message.User user ? user.text() : "done";
    return words.startsWith("PAY")
        ? ModelReply.calls(RequestedCall.of("c", "local_pay", "{\"to\":\"" + words + "\"}"))
        : ModelReply.text("You said " + words);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nothingOfOneIsReadRunOrAnsweredByAnother(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      Client client = clients.get(random.nextInt(clients.size()));
      String answer = step(client, random);
      check(client, answer);
    }
    for (Summary conversation : store.conversations()) {
      StringBuilder all = new StringBuilder();
      store.events(conversation.id(), 0, 10_000).forEach(event -> all.append(event.event().text()));
      String owner = String.valueOf(conversation.header().principal());
      assertThat(marks(all.toString()))
          .as(owner + "'s " + conversation.id())
          .isSubsetOf(mark(owner));
    }
    for (Map.Entry<String, String> one : ran) {
      if (!one.getKey().equals("gone")) {
        assertThat(marks(one.getValue())).containsExactly(mark(one.getKey()));
      }
    }
    assertThat(ran).isNotEmpty();
  }

  private static List<String> marks(String text) {
    return SECRET.matcher(text).results().map(found -> found.group(1)).distinct().toList();
  }

  /// What a client reads has its own marks alone.
  private static void check(Client client, String answer) {
    assertThat(marks(answer)).as(client.name).isSubsetOf(client.mark);
  }

  private static <T> T any(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  private String words(Client client, Random random) {
    return (random.nextInt(3) == 0 ? "PAY " : "") + "SECRET-" + client.mark + "-" + ++number;
  }

  private String step(Client client, Random random) throws Exception {
    String id = random.nextInt(3) == 0 ? "c" + number : any(ids, random);
    String path = URLEncoder.encode(id, StandardCharsets.UTF_8);
    String words = words(client, random);
    String answer =
        switch (random.nextInt(16)) {
          case 0, 1 ->
              post(
                  client,
                  "/v1/agents/Desk/conversations",
                  "{\"id\":\"%s\",\"text\":\"%s\"}".formatted(id, words));
          case 2 ->
              post(client, "/v1/conversations/" + path + "/turns", "{\"text\":\"" + words + "\"}");
          case 3 -> get(client, "/v1/conversations/" + path + "/events");
          case 4 ->
              get(client, "/v1/conversations/" + path)
                  + get(client, "/v1/conversations/" + path + "/export")
                  + get(client, "/ai/Desk/" + path + "/messages");
          case 5 -> get(client, "/v1/conversations") + get(client, "/v1/approvals");
          case 6 -> get(client, "/v1/approvals?status=answered") + lines(client, random);
          case 7 -> decide(client, random, words);
          case 8 -> post(client, "/agui/Desk", agUi(id, words, ""));
          case 9 -> post(client, "/agui/Desk", agUi(id, words, resume(random)));
          case 10 ->
              post(
                  client,
                  "/ai/Desk",
                  "{\"id\":\"%s\",\"messages\":[{\"id\":\"m%d\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"%s\"}]}]}"
                      .formatted(id, number, words));
          case 11 ->
              post(
                  client,
                  "/v1/chat/completions",
                  "{\"model\":\"Desk\",\"metadata\":{\"conversation\":\"%s\"},\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
                      .formatted(id, words));
          case 12 ->
              post(
                  client,
                  "/v1/agents/Desk/tools/get_note/calls",
                  "{\"arguments\":{\"note\":\"%s\"},\"conversation\":\"%s\"}".formatted(words, id));
          case 13 -> stateless(client, words, random);
          case 14 -> inSession(client, words, random);
          default ->
              random.nextInt(4) == 0
                  ? send(client, "DELETE", "/v1/conversations/" + path, "")
                  : post(client, "/v1/conversations/" + path + "/cancel", "");
        };
    note(answer);
    return answer;
  }

  /// Learns the ids that answers name, for all clients.
  private void note(String answer) {
    Pattern.compile("\"(?:conversation|threadId)\":\"([^\"]+)\"")
        .matcher(answer)
        .results()
        .map((MatchResult found) -> found.group(1))
        .forEach(ids::add);
    Pattern.compile("\"id\":\"([^\"]+:[^\":]+)\"")
        .matcher(answer)
        .results()
        .map(found -> found.group(1))
        .forEach(requests::add);
    store.waiting().forEach(one -> requests.add(one.conversation() + ":" + one.id()));
    store.conversations().forEach(conversation -> ids.add(conversation.id()));
    if (ids.size() > 200) {
      ids.subList(20, ids.size() - 60).clear();
    }
  }

  private String request(Random random) {
    return URLEncoder.encode(
        requests.get(Math.max(0, requests.size() - 1 - random.nextInt(5))), StandardCharsets.UTF_8);
  }

  private String lines(Client client, Random random) throws IOException, InterruptedException {
    return get(client, "/v1/approvals/" + request(random) + "/lines");
  }

  private String decide(Client client, Random random, String words) throws Exception {
    String id = request(random);
    String edited = random.nextBoolean() ? ",\"arguments\":{\"to\":\"" + words + "\"}" : "";
    return post(client, "/v1/approvals/" + id, "{\"decision\":\"approve\"" + edited + "}");
  }

  private String resume(Random random) {
    String id = requests.get(Math.max(0, requests.size() - 1 - random.nextInt(5)));
    return ",\"resume\":[{\"interruptId\":\"%s\",\"status\":\"resolved\",\"payload\":{\"approved\":true}}]"
        .formatted(id);
  }

  private String agUi(String thread, String words, String more) {
    return """
    {"threadId":"%s","runId":"r%d","state":{},"tools":[],"context":[],"forwardedProps":{},
     "messages":[{"id":"m%d","role":"user","content":"%s"}]%s}\
    """
        .formatted(thread, number, number, words, more);
  }

  private static String call(String words, Random random) {
    return random.nextInt(3) == 0
        ? "{\"name\":\"approval_status\",\"arguments\":{\"id\":\"c\"}%s}"
        : "{\"name\":\"%s\",\"arguments\":{\"note\":\"%s\"}%%s}"
            .formatted(random.nextBoolean() ? "get_note" : "local_pay", words);
  }

  private String stateless(Client client, String words, Random random) throws Exception {
    String call = call(words, random);
    String name = call.substring(9, call.indexOf('"', 9));
    String meta =
        ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}";
    return send(
        client,
        "POST",
        "/mcp",
        rpc("tools/call", call.formatted(meta)),
        "MCP-Protocol-Version",
        "2026-07-28",
        "Mcp-Method",
        "tools/call",
        "Mcp-Name",
        name);
  }

  private String rpc(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
        .formatted(++number, method, params);
  }

  private String inSession(Client client, String words, Random random) throws Exception {
    if (random.nextInt(3) == 0) {
      HttpResponse<String> begun =
          response(
              client,
              "POST",
              "/mcp",
              rpc("initialize", "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}"));
      begun.headers().firstValue("Mcp-Session-Id").ifPresent(sessions::add);
      return begun.body();
    }
    return send(
        client,
        "POST",
        "/mcp",
        rpc("tools/call", call(words, random).formatted("")),
        "Mcp-Session-Id",
        any(sessions, random));
  }

  private String get(Client client, String path) throws IOException, InterruptedException {
    return send(client, "GET", path, "");
  }

  private String post(Client client, String path, String body)
      throws IOException, InterruptedException {
    return send(client, "POST", path, body);
  }

  private String send(Client client, String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return response(client, method, path, body, headers).body();
  }

  private HttpResponse<String> response(
      Client client, String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .timeout(Duration.ofMinutes(1))
            .header("Authorization", "Bearer " + client.token)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!client.user.isEmpty()) {
      request.header("X-Act-For", client.user);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode())
        .as(method + " " + path + ": " + answer.body())
        .isNotEqualTo(500);
    return answer;
  }
}
