package dev.switchboard.cli;

import dev.switchboard.agent.Agent;
import dev.switchboard.agent.ConversationOptions;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.contract.PrincipalsWalk;
import dev.switchboard.contract.PrincipalsWalk.Way;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Codec;
import dev.switchboard.loop.Input;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.mount.Role;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.store.Storage;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Principals in Java, in `exec`, through the queue of workers, on the phone and over HTTP, all
/// with one store.
class PrincipalsOfHostsTest {
  private static final int STEPS = Integer.getInteger("principals.steps", 150);

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private Storage storage;
  private ConversationStore store;
  private PrincipalsWalk walk;
  private Agent agent;
  private Agent.Worker worker;
  private Tokens tokens;
  private Server server;
  private PlayedPhone phone;

  @BeforeEach
  void start() {
    storage = Storage.shared("sqlite:shared.db", folder);
    store = storage.conversations("Desk");
    walk = new PrincipalsWalk(store);
    agent = walk.agent().build();
    worker = agent.work(Agent.Cluster.USUAL);
    tokens = Tokens.open(folder.resolve("tokens"), null, Time.SYSTEM);
    server = Server.builder(tokens).agents(agent).rate(100_000, 100_000).port(0).start();
    phone = new PlayedPhone(agent);
  }

  @AfterEach
  void stop() {
    phone.close();
    server.close();
    worker.close();
    agent.close();
    storage.close();
  }

  private static ToolCall call(String words) {
    return ToolCall.of("get_note", Codec.object().put("to", words).toString());
  }

  /// A session of the executor.
  private String executed(String id, String words) {
    try (ToolSession session = ToolSession.builder(id).principal("ann").store(store).build()) {
      return agent.executor().execute(call(words), session).text() + session.host().ownCalls();
    }
  }

  /// A line that is open, as engines have it.
  private String live(String id, String words) {
    ConversationOptions options = ConversationOptions.NONE.withPrincipal("ben");
    try (LiveSession line = agent.live(id, options, event -> {})) {
      return line.said("m-" + words, words) + " " + line.history() + line.run(List.of(call(words)));
    }
  }

  /// A line of `exec`.
  private String exec(String id, String words) {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    EventLines events = new EventLines(new PrintStream(shown, true, StandardCharsets.UTF_8));
    String line =
        Codec.object()
            .put("id", "x" + words.hashCode())
            .put("name", "get_note")
            .set("arguments", call(words).arguments().tree())
            .toString();
    byte[] lines = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try (ToolSession session = ToolSession.builder(id).store(store).events(events::show).build()) {
      new ExecRun(agent.executor(), new ExecRun.Options(true, false), session, events)
          .takeAll(new LineReader(new ByteArrayInputStream(lines)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return shown.toString(StandardCharsets.UTF_8);
  }

  /// An input that a worker takes up.
  private String queued(String id, String words) {
    if (!agent.queue("ann").submit(id, new Input.Said("i-" + words, words))) {
      return "";
    }
    ConversationQueue queue = Objects.requireNonNull(store.queue());
    Awaitility.await()
        .until(() -> {
          var standing = queue.standing(List.of(id)).get(id);
          return standing == null || !standing.isRunning();
        });
    return "taken";
  }

  private final class OnThePhone implements Way {
    @Override
    public String principal(String id) {
      return "call:" + id;
    }

    @Override
    public String say(String id, String words) {
      if (!phone.isAnswered(id)) {
        return "";
      }
      int before = phone.handed.size();
      if (words.startsWith("NOTE")) {
        phone.calls(
            RequestedCall.of("p" + words.hashCode(), "get_note", call(words).arguments().text()));
      } else {
        phone.replies("You said " + words);
      }
      phone.says(words);
      if (words.startsWith("NOTE")) {
        Awaitility.await().until(() -> phone.handed.size() > before);
      }
      phone.hangsUp();
      return "answered " + phone.handed.subList(before, phone.handed.size());
    }
  }

  /// A token's requests that begin the conversation, talk in it, read it, and list all.
  private Way overHttp(String name, Role... roles) {
    String token = tokens.add(name, roles);
    return PrincipalsWalk.as(
        name,
        (id, words) -> {
          String path = "/v1/conversations/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
          String body = Codec.object().put("id", id).put("text", words).toString();
          return send(token, "POST", "/v1/agents/Desk/conversations", body)
              + send(token, "POST", path + "/turns", body)
              + send(token, "GET", path, null)
              + send(token, "GET", path + "/events", null)
              + send(token, "GET", "/v1/conversations", null)
              + send(token, "GET", "/v1/approvals", null);
        });
  }

  private String send(String token, String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .timeout(Duration.ofMinutes(5))
            .header("Authorization", "Bearer " + token)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      var answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() < 300 ? answer.body() : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void nothingOfOneIsReadRunOrAnsweredByAnother(long seed) {
    walk.on(PrincipalsWalk.inJava(agent, "ann"))
        .on(PrincipalsWalk.inJava(agent, "ben"))
        .on(PrincipalsWalk.as("ann", this::executed))
        .on(PrincipalsWalk.as("ben", this::live))
        .on(PrincipalsWalk.as("local", this::exec))
        .on(PrincipalsWalk.as("ann", this::queued))
        .on(new OnThePhone())
        .on(overHttp("ada", Role.CHAT, Role.TOOLS))
        .on(overHttp("bob", Role.CHAT))
        .go(seed, STEPS);
  }
}
