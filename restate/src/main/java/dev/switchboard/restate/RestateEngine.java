package dev.switchboard.restate;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.IoReasons;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A Restate server or cluster: accepts inputs, and registers workers. Thread-safe.
public final class RestateEngine implements AutoCloseable {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:restate|(https?))://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?/?(?:\\?admin=(\\d{1,5}|https?://[^/?#@]+))?");
  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\..*");
  private static final int OLDEST_MINOR = 5; // of 1: how retries are set
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MOST_OF_FAULT = 300;
  private static final int TRIES = 3;

  private final URI ingress;
  private final URI admin;
  private final HttpClient http;

  private RestateEngine(URI ingress, URI admin) {
    this.ingress = ingress;
    this.admin = admin;
    http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
  }

  /// The engine at that address: `restate://host:8080`, or the URL of its ingress. Workers are
  /// registered at port 9070 of the same host, or at `?admin=`, a port or a URL.
  ///
  /// @throws IllegalArgumentException when it is not such an address
  public static RestateEngine at(String address) {
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "the address of an engine must be like \"restate://host:8080\", not '" + address + "'");
    }
    String scheme = parts.group(1) == null ? "http" : parts.group(1);
    String host = parts.group(2);
    String port = parts.group(3) == null ? "8080" : parts.group(3);
    String stated = parts.group(4) == null ? "9070" : parts.group(4);
    String admin = stated.startsWith("http") ? stated : scheme + "://" + host + ":" + stated;
    try {
      return new RestateEngine(URI.create(scheme + "://" + host + ":" + port), URI.create(admin));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + address + "' is not an address", e);
    }
  }

  /// Checks that the engine answers and has a supported version.
  ///
  /// @throws IllegalStateException with a sentence, if not
  public void check() {
    String version = send(HttpRequest.newBuilder(admin.resolve("/version"))).member("version");
    Matcher parts = VERSION.matcher(version);
    boolean known =
        parts.matches()
            && parts.group(1).equals("1")
            && Integer.parseInt(parts.group(2)) >= OLDEST_MINOR;
    if (!known) {
      throw new IllegalStateException(
          "The engine at %s is Restate %s: 1.%d or a later 1 is needed."
              .formatted(
                  admin, version.isEmpty() ? "of an unknown version" : version, OLDEST_MINOR));
    }
  }

  /// Registers the workers at that address, for future inputs; without effect if they are
  /// registered.
  ///
  /// @param again whether the engine discovers the services of a known address again
  /// @throws IllegalStateException with a sentence, if it cannot
  void register(URI workers, boolean again) {
    Json body = Json.of(Codec.object().put("uri", workers.toString()).put("force", again));
    Answer answer =
        send(
            HttpRequest.newBuilder(admin.resolve("/deployments"))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body.text())));
    if (answer.status >= 300) {
      throw new IllegalStateException(
          "The engine at %s rejects the workers at %s: %s"
              .formatted(admin, workers, answer.fault()));
    }
  }

  /// Stores an input of a conversation with that agent; returns false if it was stored before. An
  /// input with an id is sent again if the connection breaks, as when a node of the engine dies.
  ///
  /// @param handler that processes it
  /// @param id of the input, null for one that may be processed twice
  /// @throws IllegalStateException with a sentence, if it cannot
  boolean storeInput(
      String agent, String conversation, String handler, @Nullable String id, String body) {
    String path =
        "/%s/%s/%s/send"
            .formatted(ConversationObject.service(agent), encoded(conversation), handler);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(ingress.resolve(path))
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body));
    if (id != null) {
      request.header("idempotency-key", encoded(id));
    }
    HttpRequest sent = request.timeout(PATIENCE).build();
    Answer answer = send(sent, id == null);
    boolean again = answer == null; // the input may have been stored
    for (int tries = 2; answer == null; tries++) {
      answer = send(sent, tries == TRIES);
    }
    if (answer.status == 404) {
      throw new IllegalStateException(
          "The engine at %s knows no worker of agent '%s': start one first."
              .formatted(ingress, agent));
    }
    if (answer.status >= 300) {
      throw new IllegalStateException(
          "The engine at %s rejects the input: %s".formatted(ingress, answer.fault()));
    }
    return again || !answer.member("status").equals("PreviouslyAccepted");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private record Answer(int status, String body) {
    /// The text of that member, empty if absent.
    String member(String name) {
      try {
        return Json.text(body).tree().path(name).asString("");
      } catch (JsonException e) {
        return "";
      }
    }

    String fault() {
      String message = member("message");
      String text = message.isEmpty() ? body : message;
      return status + " " + text.substring(0, Math.min(MOST_OF_FAULT, text.length()));
    }
  }

  private Answer send(HttpRequest.Builder request) {
    return Objects.requireNonNull(send(request.timeout(PATIENCE).build(), true));
  }

  /// The answer, null if the connection breaks.
  ///
  /// @param last whether a broken connection is an error
  private @Nullable Answer send(HttpRequest request, boolean last) {
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException e) {
      if (!last && !(e instanceof HttpTimeoutException)) {
        return null;
      }
      throw new IllegalStateException(
          "The engine at %s does not answer: %s"
              .formatted(request.uri().resolve("/"), IoReasons.ofNetwork(e)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking the engine", e);
    }
  }

  @Override
  public String toString() {
    return ingress.toString();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
