package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.anthropic.AnthropicModel;
import dev.switchboard.handler.Tool;
import dev.switchboard.model.ApiKey;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Conversations with a model server of others, live or recorded.
interface ConversationsContract {
  /// A client and how it asks.
  record Way(String provider, boolean streamed) {
    ChatModel model(ModelOptions options) {
      return !provider.equals("anthropic")
          ? OpenAiModel.of("gpt-4.1-mini", options)
          : AnthropicModel.of("claude-haiku-4-5", options);
    }

    /// OpenAI's base URL ends in its version.
    String path() {
      return provider.equals("anthropic") ? "" : "v1";
    }

    /// Options with the API to ask by.
    ModelOptions.Builder options() {
      ModelOptions.Builder options = ModelOptions.builder();
      return provider.equals("responses") ? options.api(ModelOptions.Api.RESPONSES) : options;
    }

    @Override
    public String toString() {
      return provider + (streamed ? "-streamed" : "-whole");
    }
  }

  static Stream<Way> ways() {
    Stream<Way> both =
        Stream.of("openai", "anthropic")
            .flatMap(provider -> Stream.of(new Way(provider, true), new Way(provider, false)));
    return Stream.concat(both, Stream.of(new Way("responses", true)));
  }

  static Stream<Way> streamedWays() {
    return ways().filter(Way::streamed);
  }

  ModelServer.Source source();

  @ParameterizedTest
  @MethodSource("ways")
  default void twoParallelToolsAndThenAnAnswer(Way way) {
    try (ModelServer server = source().open(way + "/two-tools")) {
      String answer = answer(way, server, "two-tools", "Is there a table in Oslo, and rain?");

      assertThat(answer).isEqualTo("There is a table at seven, and it will rain in Oslo.");
      assertThat(server.requests()).hasSize(2);
      JsonNode last = server.requests().getLast();
      assertThat(Answered.calls(last)).containsExactly("call_table", "call_rain");
      assertThat(Answered.results(last)).containsExactly("call_table", "call_rain");
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void tooManyRequestsWithTheTimeToWait(Way way) {
    ModelException failure = failure(way, "rate-limited", "Too often");

    assertThat(failure.kind()).isEqualTo(Kind.RATE_LIMITED);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(failure).hasMessageContaining("You ask too often.");
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void anOverloadedService(Way way) {
    ModelException failure = failure(way, "overloaded", "Overloaded");

    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("Everybody asks at once.");
  }

  @ParameterizedTest
  @MethodSource("streamedWays")
  default void aStreamThatIsCut(Way way) {
    assertThat(failure(way, "cut", "Cut").kind()).isEqualTo(Kind.BROKEN);
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void anAnswerThatIsNotJson(Way way) {
    assertThat(failure(way, "malformed", "Malformed").kind()).isEqualTo(Kind.BROKEN);
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void aFirstWordThatComesTooLateOrJustInTime(Way way) {
    try (ModelServer server = source().open(way + "/slow")) {
      ModelOptions hasty = options(way, server, "slow", Duration.ofMillis(100));
      ModelException failure =
          failure(() -> Driver.DIRECT.answer(way.model(hasty), way.streamed(), "Slow", List.of()));

      assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
      assertThat(answer(way, server, "slow", "Slow")).isEqualTo("Here I am.");
    }
  }

  private String answer(Way way, ModelServer server, String name, String sentence) {
    ModelOptions options = options(way, server, name, Duration.ofMinutes(5));
    return Driver.DIRECT.answer(way.model(options), way.streamed(), sentence, tools());
  }

  private ModelException failure(Way way, String name, String sentence) {
    try (ModelServer server = source().open(way + "/" + name)) {
      return failure(() -> answer(way, server, name, sentence));
    }
  }

  private static ModelException failure(ThrowingCallable asking) {
    List<ModelException> failures = new ArrayList<>();
    assertThatThrownBy(asking).isInstanceOfSatisfying(ModelException.class, failures::add);
    return failures.getFirst();
  }

  private static ModelOptions options(Way way, ModelServer server, String name, Duration idle) {
    return way.options()
        .baseUrl(server.url() + way.path())
        .key(ApiKey.of("no-key-at-all"))
        .idleLimit(idle)
        .header(Aimock.TEST_ID, way + "/" + name)
        .build();
  }

  private static List<Tool> tools() {
    return List.of(
        Tool.dynamic(
                "check_table",
                """
                {"type":"object","properties":{"city":{"type":"string"},"party":{"type":"integer"}},
                 "required":["city","party"]}\
                """)
            .description("Looks for a free table.")
            .handler(arguments -> "free at seven"),
        Tool.dynamic(
                "get_weather",
                "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}")
            .handler(arguments -> "rain"));
  }
}
