package dev.switchboard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubRequest;
import dev.switchboard.testing.StubWebhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// An agent whose file names embeddings.
class MeaningTest {
  @TempDir private Path folder;
  private StubModel model;
  private StubWebhook embeddings;
  private String agent;

  @BeforeEach
  void start() throws IOException {
    model = new StubModel();
    embeddings = StubWebhook.start();
    embeddings.answer(MeaningTest::vectors);
    agent = file("concierge", "least_similarity = 0.5, base_url = \"" + embeddings.url() + "v1\"");
  }

  private String file(String name, String options) throws IOException {
    Path file = folder.resolve(name + ".toml");
    return Files.writeString(
            file,
            """
            [agent]
            name = "Concierge"
            %s
            embeddings = { provider = "openai", name = "small", %s }
            tools = ["recall", "search"]

            [storage]
            url = "sqlite:concierge.db"
            """
                .formatted(model.toml(), options))
        .toString();
  }

  /// What is about food points one way, all else another.
  private static StubAnswer vectors(StubRequest request) {
    List<String> texts =
        request.json().tree().path("input").valueStream().map(JsonNode::stringValue).toList();
    String data =
        IntStream.range(0, texts.size())
            .mapToObj(i -> {
              boolean food = texts.get(i).matches(".*(dairy|cheese).*");
              return "{\"index\":%d,\"embedding\":%s}".formatted(i, food ? "[1,0]" : "[0,1]");
            })
            .collect(Collectors.joining(","));
    return StubAnswer.of(200, "{\"data\":[" + data + "]}");
  }

  @AfterEach
  void stop() {
    model.close();
    embeddings.close();
  }

  @Test
  void findsInALaterRunWhatMeansTheSame() {
    model
        .calls(
            "recall",
            "{\"operation\":\"insert\",\"label\":\"diet\",\"content\":\"Ada eats no dairy\"}")
        .says("Noted.")
        .calls("search", "{\"query\":\"cheese\",\"domain\":\"archival_memory\"}")
        .says("No cheese, then.");
    assertThat(Cli.run("chat", agent, "-m", "No dairy for Ada").out()).isEqualTo("Noted.\n");
    Cli embedded = Cli.run("memory", "embed", agent);
    assertThat(embedded.out()).containsPattern("^\\d entr(y|ies) embedded with openai:small.\n$");

    assertThat(Cli.run("chat", agent, "-m", "Suggest a starter").out())
        .isEqualTo("No cheese, then.\n");
    assertThat(model.requests().getLast().body()).contains("Ada eats no dairy");
    Cli found = Cli.run("memory", "search", "cheese", "--domain", "archival_memory", agent);
    assertThat(found.out()).contains("Ada eats no dairy");
    assertThat(found.err()).isEmpty();
    assertThat(Cli.run("memory", "embed", agent).out())
        .isEqualTo("0 entries embedded with openai:small.\n");
  }

  @Test
  void withoutEmbeddingsTheWordsAnswerAndItSaysSo() throws IOException {
    embeddings.answer(request -> StubAnswer.status(500));
    model
        .calls(
            "recall",
            "{\"operation\":\"insert\",\"label\":\"diet\",\"content\":\"Ada eats no dairy\"}")
        .says("Noted.");
    assertThat(Cli.run("chat", agent, "-m", "Hello").exit()).isZero();

    Cli found = Cli.run("memory", "search", "dairy", agent);
    assertThat(found.out()).contains("Ada eats no dairy");
    assertThat(found.err())
        .contains("Memory is searched by words alone: the embeddings did not answer.");
    Cli embed = Cli.run("memory", "embed", agent);
    assertThat(embed.exit()).isEqualTo(1);
    assertThat(embed.err()).contains("The embeddings broke off: model 'openai:small' at ", "500");

    String keyless = file("keyless", "api_key_env = \"NO_SUCH_KEY\"");
    Cli words = Cli.run("memory", "search", "dairy", keyless);
    assertThat(words.out()).contains("Ada eats no dairy");
    assertThat(words.err()).contains("searched by words alone", "NO_SUCH_KEY");
    assertThat(Cli.run("memory", "embed", keyless).err()).contains("NO_SUCH_KEY");
    assertThat(Cli.run("memory", "embed", MemoryToml.of(folder, "Plain")).err())
        .contains("names no embeddings", "add embeddings = \"openai:text-embedding-3-small\"");
  }
}
