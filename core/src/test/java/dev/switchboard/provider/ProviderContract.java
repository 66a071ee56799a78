package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.model.ChatModel;
import dev.switchboard.model.FinishReason;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every client of a provider does alike, whatever its words on the wire.
public interface ProviderContract {
  ModelRequest HELLO = ModelRequest.of(new Message.User("Say hello."));

  /// The model to ask.
  ChatModel model(ModelOptions options);

  /// An answer that says `Hello there`.
  String whole();

  /// The same as the data of events; the last is the one that the reply needs to be complete.
  List<String> events();

  /// The data of an event that tells of an error.
  String errorEvent();

  /// The header that the key is sent in.
  String keyHeader();

  @Test
  default void handsOnTheWordsAsTheyComeAndRepliesWithAll() {
    try (StubWebhook server = serving(sse(events()))) {
      List<String> heard = new ArrayList<>();

      ModelReply reply = at(server).reply(HELLO, new ReplyStream(heard::add));

      assertThat(reply.text()).isEqualTo("Hello there");
      assertThat(heard).containsExactly("Hello", " there");
      assertThat(reply.finish()).isEqualTo(FinishReason.STOP);
      assertThat(reply.usage().input()).isEqualTo(9);
      assertThat(reply.usage().output()).isEqualTo(2);
      assertThat(server.requests().getFirst().json().tree().path("stream").asBoolean()).isTrue();
    }
  }

  @Test
  default void asksForAWholeAnswerWhereNobodyListens() {
    try (StubWebhook server = serving(StubAnswer.of(200, whole()))) {
      ModelReply reply = at(server).reply(HELLO, ReplyStream.unheard());

      assertThat(reply.text()).isEqualTo("Hello there");
      assertThat(reply.usage().input()).isEqualTo(9);
      assertThat(server.requests().getFirst().json().tree().has("stream")).isFalse();
    }
  }

  @Test
  default void takesAWholeAnswerWhereItAskedForAStream() {
    try (StubWebhook server = serving(StubAnswer.of(200, whole()))) {
      List<String> heard = new ArrayList<>();

      assertThat(at(server).reply(HELLO, new ReplyStream(heard::add)).text())
          .isEqualTo("Hello there");
      assertThat(heard).containsExactly("Hello there");
    }
  }

  @Test
  default void readsCommentsCarriageReturnsAndAByteOrderMark() {
    String body =
        "\ufeff: hello\r\nretry: 10\r\n\r\n"
            + text(events()).replace("data: ", "data:").replace("\n", "\r\n")
            + ": bye\r\n";
    try (StubWebhook server = serving(sse(body))) {
      assertThat(heard(at(server)).text()).isEqualTo("Hello there");
    }
  }

  @Test
  default void isBrokenWhereverTheStreamIsCut() {
    for (int i = 0; i < events().size(); i++) {
      String before = text(events().subList(0, i));
      String event = events().get(i);
      String half = before + "data: " + event.substring(0, event.length() / 2);
      for (String cut : List.of(before, half)) {
        long more = text(events()).length();
        assertThat(failure(sse(cut).contentLength(more), options()).kind())
            .as("cut after %s", cut)
            .isEqualTo(Kind.BROKEN);
        assertThat(failure(sse(cut), options()).kind()).as("ended").isEqualTo(Kind.BROKEN);
      }
    }
  }

  @Test
  default void isBrokenByAChunkThatIsNoJson() {
    List<String> events = new ArrayList<>(events());
    events.add(1, "{\"choices\":[{");

    ModelException failure = failure(sse(events), options());

    assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
    assertThat(failure).hasMessageContaining("no JSON");
  }

  @Test
  default void tellsOfAnErrorInTheMiddleOfAStream() {
    List<String> events = new ArrayList<>(events());
    events.add(2, errorEvent());

    ModelException failure = failure(sse(events), options());

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("Too many people");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>Hello</html>", "", "[]", "{}", "\"Hello\"", "null"})
  default void isBrokenByAnAnswerThatIsNoReply(String body) {
    assertThat(failure(StubAnswer.of(200, body), options(), false).kind()).isEqualTo(Kind.BROKEN);
  }

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
  @ValueSource(ints = {400, 401, 403, 404, 413, 422})
  default void isRefusedInTheProvidersOwnWords(int status) {
    ModelException failure = failure(error(status, "No such thing"), options());

    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure)
        .hasMessageContaining("No such thing")
        .hasMessageContaining(String.valueOf(status));
  }

  @Test
  default void saysWhichKeyToCheck() {
    ModelOptions keyed =
        ModelOptions.of(ApiKey.env("SPECIAL_KEY", java.util.Map.of("SPECIAL_KEY", "k-123")));

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
  default void isUnavailableWhereNobodyListens() {
    StubWebhook server = StubWebhook.start();
    server.close();

    ModelException failure = failure(server, options(), true);

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure)
        .hasMessageContaining("cannot be reached")
        .hasMessageContaining(server.hostAndPort());
  }

  @Test
  default void isBrokenByWhatIsNoHttp() {
    assertThat(failure(StubAnswer.garbage(), options()).kind()).isEqualTo(Kind.BROKEN);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void isBrokenByAnAnswerWithoutEnd(boolean wanted) {
    ModelException failure =
        failure(StubAnswer.endless().contentType("application/json"), options(), wanted);

    assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
    assertThat(failure).hasMessageContaining("16 MiB");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void waitsForTheFirstWordNoLongerThanTheIdleLimit(boolean wanted) {
    StubAnswer answer = wanted ? sse(events()) : StubAnswer.of(200, whole());

    ModelException failure = failure(answer.delay(Duration.ofSeconds(5)), quick(), wanted);

    assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(failure).hasMessageContaining("idle limit");
    try (StubWebhook server = serving(answer.delay(Duration.ofMillis(20)))) {
      ReplyStream stream = wanted ? new ReplyStream(text -> {}) : ReplyStream.unheard();
      assertThat(at(server, quick()).reply(HELLO, stream).text()).isEqualTo("Hello there");
    }
  }

  @Test
  default void waitsBetweenWordsNoLongerThanTheIdleLimit() {
    ModelException failure = failure(sse(events()).drip(Duration.ofSeconds(5)), quick());

    assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(failure).hasMessageContaining("idle limit");
  }

  @Test
  default void waitsForTheEndNoLongerThanTheTotalLimit() {
    ModelOptions limited =
        ModelOptions.builder()
            .idleLimit(Duration.ofSeconds(5))
            .totalLimit(Duration.ofMillis(150))
            .build();

    for (StubAnswer answer :
        List.of(
            sse(events()).drip(Duration.ofMillis(10)),
            sse(events()).delay(Duration.ofSeconds(5)))) {
      ModelException failure = failure(answer, limited);
      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(failure).hasMessageContaining("total limit of 150 ms");
    }
  }

  @Test
  default void stopsWhenTheStreamIsCancelled() {
    ReplyStream before = new ReplyStream(text -> {});
    before.cancel();
    CancellingStream first = new CancellingStream();
    ReplyStream unheard = ReplyStream.unheard();
    try (StubWebhook server = serving(sse(events()).drip(Duration.ofMillis(1)))) {
      assertCancelled(server, before);
      assertThat(server.requests()).isEmpty();
      assertCancelled(server, first.stream);
    }
    try (StubWebhook server = serving(StubAnswer.hang())) {
      Thread.ofVirtual()
          .start(() -> {
            server.takeRequest(Duration.ofSeconds(5));
            unheard.cancel();
          });
      assertCancelled(server, unheard);
    }
  }

  /// A stream that is cancelled by the first word.
  final class CancellingStream {
    @Nullable ReplyStream stream;

    CancellingStream() {
      stream = new ReplyStream(text -> stream.cancel());
    }
  }

  private void assertCancelled(StubWebhook server, ReplyStream stream) {
    assertThatThrownBy(() -> at(server).reply(HELLO, stream))
        .isInstanceOfSatisfying(
            ModelException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CANCELLED));
  }

  @Test
  default void stopsWhenItsThreadIsInterrupted() throws InterruptedException {
    try (StubWebhook server = serving(StubAnswer.hang())) {
      List<Object> seen = new ArrayList<>();
      Thread thread =
          Thread.ofVirtual()
              .start(() -> {
                seen.add(failure(server, options(), true).kind());
                seen.add(Thread.currentThread().isInterrupted());
              });
      server.takeRequest(Duration.ofSeconds(5));
      thread.interrupt();
      thread.join(Duration.ofSeconds(5));
      assertThat(seen).containsExactly(Kind.CANCELLED, true);
    }
  }

  @Test
  default void letsAListenersExceptionThrough() {
    try (StubWebhook server = serving(sse(events()))) {
      ReplyStream stream =
          new ReplyStream(text -> {
            throw new IllegalStateException("full");
          });
      assertThatThrownBy(() -> at(server).reply(HELLO, stream))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("full");
    }
  }

  /// An answer of these events.
  static StubAnswer sse(List<String> events) {
    return sse(text(events));
  }

  private static StubAnswer sse(String body) {
    return StubAnswer.of(200, body).contentType("text/event-stream; charset=utf-8");
  }

  private static String text(List<String> events) {
    StringBuilder text = new StringBuilder();
    events.forEach(event -> text.append("data: ").append(event).append("\n\n"));
    return text.toString();
  }

  private static StubAnswer error(int status, String message) {
    return StubAnswer.of(
        status, "{\"type\":\"error\",\"error\":{\"type\":\"e\",\"message\":\"" + message + "\"}}");
  }

  private static StubWebhook serving(StubAnswer answer) {
    return StubWebhook.start().answer(answer);
  }

  private static ModelOptions options() {
    return ModelOptions.builder().build();
  }

  private static ModelOptions quick() {
    return ModelOptions.builder().idleLimit(Duration.ofMillis(100)).build();
  }

  private ChatModel at(StubWebhook server) {
    return at(server, options());
  }

  private ChatModel at(StubWebhook server, ModelOptions options) {
    return model(
        new ModelOptions(
            options.key(),
            server.url("/v1/"),
            options.temperature(),
            options.maxTokens(),
            options.idleLimit(),
            options.totalLimit(),
            options.headers()));
  }

  private static ModelReply heard(ChatModel model) {
    return model.reply(HELLO, new ReplyStream(text -> {}));
  }

  private ModelException failure(StubAnswer answer, ModelOptions options) {
    return failure(answer, options, true);
  }

  private ModelException failure(StubAnswer answer, ModelOptions options, boolean wanted) {
    try (StubWebhook server = serving(answer)) {
      return failure(server, options, wanted);
    }
  }

  private ModelException failure(StubWebhook server, ModelOptions options, boolean wanted) {
    ReplyStream stream = wanted ? new ReplyStream(text -> {}) : ReplyStream.unheard();
    ModelException failure =
        catchThrowableOfType(ModelException.class, () -> at(server, options).reply(HELLO, stream));
    assertThat(failure).as("no reply").isNotNull();
    assertThat(failure).hasMessageStartingWith("model '" + model(options).name() + "'");
    return failure;
  }
}
