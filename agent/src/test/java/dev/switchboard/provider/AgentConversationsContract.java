package dev.switchboard.provider;

import static dev.switchboard.provider.AgentTalk.ANSWER;
import static dev.switchboard.provider.AgentTalk.QUESTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.Turn;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.openai.OpenAiModel;
import dev.switchboard.provider.ConversationsContract.Way;
import dev.switchboard.rule.StopReason;
import dev.switchboard.testing.StubWebhook;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Conversations of an agent with a model server of others, live or recorded. Whatever happens in
/// them, the server sees every call answered.
interface AgentConversationsContract {
  Turn LATE =
      new Turn.Stopped(
          StopReason.MODEL_TIMEOUT,
          "The language model did not answer in time. Please try again.",
          Kind.TIMEOUT);
  Duration HASTE = Duration.ofMillis(100);
  Duration PATIENCE = Duration.ofMinutes(5);
  List<String> BOTH = List.of("check_table", "get_weather");

  /// A turn that ended since the model failed, for a cause that passes.
  static Turn unreachable(Kind cause) {
    return new Turn.Stopped(
        StopReason.MODEL_ERROR,
        "The language model cannot be reached just now. Please try again later.",
        cause);
  }

  static Stream<Way> ways() {
    return ConversationsContract.ways();
  }

  static Stream<Way> streamedWays() {
    return ConversationsContract.streamedWays();
  }

  ModelServer.Source source();

  /// What happens in a conversation.
  interface Course {
    void run(AgentTalk talk, ModelServer server);
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void twoToolsAtTheSameTimeAndThenAnAnswerTwice(Way way) {
    hold(
        way,
        "two-tools",
        (talk, server) -> {
          assertThat(talk.say(QUESTION)).isEqualTo(ANSWER);
          assertThat(talk.ran()).isEqualTo(BOTH);
          assertThat(talk.say(QUESTION)).isEqualTo(ANSWER);

          // The server gives its calls the same ids again.
          List<String> ids = List.of("call_table", "call_rain", "call_2_1_1", "call_2_1_2");
          assertThat(server.requests())
              .extracting(Answered::results)
              .containsExactly(List.of(), ids.subList(0, 2), ids.subList(0, 2), ids);
          assertThat(talk.conversation().history())
              .filteredOn(Message.Result.class::isInstance)
              .extracting(message -> ((Message.Result) message).text())
              .containsExactly("free at seven", "rain", "free at seven", "rain");
          if (way.streamed()) {
            assertThat(new Turn.Reply(talk.words())).isEqualTo(ANSWER);
            assertThat(talk.types())
                .containsExactly("tool_call", "tool_call", "tool_result", "tool_result", "done");
          }
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void tooManyRequestsUntilTheTimeToldHasPassed(Way way) {
    hold(
        way,
        "rate-limited",
        (talk, server) -> {
          assertThat(talk.say("Hurry")).isEqualTo(new Turn.Reply("Now I have time for you."));
          assertThat(talk.pauses()).containsExactly(Duration.ofSeconds(3));
          assertThat(server.requests()).hasSize(2);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void tooManyRequestsForGood(Way way) {
    hold(
        way,
        "rate-limited-for-good",
        (talk, server) -> {
          assertStopped(talk, way, "Too often", Kind.RATE_LIMITED);
          assertThat(talk.pauses()).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(3));
          assertThat(server.requests()).hasSize(3);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void tooManyRequestsForLongerThanTheAgentWaits(Way way) {
    Duration less = Duration.ofSeconds(2);
    hold(
        way,
        "rate-limited-too-long",
        limited(less),
        (talk, server) -> {
          assertStopped(talk, way, "Too often", Kind.RATE_LIMITED);
          assertThat(talk.pauses()).isEmpty();
          assertThat(server.requests()).hasSize(1);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void anOverloadedServiceThatRecovers(Way way) {
    hold(
        way,
        "overloaded",
        (talk, server) -> {
          assertThat(talk.say("Busy")).isEqualTo(new Turn.Reply("Now they are gone."));
          assertThat(talk.pauses()).containsExactly(Duration.ofMillis(500), Duration.ofSeconds(1));
          assertThat(server.requests()).hasSize(3);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void anOverloadedServiceForGood(Way way) {
    hold(
        way,
        "overloaded-for-good",
        (talk, server) -> {
          assertStopped(talk, way, "Overloaded", Kind.UNAVAILABLE);
          assertThat(server.requests()).hasSize(3);
          assertThat(talk.say(QUESTION)).isEqualTo(ANSWER);
        });
  }

  @ParameterizedTest
  @MethodSource("streamedWays")
  default void aStreamCutWithinItsCallsIsAskedForAgain(Way way) {
    hold(
        way,
        "cut-within-calls",
        (talk, server) -> {
          assertThat(talk.say("Break off within the calls"))
              .isEqualTo(new Turn.Reply("Both were asked."));
          assertThat(talk.ran()).isEqualTo(BOTH);
          assertThat(server.requests())
              .extracting(Answered::results)
              .containsExactly(List.of(), List.of(), List.of("call_table", "call_rain"));
        });
  }

  @ParameterizedTest
  @MethodSource("streamedWays")
  default void aStreamCutAfterWordsWereHeard(Way way) {
    hold(
        way,
        "cut-after-words",
        (talk, server) -> {
          assertStopped(talk, way, "Break off after words", Kind.BROKEN);
          assertThat(talk.words()).isEqualTo("Let me see.");
          assertThat(server.requests()).hasSize(1);
          assertThat(talk.ran()).isEmpty();
          assertThat(talk.say(QUESTION)).isEqualTo(ANSWER);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void anAnswerThatIsNotJson(Way way) {
    hold(
        way,
        "malformed",
        (talk, server) -> {
          assertStopped(talk, way, "Malformed", Kind.BROKEN);
          assertThat(talk.ran()).isEmpty();
          assertThat(talk.say(QUESTION)).isEqualTo(ANSWER);
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void aFirstWordThatComesTooLateOrJustInTime(Way way) {
    String name = "agent/" + way + "/slow";
    UnaryOperator<AgentBuilder> quick = agent -> limited(HASTE).apply(agent).time(Time.SYSTEM);
    try (ModelServer server = source().open(name)) {
      ModelOptions hasty = AgentTalk.options(way, server.url(), name, HASTE);
      ModelOptions patient = AgentTalk.options(way, server.url(), name, PATIENCE);

      assertThat(new AgentTalk(way, hasty).say("Slow")).as("the client's limit").isEqualTo(LATE);
      assertThat(new AgentTalk(way, patient, quick).say("Slow"))
          .as("the agent's limit")
          .isEqualTo(LATE);
      assertThat(new AgentTalk(way, patient).say("Slow")).isEqualTo(new Turn.Reply("Here I am."));
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void aReplyThatIsNotOfItsFormTwiceByTheProvidersOwnMeans(Way way) {
    hold(
        way,
        "invoice",
        ModelOptions.Structured.FORMAT,
        (talk, server) -> {
          assertThat(talk.ask("Write the invoice.")).isEqualTo(new AgentTalk.Invoice("Ada", 12));
          assertThat(server.requests())
              .hasSize(3)
              .allMatch(request -> hasFormat(request) || leavesOut(way, request));
          if (way.streamed()) {
            assertThat(talk.words()).isEqualTo("{\"customer\":\"Ada\",\"total\":12}");
          }
        });
  }

  /// Whether it is what the server understands of another API than chat completions, without its
  /// format and its files.
  private static boolean leavesOut(Way way, JsonNode request) {
    return Answered.isOfJournal(request) && !way.provider().equals("openai");
  }

  private static boolean hasFormat(JsonNode request) {
    JsonNode openai = request.path("response_format").path("json_schema");
    JsonNode responses = request.path("text").path("format");
    JsonNode anthropic = request.path("output_config").path("format");
    return openai.path("strict").asBoolean(false) && openai.has("schema")
        || responses.path("strict").asBoolean(false) && responses.has("schema")
        || anthropic.path("type").asString("").equals("json_schema") && anthropic.has("schema");
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void aReplyByAToolBehindOtherTools(Way way) {
    hold(
        way,
        "invoice-by-tool",
        ModelOptions.Structured.TOOL,
        (talk, server) -> {
          assertThat(talk.ask("Look it up and write the invoice."))
              .isEqualTo(new AgentTalk.Invoice("Ada", 12));
          assertThat(talk.ran()).isEqualTo(BOTH);
          assertThat(server.requests())
              .hasSize(2)
              .noneMatch(AgentConversationsContract::hasFormat)
              .allMatch(request -> request.toString().contains("final_reply"));
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void anImageAndADocumentThatStayInTheConversation(Way way) {
    hold(
        way,
        "files",
        (talk, server) -> {
          assertThat(talk.show("What do you see?", AgentTalk.DOT, AgentTalk.PAGE))
              .isEqualTo(new Turn.Reply("A dot, and an empty page."));
          assertThat(talk.say("And again?")).isEqualTo(new Turn.Reply("Still a dot."));
          assertThat(server.requests())
              .hasSize(2)
              .allMatch(request ->
                  request.toString().contains(AgentTalk.DOT.data())
                          && request.toString().contains(AgentTalk.PAGE.data())
                      || leavesOut(way, request));
        });
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void anotherModelWhereTheFirstIsDown(Way way) {
    try (StubWebhook down = StubWebhook.start()) {
      down.answer(503, "{\"error\":{\"message\":\"We are closed.\"}}");
      ChatModel first =
          OpenAiModel.of("gpt-down", ModelOptions.builder().baseUrl(down.url()).build());
      String name = "agent/" + way + "/fallback";
      try (ModelServer server = source().open(name)) {
        ChatModel second = way.model(AgentTalk.options(way, server.url(), name, PATIENCE));
        AgentTalk talk = new AgentTalk(way, first, agent -> agent.fallback(second));

        assertThat(talk.say(QUESTION)).isEqualTo(ANSWER);

        // The turn goes on with the model that has answered.
        assertThat(down.requests()).hasSize(1);
        assertThat(server.requests()).hasSize(2);
        Answered.assertEveryCall(server.requests());
      }
    }
  }

  private void hold(Way way, String name, Course course) {
    hold(way, name, UnaryOperator.identity(), course);
  }

  private void hold(Way way, String name, ModelOptions.Structured structured, Course course) {
    String conversation = "agent/" + way + "/" + name;
    try (ModelServer server = source().open(conversation)) {
      ModelOptions options =
          AgentTalk.options(way, server.url(), conversation, PATIENCE, structured);
      course.run(new AgentTalk(way, options), server);
      Answered.assertEveryCall(server.requests());
    }
  }

  private void hold(Way way, String name, UnaryOperator<AgentBuilder> adjustment, Course course) {
    String conversation = "agent/" + way + "/" + name;
    try (ModelServer server = source().open(conversation)) {
      ModelOptions options = AgentTalk.options(way, server.url(), conversation, PATIENCE);
      course.run(new AgentTalk(way, options, adjustment), server);

      List<JsonNode> requests = server.requests();
      assertThat(requests).isNotEmpty();
      Answered.assertEveryCall(requests);
    }
  }

  private static UnaryOperator<AgentBuilder> limited(Duration modelTimeout) {
    return agent -> agent.limits(AgentLimits.DEFAULT.withModelTimeout(modelTimeout));
  }

  private static void assertStopped(AgentTalk talk, Way way, String sentence, Kind cause) {
    assertThat(talk.say(sentence)).isEqualTo(unreachable(cause));
    if (way.streamed()) {
      assertThat(talk.types()).endsWith("error", "done");
    }
  }
}
