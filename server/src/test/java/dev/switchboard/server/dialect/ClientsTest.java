package dev.switchboard.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The golden files as clients of others read them.
@Isolated("programs of others need the processors")
@Tag("servers")
class ClientsTest {
  private static final Path CLIENTS = Golden.tests().resolve("clients");
  private static final Set<String> FAILED = Set.of("model_error", "model_timeout");

  private static GoldenServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new GoldenServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void agUiComesToTheMessagesOfItsHistory() throws IOException {
    read(
        "agui",
        of -> streams("agui/", of),
        (of, told) -> {
          String error = told.path("error").asString("none");
          assertThat(error).isEqualTo(FAILED.contains(of.name()) ? of.name() : "none");
          if (!of.name().startsWith("restarted")) {
            assertThat(told.path("messages")).isEqualTo(history("agui-history/" + of.name()));
          }
          assertThat(told.path("pending").size()).isEqualTo(pending(of));
        });
  }

  private static int pending(Case of) {
    return switch (of.name()) {
      case "pending", "one_of_two_answered" -> 1;
      case "two_pending" -> 2;
      default -> 0;
    };
  }

  @Test
  void aiSdkComesToTheMessagesOfItsHistory() throws IOException {
    read(
        "aisdk",
        of -> streams("aisdk/", of),
        (of, told) -> {
          assertThat(told.has("error")).isEqualTo(FAILED.contains(of.name()));
          assertThat(told.path("requests").asInt()).isEqualTo(of.first() == null ? 1 : 2);
          if (!of.name().startsWith("restarted")) {
            assertThat(parts(told.path("messages")))
                .isEqualTo(parts(history("aisdk-history/" + of.name())));
          }
        });
  }

  /// The parts of the assistant's message, without progress and without what the client itself says
  /// of approvals.
  private static List<JsonNode> parts(JsonNode messages) {
    List<JsonNode> parts = new ArrayList<>();
    for (JsonNode part : messages.path(1).path("parts")) {
      if (!part.path("type").asString().equals("data-progress")) {
        ObjectNode copy = (ObjectNode) part.deepCopy();
        copy.remove("approval");
        parts.add(copy);
      }
    }
    return parts;
  }

  @Test
  void aiSdkTakesTheHistory() throws IOException {
    read(
        "history",
        of -> List.of("aisdk-history/" + of.name()),
        (of, told) ->
            assertThat(told.path("messages")).isEqualTo(history("aisdk-history/" + of.name())));
  }

  @Test
  void openAiReadsTheSameInPiecesAndAtOnce() throws IOException {
    read(
        "openai",
        of -> List.of("openai/" + of.name(), "openai-whole/" + of.name()),
        (of, told) -> {
          assertThat(told.has("streamError")).isEqualTo(FAILED.contains(of.name()));
          assertThat(told.has("wholeError")).isEqualTo(FAILED.contains(of.name()));
          if (!FAILED.contains(of.name())) {
            assertThat(told.path("gathered")).isEqualTo(told.path("streamed"));
            assertThat(told.path("usage").path("total_tokens").isNumber()).isTrue();
            if (!of.name().startsWith("restarted")) {
              assertThat(told.path("whole")).isEqualTo(told.path("streamed"));
            }
          }
        });
  }

  @Test
  void agentUiReadsEachEvent() throws IOException {
    read(
        "own",
        of -> List.of("own/" + of.name()),
        (of, told) -> {
          assertThat(told.path("complete").asBoolean()).isTrue();
          assertThat(told.path("events").size()).isEqualTo(of.told().size());
          for (int i = 0; i < of.told().size(); i++) {
            JsonNode event = told.path("events").path(i);
            assertThat(event.path("id").asString()).isEqualTo("" + of.told().get(i).number());
            String type = Frames.read(of.told().get(i)).path("type").asString("none");
            String known = type.equals("later") ? "agent" : type;
            assertThat(event.path("event").path("type").asString("none")).isEqualTo(known);
          }
        });
  }

  private static List<String> streams(String folder, Case of) {
    return of.first() == null
        ? List.of(folder + of.name())
        : List.of(folder + of.first(), folder + of.name());
  }

  private static JsonNode history(String name) throws RuntimeException {
    try {
      return Json.text(Files.readString(Golden.file(name))).tree();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// Has the client read every case, and checks what it has come to.
  private static void read(
      String client, Function<Case, List<String>> streams, BiConsumer<Case, JsonNode> check)
      throws IOException {
    List<Case> cases = Case.all().toList();
    ArrayNode wanted = Codec.object().arrayNode();
    for (Case of : cases) {
      ObjectNode one = wanted.addObject().put("name", of.name());
      streams.apply(of).forEach(one.withArray("streams")::add);
    }
    List<String> told = node(client, Json.of(wanted).text());
    assertThat(told).hasSameSizeAs(cases);
    for (int i = 0; i < cases.size(); i++) {
      JsonNode line = Json.text(told.get(i)).tree();
      assertThat(line.path("thrown").asString("nothing")).as(told.get(i)).isEqualTo("nothing");
      check.accept(cases.get(i), line);
    }
  }

  private static List<String> node(String client, String input) throws IOException {
    if (!Files.exists(CLIENTS.resolve("node_modules"))) {
      throw new AssertionError(
          CLIENTS
              + "/node_modules is missing: run `npm ci --prefix server/src/test/clients` first");
    }
    Process node;
    try {
      node =
          new ProcessBuilder("node", "read.mjs", client, server.url())
              .directory(CLIENTS.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new AssertionError("node cannot be started: install Node 20 or later", e);
    }
    try (var in = node.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    return node.inputReader(StandardCharsets.UTF_8).lines().toList();
  }
}
