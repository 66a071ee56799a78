package acme;

import dev.switchboard.agent.Agent;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.model.ModelReply;
import dev.switchboard.server.Server;
import dev.switchboard.server.access.Tokens;
import dev.switchboard.time.Time;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/// Serves an agent, and is its client.
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("server");
    Tokens tokens = Tokens.open(folder.resolve("tokens.json"), null, Time.SYSTEM);
    String token = tokens.first();
    try (Agent agent =
            Agent.builder("Shop")
                .model((request, stream) -> ModelReply.text("Good day."))
                .store(new InProcessConversations())
                .build();
        Server server = Server.builder(tokens).agents(agent).port(0).start();
        HttpClient client = HttpClient.newHttpClient()) {
      URI base = URI.create("http://127.0.0.1:" + server.port());
      HttpRequest.Builder request =
          HttpRequest.newBuilder(base.resolve("/v1/chat/completions"))
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"model\":\"Shop\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}"));
      String answer = client.send(request.build(), BodyHandlers.ofString()).body();
      System.out.println(answer.contains("Good day."));
    } finally {
      Files.deleteIfExists(folder.resolve("tokens.json.lock"));
    }
  }
}
