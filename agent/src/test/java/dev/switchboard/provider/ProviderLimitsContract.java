package dev.switchboard.provider;

import static dev.switchboard.provider.ProviderPlace.options;
import static dev.switchboard.provider.ProviderPlace.quick;
import static dev.switchboard.provider.ProviderPlace.serving;
import static dev.switchboard.provider.ProviderPlace.sse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
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

/// When a client stops: at its limits, and when nobody wants the reply any more.
interface ProviderLimitsContract extends ProviderPlace {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void isBrokenByAnAnswerWithoutEnd(boolean wanted) {
    ModelException failure =
        failure(StubAnswer.endless().contentType("application/json"), options(), wanted);

    assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
    assertThat(failure).hasMessageContaining("16 MiB");
  }

  @Test
  default void countsNoTokensThatCouldOverflow() {
    String counts = "(?<=_tokens\":)\\d+";
    String huge = whole().replaceAll(counts, Long.toString(Long.MAX_VALUE));
    try (StubWebhook server = serving(StubAnswer.of(200, huge))) {
      ModelReply.Usage usage = at(server).reply(HELLO, ReplyStream.unheard()).usage();

      assertThat(usage.input()).isEqualTo(ReplyReader.MOST_TOKENS);
      assertThat(usage.output()).isEqualTo(ReplyReader.MOST_TOKENS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void waitsForTheFirstWordNoLongerThanTheIdleLimit(boolean wanted) {
    StubAnswer answer = wanted ? sse(events()) : StubAnswer.of(200, whole());

    ModelException failure = failure(answer.delay(Duration.ofSeconds(5)), quick(), wanted);

    assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(failure).hasMessageContaining("idle limit");
    ModelOptions patient = ModelOptions.builder().idleLimit(Duration.ofMinutes(5)).build();
    try (StubWebhook server = serving(answer.delay(Duration.ofMillis(20)))) {
      ReplyStream stream = wanted ? new ReplyStream(text -> {}) : ReplyStream.unheard();
      assertThat(at(server, patient).reply(HELLO, stream).text()).isEqualTo("Hello there");
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
            server.takeRequest(Duration.ofMinutes(5));
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
      server.takeRequest(Duration.ofMinutes(5));
      thread.interrupt();
      thread.join(Duration.ofMinutes(5));
      assertThat(seen).containsExactly(Kind.CANCELLED, true);
    }
  }
}
