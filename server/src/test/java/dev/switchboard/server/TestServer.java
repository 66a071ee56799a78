package dev.switchboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Json;
import dev.switchboard.mount.Role;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.store.Storage;
import dev.switchboard.testing.ScriptedModel;
import dev.switchboard.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A server on loopback with an agent of a scripted model, and a client of it for each role.
final class TestServer implements AutoCloseable {
  final ScriptedModel model = new ScriptedModel();
  final Agent agent;
  final Server server;
  final Client operator;
  final Client zoe;
  final Client yan;
  final Client stranger;

  final Tokens tokens;

  private final Path folder;
  private @Nullable TestWorker worker;
  private @Nullable Storage closing;

  TestServer(Tool... tools) {
    this(agent -> agent.store(new InProcessConversations()), tools);
  }

  TestServer(UnaryOperator<AgentBuilder> more, Tool... tools) {
    this(more, server -> server, tools);
  }

  TestServer(
      UnaryOperator<AgentBuilder> more, UnaryOperator<Server.Builder> settings, Tool... tools) {
    this(folder(), null, more, settings, tools);
  }

  /// One whose turns run in a worker, with an agent of its own, that shares a file with it.
  static TestServer overWorkers(UnaryOperator<AgentBuilder> more, Tool... tools) {
    return overWorkers(more, server -> server, tools);
  }

  static TestServer overWorkers(
      UnaryOperator<AgentBuilder> more, UnaryOperator<Server.Builder> settings, Tool... tools) {
    Path folder = folder();
    Storage storage = Storage.shared("sqlite:desk.db", folder);
    TestServer server =
        new TestServer(folder, storage, more, served -> settings.apply(served), tools);
    server.worker = new TestWorker(storage, server.model, more, tools);
    server.closing = storage;
    return server;
  }

  /// One whose turns run in workers of that storage, whichever there are.
  static TestServer on(Storage storage, UnaryOperator<AgentBuilder> more, Tool... tools) {
    return new TestServer(folder(), storage, more, server -> server, tools);
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("switchboard-server");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TestServer(
      Path folder,
      @Nullable Storage shared,
      UnaryOperator<AgentBuilder> more,
      UnaryOperator<Server.Builder> settings,
      Tool... tools) {
    this.folder = folder;
    UnaryOperator<Server.Builder> served =
        shared == null ? settings : builder -> settings.apply(builder).workers(TestWorker.HOLD);
    UnaryOperator<AgentBuilder> own = shared == null ? more : TestWorker.on(shared, more);
    tokens = Tokens.open(folder.resolve("tokens"), null, Time.SYSTEM);
    String first = tokens.first();
    String zoes = tokens.add("zoe", Role.CHAT);
    String yans = tokens.add("yan", Role.APPROVE);
    agent = own.apply(Agent.builder("Desk").model(model).tools(tools)).build();
    server = served.apply(Server.builder(tokens).agents(agent).port(0).managementPort(0)).start();
    operator = new Client(first);
    zoe = new Client(zoes);
    yan = new Client(yans);
    stranger = new Client("");
  }

  /// A client with a new token of these roles.
  Client client(String name, Role... roles) {
    return new Client(tokens.add(name, roles));
  }

  /// The cookie of a login with that body.
  String cookie(String body) {
    try {
      return HttpClient.newHttpClient()
          .send(
              stranger.request("/v1/login").POST(BodyPublishers.ofString(body)).build(),
              BodyHandlers.discarding())
          .headers()
          .firstValue("Set-Cookie")
          .orElseThrow()
          .split(";", 2)[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// A back end with a new token for users.
  Client forUsers(String name) {
    return new Client(tokens.addForUsers(name));
  }

  /// A tool that takes a whole number `n`, without its handler.
  static Tool.DynamicBuilder tool(String name) {
    return Tool.dynamic(
        name,
        """
        {"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}\
        """);
  }

  /// A tool that takes a whole number `n` and adds its calls to that list.
  static Tool tool(String name, List<String> ran) {
    return tool(name)
        .handler(arguments -> {
          ran.add(name + arguments.text());
          return name + " done";
        });
  }

  /// That store and its directory, whose calls the watcher receives before they are answered.
  static ConversationStore watched(
      ConversationStore store, BiConsumer<String, @Nullable Object[]> watcher) {
    return watched(ConversationStore.class, store, watcher);
  }

  private static <T> T watched(
      Class<T> type, Object store, BiConsumer<String, @Nullable Object[]> watcher) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              watcher.accept(method.getName(), arguments);
              Object answer = method.invoke(store, arguments);
              return method.getName().equals("directory")
                  ? watched(ConversationDirectory.class, answer, watcher)
                  : answer;
            }));
  }

  /// What these events are: their types, and the words of those of the agent.
  static List<String> types(List<JsonNode> events) {
    return events.stream()
        .map(event -> {
          String type = event.path("type").asString();
          return type.equals("agent") ? event.path("event").asString() : type;
        })
        .toList();
  }

  /// A conversation as the server has it open.
  LiveConversation live(String id) {
    return server.agents().named(agent.name()).open(id);
  }

  /// A client with one token, empty for none.
  final class Client {
    private final HttpClient http = HttpClient.newHttpClient();
    final String token;
    private final String actsFor;

    Client(String token) {
      this(token, "");
    }

    private Client(String token, String actsFor) {
      this.token = token;
      this.actsFor = actsFor;
    }

    /// This client in the name of that principal.
    Client actingFor(String principal) {
      return new Client(token, principal);
    }

    HttpRequest.Builder request(String path) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
              .timeout(Duration.ofMinutes(5));
      if (!actsFor.isEmpty()) {
        request.header("X-Act-For", actsFor);
      }
      return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    Answer send(HttpRequest request) {
      try {
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        String type = response.headers().firstValue("Content-Type").orElse("");
        return new Answer(response.statusCode(), type, response.body());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    Answer get(String path) {
      return send(request(path).build());
    }

    Answer delete(String path) {
      return send(request(path).DELETE().build());
    }

    Answer post(String path, String body) {
      return send(request(path).POST(BodyPublishers.ofString(body)).build());
    }

    Answer send(String method, String path, String body) {
      return send(request(path).method(method, BodyPublishers.ofString(body)).build());
    }

    /// The id of a new conversation.
    String conversation() {
      Answer created = post("/v1/agents/Desk/conversations", "{\"metadata\":{\"case\":4}}");
      assertThat(created.status()).as(created.text()).isEqualTo(201);
      return created.json().path("id").asString();
    }

    /// A turn whose stream is read to its end, which comes a moment before the turn's.
    List<JsonNode> say(String conversation, String text) {
      HttpRequest request =
          request("/v1/conversations/" + conversation + "/turns")
              .header("Accept", "text/event-stream")
              .POST(BodyPublishers.ofString(Json.of(java.util.Map.of("text", text)).text()))
              .build();
      List<JsonNode> events = events(send(request).text());
      await().until(() -> !isRunning(conversation));
      return events;
    }

    private boolean isRunning(String conversation) {
      Answer now = get("/v1/conversations/" + conversation);
      return now.status() == 200 && now.json().path("status").asString("").equals("running");
    }

    /// The lines of a stream, as they come.
    Iterator<String> stream(String path, String... headers) {
      HttpRequest.Builder request = request(path).header("Accept", "text/event-stream");
      if (headers.length > 0) {
        request.headers(headers);
      }
      try {
        Stream<String> lines = http.send(request.build(), BodyHandlers.ofLines()).body();
        return lines.iterator();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /// What a server answered.
  ///
  /// @param type of its body, empty for none
  record Answer(int status, String type, String text) {
    JsonNode json() {
      return Json.text(text).tree();
    }
  }

  /// The events of a stream's text.
  static List<JsonNode> events(String text) {
    List<JsonNode> events = new ArrayList<>();
    for (String line : text.split("\n")) {
      if (line.startsWith("data: {")) {
        events.add(Json.text(line.substring(6)).tree());
      }
    }
    return events;
  }

  @Override
  public void close() {
    server.close();
    agent.close();
    if (worker != null) {
      worker.close();
    }
    if (closing != null) {
      closing.close();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
