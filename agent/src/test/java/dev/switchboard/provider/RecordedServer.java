package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// Plays the recorded answers of a conversation, each to the very request that was recorded.
final class RecordedServer implements ModelServer {
  private final Path folder;
  private final StubWebhook webhook = StubWebhook.start();
  private final AtomicInteger count = new AtomicInteger();
  private final List<String> faults = new CopyOnWriteArrayList<>();

  RecordedServer(Path folder) {
    this.folder = folder;
    assertThat(folder)
        .as("recorded exchanges; CONTRIBUTING.md says how they are recorded")
        .isDirectory();
    webhook.answer(this::answer);
  }

  private StubAnswer answer(StubRequest request) {
    int number = count.incrementAndGet();
    if (!Exchange.isThere(folder, number)) {
      faults.add("request " + number + " was not recorded: " + request.body());
      return StubAnswer.status(400);
    }
    Exchange exchange = Exchange.read(folder, number);
    if (!exchange.answers(request)) {
      faults.add(
          "request %d is not the recorded one.\nrecorded: %s %s\nis:       %s %s"
              .formatted(number, exchange.path(), exchange.body(), request.path(), request.body()));
      return StubAnswer.status(400);
    }
    return exchange.stub();
  }

  @Override
  public String url() {
    return webhook.url();
  }

  @Override
  public List<JsonNode> requests() {
    return webhook.requests().stream().map(request -> request.json().tree()).toList();
  }

  @Override
  public void close() {
    webhook.close();
    assertThat(faults).as("differences from %s", folder).isEmpty();
    assertThat(Exchange.isThere(folder, count.get() + 1)).as("more was recorded").isFalse();
  }
}
