package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.switchboard.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A call to the agent of `serve --demo`, as its console makes it.
class DemoCallTest {
  @TempDir private Path folder;

  /// What the agent says.
  private static final class Page implements WebSocket.Listener {
    private final StringBuilder said = new StringBuilder();

    @Override
    public synchronized @Nullable CompletionStage<?> onText(
        WebSocket socket, CharSequence text, boolean last) {
      said.append(Json.text(text.toString()).tree().path("token").asString(""));
      socket.request(1);
      return null;
    }

    synchronized String said() {
      return said.toString();
    }

    void awaits(String words) {
      await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(said()).contains(words));
    }
  }

  private static void say(WebSocket socket, String words) {
    String prompt = "{\"type\":\"prompt\",\"voicePrompt\":\"%s\",\"last\":true}".formatted(words);
    var unused = socket.sendText(prompt, true).join();
  }

  @Test
  void theDemonstrationIsCalledOffline() throws Exception {
    try (Serving demo = Serving.of(folder, "--demo")) {
      String path = demo.get("/v1/agents").at("/items/0/call").asString("");
      Page page = new Page();
      WebSocket socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .header("Authorization", "Bearer " + demo.token())
              .buildAsync(URI.create(demo.url(path).toString().replace("http", "ws")), page)
              .join();
      page.awaits("Shall I find you a table?");
      say(socket, "Do you have a table for four?");
      page.awaits("Shall I book one?");
      say(socket, "Cancel my reservation.");
      page.awaits("Press 1 for yes");
      var unused = socket.sendText("{\"type\":\"dtmf\",\"digit\":\"2\"}", true).join();
      page.awaits("That was denied");
      socket.abort();
    }
  }
}
