package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelReply.FinishReason;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponsesReaderTest {
  private static final String BY = "responses/h/m";
  private static final Endpoint ENDPOINT =
      Endpoint.of("openai:m", OpenAiModel.service("responses"), ModelOptions.builder().build());
  private static final String REASONING =
      "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"E\"}";
  private static final String COMPLETED = end("completed", "\"output\":[]");

  private final List<String> heard = new ArrayList<>();
  private final List<String> dropped = new ArrayList<>();

  private ModelReply read(String... events) {
    return read(false, events);
  }

  private ModelReply read(boolean formatted, String... events) {
    ReplyStream stream = new ReplyStream(heard::add);
    stream.onDropped(dropped::add);
    ResponsesReader reader = new ResponsesReader(ENDPOINT.failures(), stream, BY, formatted, false);
    for (String event : events) {
      if (reader.event(event)) {
        break;
      }
    }
    return reader.end();
  }

  private ModelException failure(String... events) {
    ModelException failure = catchThrowableOfType(ModelException.class, () -> read(events));
    assertThat(failure).as("no reply").isNotNull();
    return failure;
  }

  static String end(String how, String members) {
    return "{\"type\":\"response." + how + "\",\"response\":{\"error\":null," + members + "}}";
  }

  static String done(int index, String item) {
    return "{\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}"
        .formatted(index, item);
  }

  static String delta(int index, String words) {
    return "{\"type\":\"response.output_text.delta\",\"output_index\":%d,\"delta\":\"%s\"}"
        .formatted(index, words);
  }

  private static String message(String words, String more) {
    return "{\"type\":\"message\",\"role\":\"assistant\","
        + "\"content\":[{\"type\":\"output_text\",\"text\":\"%s\"}]%s}".formatted(words, more);
  }

  private static String call(String id, String status) {
    return "{\"type\":\"function_call\",\"call_id\":\"%s\",\"name\":\"a\",\"arguments\":\"{}\"%s}"
        .formatted(id, status.isEmpty() ? "" : ",\"status\":\"" + status + "\"");
  }

  private static List<String> entries(ModelReply reply) {
    ProviderItems items = Objects.requireNonNull(reply.items());
    assertThat(items.by()).isEqualTo(BY);
    return items.entries().stream().map(Json::text).toList();
  }

  @Test
  void takesAnItemAsItIsWhenItIsDone() {
    ModelReply reply =
        read(
            "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":"
                + REASONING.replace("\"E\"", "\"half\"")
                + "}",
            done(0, REASONING),
            "{\"type\":\"response.function_call_arguments.delta\",\"output_index\":1,"
                + "\"delta\":\"{\\\"x\\\":\"}",
            done(1, call("c1", "completed")),
            COMPLETED);

    assertThat(reply.calls()).containsExactly(RequestedCall.of("c1", "a", "{}"));
    assertThat(reply.finish()).isEqualTo(FinishReason.TOOL_CALLS);
    assertThat(entries(reply)).containsExactly("{\"item\":" + REASONING + "}", "{\"call\":0}");
    assertThat(reply.toString()).doesNotContain("\"E\"");
  }

  @Test
  void hasNoItemsWithoutAnythingToSendBack() {
    assertThat(read(done(0, message("Hi.", "")), COMPLETED).items()).isNull();
  }

  @Test
  void joinsMessagesByABlankLineAndKeepsTheirPhase() {
    ModelReply reply =
        read(
            delta(0, "Look"),
            delta(0, "ing."),
            done(0, message("Looking.", ",\"phase\":\"commentary\"")),
            done(1, message("Done.", "")),
            COMPLETED);

    assertThat(reply.text()).isEqualTo("Looking.\n\nDone.");
    assertThat(heard).containsExactly("Look", "ing.", "\n\nDone.");
    assertThat(entries(reply))
        .containsExactly("{\"text\":8,\"phase\":\"commentary\"}", "{\"text\":5}");
  }

  @Test
  void isFilteredWhereTheModelRefuses() {
    ModelReply reply =
        read(
            "{\"type\":\"response.refusal.delta\",\"output_index\":0,\"delta\":\"I can\"}",
            done(
                0,
                "{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"I"
                    + " can't.\"}]}"),
            COMPLETED);

    assertThat(reply.text()).isEqualTo("I can't.");
    assertThat(reply.finish()).isEqualTo(FinishReason.FILTERED);
    assertThat(heard).containsExactly("I can", "'t.");
  }

  @Test
  void readsUsageAndItemsThatItHasNotSeenFromTheEnd() {
    ModelReply reply =
        read(
            done(0, REASONING),
            end(
                "completed",
                "\"output\":["
                    + REASONING
                    + ","
                    + call("c1", "completed")
                    + "],\"usage\":{\"input_tokens\":9,\"output_tokens\":5,"
                    + "\"input_tokens_details\":{\"cached_tokens\":3,\"cache_write_tokens\":2},"
                    + "\"output_tokens_details\":{\"reasoning_tokens\":4}}"));

    assertThat(reply.calls()).hasSize(1);
    assertThat(entries(reply)).hasSize(2);
    assertThat(reply.usage()).isEqualTo(new ModelReply.Usage(9, 5, 3, 2, 4));
  }

  @ParameterizedTest
  @CsvSource({"max_output_tokens, LENGTH", "content_filter, FILTERED", "something_new, OTHER"})
  void saysWhyAReplyIsIncomplete(String reason, FinishReason finish) {
    ModelReply reply =
        read(
            delta(0, "It is"),
            end("incomplete", "\"incomplete_details\":{\"reason\":\"" + reason + "\"}"));

    assertThat(reply.finish()).isEqualTo(finish);
    assertThat(reply.text()).isEqualTo("It is");
    assertThat(heard).containsExactly("It is");
  }

  @Test
  void keepsNoUnfinishedCallAndNoReasoningWithoutWhatFollows() {
    ModelReply reply =
        read(
            done(0, REASONING),
            done(1, call("c1", "completed")),
            done(2, REASONING.replace("\"E\"", "\"F\"")),
            end(
                "incomplete",
                "\"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"output\":["
                    + String.join(
                        ",",
                        REASONING,
                        call("c1", "completed"),
                        REASONING,
                        call("c2", "incomplete"),
                        call("c3", "in_progress"))
                    + "]"));

    assertThat(reply.finish()).isEqualTo(FinishReason.LENGTH);
    assertThat(reply.calls()).extracting(RequestedCall::id).containsExactly("c1");
    assertThat(entries(reply)).containsExactly("{\"item\":" + REASONING + "}", "{\"call\":0}");
  }

  @Test
  void keepsItemsThatItDoesNotKnow() {
    String item = "{\"type\":\"program\",\"code\":[1]}";

    assertThat(entries(read(done(0, item), done(1, message("Hi.", "")), COMPLETED)))
        .containsExactly("{\"item\":" + item + "}", "{\"text\":3}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"custom_tool_call", "computer_call", "mcp_approval_request"})
  void isBrokenByAnItemThatWaitsForMore(String type) {
    assertThat(failure(done(0, "{\"type\":\"" + type + "\"}"), COMPLETED).kind())
        .isEqualTo(Kind.BROKEN);
  }

  @Test
  void keepsItemsApartToWhichAServerGivesOnePlace() {
    ModelReply reply =
        read(
            done(0, REASONING),
            delta(0, "Hi"),
            done(0, message("Hi.", ",\"id\":\"msg_1\"")),
            done(0, call("c1", "completed").replace("{\"type", "{\"id\":\"fc_1\",\"type")),
            done(0, call("c2", "completed").replace("{\"type", "{\"id\":\"fc_2\",\"type")),
            COMPLETED);

    assertThat(reply.text()).isEqualTo("Hi.");
    assertThat(heard).containsExactly("Hi", ".");
    assertThat(reply.calls()).extracting(RequestedCall::id).containsExactly("c1", "c2");
    assertThat(entries(reply)).hasSize(4);
  }

  @Test
  void takesACallOnceThatHasNoIdAndAnotherPlaceAtTheEnd() {
    ModelReply reply =
        read(
            done(1, call("c1", "completed")),
            end("completed", "\"output\":[" + call("c1", "") + "," + call("c2", "") + "]"));

    assertThat(reply.calls()).extracting(RequestedCall::id).containsExactly("c1", "c2");
  }

  @Test
  void keepsCallsWithoutIdsApartToWhichAServerGivesOnePlace() {
    ModelReply reply =
        read(done(0, call("c1", "completed")), done(0, call("c2", "completed")), COMPLETED);

    assertThat(reply.calls()).extracting(RequestedCall::id).containsExactly("c1", "c2");
  }

  @Test
  void takesAMessageOnceThatHasNoIdAndAnotherPlaceAtTheEnd() {
    ModelReply reply =
        read(
            done(1, message("Hi.", "")),
            end("completed", "\"output\":[" + message("Hi.", "") + "]"));

    assertThat(reply.text()).isEqualTo("Hi.");
  }

  @Test
  void readsEqualEventsOfAServerThatNumbersAllAlike() {
    String one = delta(0, "ha").replace("{\"type", "{\"sequence_number\":0,\"type");

    assertThat(read(one, one, one, COMPLETED).text()).isEqualTo("hahaha");
    assertThat(heard).containsExactly("ha", "ha", "ha");
  }

  @Test
  void isBrokenByOddItems() {
    assertThat(failure(done(0, "1"), COMPLETED).kind()).isEqualTo(Kind.BROKEN);
    assertThat(failure(done(0, "{\"type\":\"function_call\"}"), COMPLETED).kind())
        .isEqualTo(Kind.BROKEN);
    assertThat(failure(done(0, message("Hi.", ""))).kind()).isEqualTo(Kind.BROKEN);
  }

  @Test
  void takesTheFinalAnswerOrTheLastMessageWhereThereIsAFormat() {
    String comment = message("Let me see.", ",\"phase\":\"commentary\"");
    String answer = message("{}", ",\"phase\":\"final_answer\"");
    ModelReply last =
        read(true, delta(0, "Let"), done(0, comment), done(1, message("{}", "")), COMPLETED);
    ModelReply first = read(true, done(0, answer), done(1, comment), COMPLETED);

    assertThat(last.text()).isEqualTo("{}");
    assertThat(entries(last)).containsExactly("{\"item\":" + comment + "}", "{\"text\":2}");
    assertThat(first.text()).isEqualTo("{}");
    assertThat(entries(first))
        .containsExactly("{\"text\":2,\"phase\":\"final_answer\"}", "{\"item\":" + comment + "}");
    assertThat(heard).containsExactly("{}", "{}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"Slow down\"}",
        "{\"type\":\"error\",\"error\":{\"type\":\"requests\",\"code\":\"rate_limit_exceeded\",\"message\":\"Slow"
            + " down\"}}",
        "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"Slow"
            + " down\"}}}"
      })
  void takesTheFirstErrorInAnyForm(String event) {
    String other =
        "{\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\",\"message\":\"Oh\"}}}";
    ModelException failure = failure(delta(0, "Hi"), event, other);

    assertThat(failure.kind()).isEqualTo(Kind.RATE_LIMITED);
    assertThat(failure).hasMessageContaining("Slow down");
  }

  @Test
  void isBrokenWhereNoReasonIsGiven() {
    assertThat(failure(end("failed", "\"status\":\"failed\"")).kind()).isEqualTo(Kind.BROKEN);
  }

  @Test
  void tellsWhyReasoningWasNotUsedOnceForEachReason() {
    ModelReply reply =
        read(
            done(0, message("Hi.", "")),
            end(
                "completed",
                "\"input_transformations\":["
                    + "{\"id\":\"rs_1\",\"reason\":\"turn_boundary\"},"
                    + "{\"id\":\"rs_2\",\"reason\":\"prefix_mismatch\"},"
                    + "{\"id\":\"rs_3\",\"reason\":\"prefix_mismatch\"},"
                    + "{\"id\":\"rs_4\",\"reason\":\"<b>odd</b>\"}]"));

    assertThat(reply.text()).isEqualTo("Hi.");
    assertThat(dropped).containsExactlyInAnyOrder("prefix_mismatch", "other");
  }

  @ParameterizedTest
  @CsvSource({"completed, STOP", "incomplete, LENGTH"})
  void readsAWholeAnswer(String status, FinishReason finish) {
    ResponsesReader reader =
        new ResponsesReader(ENDPOINT.failures(), ReplyStream.unheard(), BY, false, true);
    String answer =
        "{\"status\":\"%s\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"output\":[%s,%s]}"
            .formatted(status, REASONING, message("Hi.", ""));

    ModelReply reply = reader.whole(Json.text(answer).tree());

    assertThat(reply.text()).isEqualTo("Hi.");
    assertThat(reply.finish()).isEqualTo(finish);
    assertThat(Objects.requireNonNull(reply.items()).fresh()).isTrue();
  }

  @Test
  void isBrokenByAWholeAnswerThatIsNotOver() {
    ResponsesReader reader =
        new ResponsesReader(ENDPOINT.failures(), ReplyStream.unheard(), BY, false, false);
    Json answer = Json.text("{\"status\":\"queued\",\"output\":[]}");

    assertThat(catchThrowableOfType(ModelException.class, () -> reader.whole(answer.tree())).kind())
        .isEqualTo(Kind.BROKEN);
  }
}
