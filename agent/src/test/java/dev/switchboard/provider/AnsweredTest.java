package dev.switchboard.provider;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.switchboard.json.Json;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class AnsweredTest {
  private static final String USER = "{\"role\":\"user\",\"content\":\"Go\"}";
  private static final String CALLS =
      "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\"},{\"id\":\"b\"}]}";
  private static final String A = "{\"role\":\"tool\",\"tool_call_id\":\"a\"}";
  private static final String B = "{\"role\":\"tool\",\"tool_call_id\":\"b\"}";
  private static final String BLOCKS =
      "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\"},{\"type\":\"tool_use\",\"id\":\"b\"}]}";

  private static final String ITEM_A = "{\"type\":\"function_call\",\"call_id\":\"a\"}";
  private static final String ITEM_B = "{\"type\":\"function_call\",\"call_id\":\"b\"}";

  private static String results(String... ids) {
    return Stream.of(ids)
        .map("{\"type\":\"tool_result\",\"tool_use_id\":\"%s\"}"::formatted)
        .toList()
        .toString()
        .transform("{\"role\":\"user\",\"content\":%s}"::formatted);
  }

  private static JsonNode request(String... messages) {
    return Json.text("{\"messages\":%s}".formatted(List.of(messages))).tree();
  }

  private static JsonNode response(String... items) {
    return Json.text("{\"input\":%s}".formatted(List.of(items))).tree();
  }

  private static void assertFaulty(JsonNode... requests) {
    assertThatThrownBy(() -> Answered.assertEveryCall(List.of(requests)))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void takesCallsThatAreAnsweredOnceInTheirOrder() {
    Answered.assertEveryCall(List.of(request(USER), request(USER, CALLS, A, B, USER)));
    Answered.assertEveryCall(List.of(request(USER), request(USER, BLOCKS, results("a", "b"))));
    Answered.assertEveryCall(
        List.of(
            response(USER),
            response(
                USER,
                ITEM_A,
                ITEM_B,
                "{\"type\":\"function_call_output\",\"call_id\":\"a\"}",
                "{\"type\":\"function_call_output\",\"call_id\":\"b\"}",
                USER)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "b a", "a b a", "a a b", "a b c"})
  void findsResultsThatAreMissingTwiceThereOrOutOfOrder(String ids) {
    String[] each = ids.split(" ");
    String[] messages = {USER, BLOCKS, results(each), USER};
    assertFaulty(request(messages));
    Stream<String> tools =
        Stream.of(each).map("{\"role\":\"tool\",\"tool_call_id\":\"%s\"}"::formatted);
    String[] chat =
        Stream.of(Stream.of(USER, CALLS), tools, Stream.of(USER))
            .flatMap(part -> part)
            .toArray(String[]::new);
    assertFaulty(request(chat));
    Stream<String> outputs =
        Stream.of(each).map("{\"type\":\"function_call_output\",\"call_id\":\"%s\"}"::formatted);
    String[] input =
        Stream.of(Stream.of(USER, ITEM_A, ITEM_B), outputs, Stream.of(USER))
            .flatMap(part -> part)
            .toArray(String[]::new);
    assertFaulty(response(input));
  }

  @Test
  void findsCallsWithoutResultsAndResultsApartFromTheirCalls() {
    assertFaulty(request(USER, CALLS));
    assertFaulty(request(USER, BLOCKS));
    assertFaulty(request(USER, CALLS, A, USER, B));
    assertFaulty(request(USER, BLOCKS, results("a"), results("b")));
    assertFaulty(request(USER, A));
  }

  @Test
  void findsIdsThatComeTwiceAndCallsThatWereLost() {
    assertFaulty(request(USER, CALLS, A, B, CALLS, A, B));
    assertFaulty(request(USER, CALLS, A, B), request(USER));
  }
}
