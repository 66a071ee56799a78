package dev.switchboard.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Json;
import dev.switchboard.mount.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ProblemTest {
  @TempDir private Path folder;
  private GuardedServer server;
  private String bearer;

  @BeforeEach
  void start() {
    server = GuardedServer.start(folder);
    bearer = server.bearer("ada", Role.CHAT);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void hasTheMembersOfTheStandardAndItsOwn() {
    Problem problem =
        Problem.of(409, "already_answered", "It was answered.")
            .with("by", "ada")
            .with("faults", List.of(1));

    assertThat(problem.body("/v1/approvals/x").text())
        .isEqualTo(
            "{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409,"
                + "\"detail\":\"It was answered.\",\"code\":\"already_answered\",\"by\":\"ada\","
                + "\"faults\":[1]}");
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/chat/completions",
    "/v1/models",
    "/v1/models/a",
    "/v1/responses",
    "/v1/embeddings",
    "/v1/audio/speech",
    "/v1/completions"
  })
  void hasTheFormOfOpenAiOnItsPaths(String path) {
    assertThat(Problem.of(404, "model_not_found", "No.").with("param", "model").body(path).text())
        .isEqualTo(
            "{\"error\":{\"message\":\"No.\",\"type\":\"invalid_request_error\","
                + "\"code\":\"model_not_found\",\"param\":\"model\"}}");
    assertThat(Problem.of(500, "internal", "No.").body(path).text())
        .isEqualTo(
            "{\"error\":{\"message\":\"No.\",\"type\":\"server_error\",\"code\":\"internal\","
                + "\"param\":null}}");
  }

  @ParameterizedTest
  @CsvSource({"PT0S, 1", "PT0.001S, 1", "PT1S, 1", "PT1.001S, 2", "PT30S, 30"})
  void saysWhenToTryAgainInWholeSeconds(Duration wait, String seconds) throws IOException {
    assertThat(Problem.rateLimited("Wait.", wait).headers()).containsEntry("Retry-After", seconds);
  }

  @Test
  void aStrangerOnOpenAisPathsGetsItsForm() throws IOException {
    RawHttp.Answer answer = server.http.sendBody("{}", "POST /v1/chat/completions");

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.header("Content-Type")).startsWith("application/json");
    assertThat(Json.text(answer.body()).tree().at("/error/type").stringValue())
        .isEqualTo("authentication_error");
  }

  @Test
  void whatIsNotServedOfOpenAisPathsIsNotFoundInItsForm() throws IOException {
    RawHttp.Answer answer = server.http.send("GET /v1/embeddings", bearer);

    assertThat(answer.status()).isEqualTo(404);
    assertThat(Json.text(answer.body()).tree().at("/error/code").stringValue())
        .isEqualTo("not_found");
  }

  @Test
  void answers404ForUnknownPathsAnd405ForOtherMethods() throws IOException {
    RawHttp.Answer none = server.http.send("GET /v1/none", bearer);
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.header("Content-Type")).isEqualTo("application/problem+json");

    for (String accept : List.of("*/*", "text/html", "application/json")) {
      RawHttp.Answer wrong = server.http.send("DELETE /v1/things", bearer, "Accept: " + accept);
      assertThat(wrong.status()).isEqualTo(405);
      assertThat(wrong.header("Allow")).isEqualTo("POST");
      assertThat(wrong.header("Content-Type")).isEqualTo("application/problem+json");
    }
    assertThat(server.http.send("HEAD /v1/me", bearer).status()).isEqualTo(200);
    assertThat(server.http.send("BREW /v1/me", bearer).status()).isIn(404, 405);
  }

  @Test
  void aFailureIsTellingNoOneButTheLog() throws IOException {
    RawHttp.Answer failed = server.http.send("GET /v1/broken", bearer);
    JsonNode problem = Json.text(failed.body()).tree();

    assertThat(failed.status()).isEqualTo(500);
    assertThat(problem.path("code").stringValue()).isEqualTo("internal");
    assertThat(problem.path("detail").stringValue()).contains(problem.path("id").stringValue());
    assertThat(failed.body()).doesNotContain("secret", "IllegalState");

    RawHttp.Answer overflow = server.http.send("GET /v1/overflow", bearer);
    assertThat(overflow.status()).isEqualTo(500);
    assertThat(overflow.body()).contains("\"internal\"").doesNotContain("secret", "StackOverflow");
    assertThat(server.http.send("GET /v1/me", bearer).status()).isEqualTo(200);
  }

  @Test
  void aFullHeapRefusesTheRequestAlone() throws IOException {
    RawHttp.Answer full = server.http.send("GET /v1/full", bearer);
    assertThat(full.status()).isEqualTo(503);
    assertThat(full.header("Retry-After")).isEqualTo("5");
    assertThat(full.body()).contains("\"no_memory\"").doesNotContain("secret", "OutOfMemory");
    assertThat(server.http.send("GET /v1/me", bearer).status()).isEqualTo(200);
  }
}
