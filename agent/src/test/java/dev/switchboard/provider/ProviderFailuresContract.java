package dev.switchboard.provider;

import static dev.switchboard.provider.ProviderPlace.error;
import static dev.switchboard.provider.ProviderPlace.heard;
import static dev.switchboard.provider.ProviderPlace.options;
import static dev.switchboard.provider.ProviderPlace.serving;
import static dev.switchboard.provider.ProviderPlace.sse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.Ports;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a client says of a server that fails or refuses, and what it keeps to itself.
interface ProviderFailuresContract extends ProviderPlace {
  @Test
  default void isRateLimitedForAsLongAsTheServerSays() {
    StubAnswer answer = error(429, "Slow down");
    ModelException failure = failure(answer.header("Retry-After", "7"), options());

    assertThat(failure.kind()).isEqualTo(Kind.RATE_LIMITED);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    assertThat(failure).hasMessageContaining("Slow down").hasMessageContaining("429");
    assertThat(failure(answer, options()).retryAfter()).isNull();
    assertThat(
            failure(answer.header("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"), options())
                .retryAfter())
        .isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 503, 504, 529})
  default void isUnavailableWhereTheServerIsInTrouble(int status) {
    ModelException failure =
        failure(error(status, "Oh").header("Retry-After", "0"), options(), false);

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @CsvSource({
    "400,REFUSED",
    "401,DENIED",
    "402,DENIED",
    "403,DENIED",
    "404,NOT_FOUND",
    "413,TOO_LONG",
    "422,REFUSED"
  })
  default void isRefusedInTheProvidersOwnWords(int status, Kind kind) {
    ModelException failure = failure(error(status, "No such thing"), options());

    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure)
        .hasMessageContaining("No such thing")
        .hasMessageContaining(String.valueOf(status));
  }

  @Test
  default void followsTheServersAdviceOnARetry() {
    ModelException failure =
        failure(
            error(400, "Oh").header("x-should-retry", "true").header("retry-after-ms", "20"),
            options());

    assertThat(failure.passing()).isTrue();
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofMillis(20));
    assertThat(failure(error(503, "Oh").header("x-should-retry", "false"), options()).passing())
        .isFalse();
  }

  @Test
  default void saysWhichKeyToCheck() {
    ModelOptions keyed = ModelOptions.of(ApiKey.of("k-123", "SPECIAL_KEY"));

    assertThat(failure(error(401, "Bad key"), keyed)).hasMessageContaining("SPECIAL_KEY");
    assertThat(failure(error(401, "No key"), options())).hasMessageContaining("_API_KEY");
  }

  @Test
  default void keepsTheProvidersWordsShortAndOnOneLine() {
    String message = failure(error(400, "long\\n".repeat(1000)), options()).getMessage();

    assertThat(message).hasSizeLessThan(700).doesNotContain("\n");
    assertThat(failure(StubAnswer.of(500, "<html>" + "x".repeat(99) + "</html>"), options()))
        .hasMessageNotContaining("html");
  }

  @Test
  default void neverTellsTheKey() {
    ModelOptions keyed = ModelOptions.of(ApiKey.of("\u0000 sk-secret\r\n"));
    try (StubWebhook server = serving(error(401, "The key sk-secret is wrong"))) {
      ModelException failure = failure(server, keyed, true);

      assertThat(failure).hasMessageContaining("***").hasMessageNotContaining("sk-secret");
      assertThat(server.requests().getFirst().header(keyHeader())).endsWith("sk-secret");
      assertThat(keyed.toString()).doesNotContain("sk-secret");
    }
  }

  @Test
  default void sendsNoKeyWhereThereIsNone() {
    try (StubWebhook server = serving(sse(events()))) {
      heard(at(server));

      assertThat(server.requests().getFirst().header(keyHeader())).isNull();
    }
  }

  @Test
  default void keepsItsConnectionForTheNextRequest() {
    try (StubWebhook server = serving(sse(events()))) {
      ChatModel model = at(server);
      heard(model);
      heard(model);

      assertThat(server.requests()).hasSize(2);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  default void followsNoRedirect() {
    try (StubWebhook other = serving(sse(events()));
        StubWebhook server =
            serving(StubAnswer.status(307).header("Location", other.url("/v1/x")))) {
      ModelException failure = failure(server, ModelOptions.of(ApiKey.of("k")), true);

      assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
      assertThat(failure).hasMessageContaining("redirect");
      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  default void sendsNothingTwice() {
    for (StubAnswer answer :
        List.of(
            StubAnswer.reset(), error(503, "Oh").header("Retry-After", "0"), error(408, "Oh"))) {
      try (StubWebhook server = serving(answer)) {
        assertThat(failure(server, options(), true).kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(server.requests()).hasSize(1);
      }
    }
  }

  @Test
  default void isUnavailableWhereNoOneListens() {
    String closed = "127.0.0.1:" + Ports.CLOSED;
    ChatModel model = model(ModelOptions.builder().baseUrl("http://" + closed + "/v1/").build());

    ModelException failure = ProviderPlace.failure(model, true);

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("cannot be reached").hasMessageContaining(closed);
  }

  @Test
  default void isBrokenByWhatIsNotHttp() {
    assertThat(failure(StubAnswer.garbage(), options()).kind()).isEqualTo(Kind.BROKEN);
  }
}
