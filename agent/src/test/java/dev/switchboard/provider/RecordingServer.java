package dev.switchboard.provider;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// Passes requests on to [Aimock] and writes down what goes to and fro.
final class RecordingServer implements ModelServer {
  private final Aimock aimock;
  private final String conversation;
  private final Path folder;
  private final StubWebhook webhook = StubWebhook.start();
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger count = new AtomicInteger();

  RecordingServer(Aimock aimock, String conversation, Path folder) {
    this.aimock = aimock;
    this.conversation = conversation;
    this.folder = folder;
    webhook.answer(this::answer);
  }

  private StubAnswer answer(StubRequest request) {
    int number = count.incrementAndGet();
    URI uri = URI.create(aimock.url()).resolve(request.path());
    HttpRequest copy =
        HttpRequest.newBuilder(uri)
            .version(HttpClient.Version.HTTP_1_1)
            .header("Content-Type", "application/json")
            .header(Aimock.TEST_ID, conversation)
            .POST(HttpRequest.BodyPublishers.ofString(request.body()))
            .build();
    long start = System.nanoTime();
    try {
      HttpResponse<InputStream> answer =
          client.send(copy, HttpResponse.BodyHandlers.ofInputStream());
      Duration delay = Duration.ofNanos(System.nanoTime() - start);
      Exchange exchange = exchange(request, answer, delay);
      exchange.write(folder, number);
      return exchange.stub().delay(Duration.ZERO);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Exchange exchange(
      StubRequest request, HttpResponse<InputStream> answer, Duration delay) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean cut = false;
    try (InputStream in = answer.body()) {
      in.transferTo(body);
    } catch (IOException brokeOff) {
      cut = true;
    }
    return new Exchange(
        request.path(),
        request.json().tree(),
        answer.statusCode(),
        Exchange.headers(
            answer.headers().firstValue("Content-Type").orElse(null),
            answer.headers().firstValue("Retry-After").orElse(null),
            delay,
            cut),
        body.toString(StandardCharsets.UTF_8));
  }

  @Override
  public String url() {
    return webhook.url();
  }

  @Override
  public List<JsonNode> requests() {
    return aimock.journal(conversation);
  }

  @Override
  public void close() {
    webhook.close();
    client.close();
  }
}
