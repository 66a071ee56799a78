package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.handler.Tool;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// After three identical successes in a turn the next call is answered with a hint.
class RepeatGuardTest extends ManualCalls {
  private static final String PARAMETERS =
      """
      {"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},
       "fails":{"type":"boolean"}}}\
      """;

  private static final ToolResult SEEN = ToolResult.ok("seen");

  private int ids;

  private Tool look(int limit) {
    return Tool.dynamic("look", PARAMETERS)
        .mode(ToolMode.EXTERNAL)
        .inline()
        .repeatLimit(limit)
        .handler(arguments -> {
          runs.incrementAndGet();
          if (arguments.text().contains("true")) {
            throw ToolException.permanent("no");
          }
          return "seen";
        });
  }

  private ToolResult call(ToolExecutor executor, String tool, String arguments) {
    ids++;
    return executor.execute(ToolCall.of("i" + ids, tool, arguments), session);
  }

  private void hint(ToolExecutor executor, String arguments) {
    int before = runs.get();
    ToolResult result = call(executor, "look", arguments);
    assertThat(result.code()).isEqualTo(ResultCode.REPEATED_CALL);
    assertThat(result.error()).contains("use the result you have");
    assertThat(runs).hasValue(before);
  }

  private void runs(ToolExecutor executor, String arguments) {
    assertThat(call(executor, "look", arguments).success()).isTrue();
  }

  @Test
  void holdsWithinOneRoundOfCallsThatMayOverlap() {
    List<ToolCall> calls =
        Stream.of(
                "{\"a\":1,\"b\":\"x\"}",
                "{\"a\":2}",
                "{\"b\":\"x\",\"a\":1}",
                "{\"a\":1,\"b\":\"x\"}")
            .map(arguments -> ToolCall.of("r" + ids++, "look", arguments))
            .toList();
    List<ToolResult> results = executor(look(2)).executeAll(calls, session);

    assertThat(results).extracting(ToolResult::success).containsExactly(true, true, true, false);
    assertThat(results.getLast().code()).isEqualTo(ResultCode.REPEATED_CALL);
    assertThat(runs).hasValue(3);
  }

  /// Their digests, which take as long as a call, are made only for what may be the same.
  @Test
  void tellsArgumentsApartByTheOrderOfTheirCharacters() {
    assertThat(IntStream.range(0, 10_000).mapToObj(i -> Json.text("{\"order\":\"" + i + "\"}")))
        .extracting(Repeats::hash)
        .doesNotHaveDuplicates();
  }

  @Test
  void tellsLettersOfAllScriptsApart() {
    assertThat(
            IntStream.range(0x400, 0x500)
                .mapToObj(i -> Json.text("{\"name\":\"" + (char) i + "\"}")))
        .extracting(Repeats::hash)
        .doesNotHaveDuplicates();
  }

  @Test
  void hashesWhatIsTheSameAlike() {
    assertThat(
            Stream.of(
                "{\"a\":{\"b\":[1,-2.5],\"c\":\"x y\"},\"d\":\"\u20ac\"}",
                "{\"d\":\"\u20ac\",\"a\":{\"c\":\"x y\",\"b\":[1,-2.5]}}",
                "{ \"d\" : \"\u20ac\" ,\r\n\t\"a\": {\"b\": [ 1, -2.5 ], \"c\": \"x y\"}}\n"))
        .map(Json::text)
        .map(Repeats::hash)
        .containsOnly(
            Repeats.hash(Json.text("{\"a\":{\"c\":\"x y\",\"b\":[1,-2.5]},\"d\":\"\u20ac\"}")));
  }

  @Test
  void hintsAfterThreeSuccessesWhateverTheOrderAndTheSpace() {
    ToolExecutor executor = executor(look(3));
    runs(executor, "{\"a\":1,\"b\":\"x\"}");
    runs(executor, "{\"b\":\"x\",\"a\":1}");
    runs(executor, "{ \"b\" : \"x\",\n \"a\" : 1 }");
    hint(executor, "{\"a\":1, \"b\":\"x\"}");
    runs(executor, "{\"a\":2,\"b\":\"x\"}");
    // A hint does not count as a success, and stays.
    hint(executor, "{\"a\":1,\"b\":\"x\"}");
  }

  @Test
  void countsNoFailures() {
    ToolExecutor executor = executor(look(3));
    for (int i = 0; i < 5; i++) {
      assertThat(call(executor, "look", "{\"fails\":true}").code()).isEqualTo(ResultCode.FAILED);
    }
    assertThat(runs).hasValue(5);
  }

  /// A tool whose result is read from the list, one after the other.
  private static Tool poll(String... results) {
    AtomicInteger next = new AtomicInteger();
    return Tool.dynamic("look", PARAMETERS)
        .mode(ToolMode.EXTERNAL)
        .inline()
        .handler(arguments -> {
          String result = results[next.getAndIncrement() % results.length];
          if (result.equals("down")) {
            throw ToolException.permanent("no");
          }
          return result;
        });
  }

  private List<ResultCode> polled(ToolExecutor executor, int times) {
    return IntStream.range(0, times).mapToObj(i -> call(executor, "look", "{}").code()).toList();
  }

  @Test
  void lookingAtWhatChangesIsNotARepeat() {
    String[] states =
        IntStream.range(0, 9).mapToObj(i -> "running " + i + "0%").toArray(String[]::new);
    assertThat(polled(executor(poll(states)), 9)).containsOnlyNulls();
  }

  @Test
  void aDifferentResultBeginsTheCountAgain() {
    String long1 = "x".repeat(2000);
    String long2 = long1 + "y";
    assertThat(polled(executor(poll("a", "a", "b", "b", "b", "no")), 6))
        .containsExactly(null, null, null, null, null, ResultCode.REPEATED_CALL);
    session.nextTurn();
    assertThat(polled(executor(poll("a", "b")), 8)).containsOnlyNulls();
    session.nextTurn();
    assertThat(polled(executor(poll(long1, long2)), 8)).containsOnlyNulls();
  }

  @Test
  void countsLongResultsByTheirDigest() {
    assertThat(polled(executor(poll("x".repeat(2000))), 4))
        .containsExactly(null, null, null, ResultCode.REPEATED_CALL);
  }

  @Test
  void aFailureOfTheToolIsADifferentResult() {
    assertThat(polled(executor(poll("a", "a", "down", "a", "a", "a", "no")), 7))
        .containsExactly(null, null, ResultCode.FAILED, null, null, null, ResultCode.REPEATED_CALL);
  }

  @Test
  void otherCallsBetweenThemAreNotLookedAt() {
    ToolExecutor executor = executor(poll("a"));
    for (int i = 0; i < 3; i++) {
      assertThat(call(executor, "look", "{}").success()).isTrue();
      assertThat(call(executor, "look", "{\"a\":" + i + "}").success()).isTrue();
      assertThat(call(executor, "look", "{\"a\":\"no number\"}").success()).isFalse();
    }
    assertThat(call(executor, "look", "{}").code()).isEqualTo(ResultCode.REPEATED_CALL);
  }

  @Test
  void lookingGoesOnAfterARestart() {
    KeptConversations store = new KeptConversations();
    ToolExecutor executor = executor(poll("10%", "20%", "30%", "40%", "40%", "40%", "no"));
    for (int i = 0; i < 7; i++) {
      try (ToolSession again = ToolSession.builder("c").store(store).build()) {
        ToolResult result = executor.execute(ToolCall.of("i" + i, "look", "{}"), again);
        assertThat(result.code()).isEqualTo(i < 6 ? null : ResultCode.REPEATED_CALL);
      }
    }
  }

  @Test
  void resultsWithoutATextCountAsEqual() {
    Repeats repeats = new Repeats();
    ToolResult earlier = ToolResult.builder(true).build();
    repeats.settled(look("{}"), earlier);
    repeats.settled(look("{}"), earlier);
    repeats.settled(look("{}"), SEEN);
    assertThat(repeats.times(look("{}"))).isEqualTo(3);
  }

  @Test
  void holdsInOneRoundWhoseResultsDiffer() {
    List<ToolCall> calls =
        IntStream.range(0, 5).mapToObj(i -> ToolCall.of("r" + i, "look", "{}")).toList();
    assertThat(executor(poll("1", "2", "3", "4", "5")).executeAll(calls, session))
        .extracting(ToolResult::success)
        .containsOnly(true);
  }

  @Test
  void neverHintsWhereItIsOff() {
    ToolExecutor executor = executor(look(0));
    for (int i = 0; i < 10; i++) {
      runs(executor, "{}");
    }
  }

  @Test
  void beginsAnewWithTheTurn() {
    ToolExecutor executor = executor(look(1));
    runs(executor, "{}");
    hint(executor, "{}");
    session.nextTurn();
    runs(executor, "{}");
  }

  @Test
  void countsNoCallsOfTools() {
    Tool outer =
        Tool.dynamic("outer")
            .mode(ToolMode.EXTERNAL)
            .inline()
            .handler((arguments, context) -> {
              for (int i = 0; i < 5; i++) {
                assertThat(context.tools().call("look", Json.EMPTY_OBJECT).success()).isTrue();
              }
              return "done";
            });
    ToolExecutor executor = executor(look(1), outer);
    assertThat(call(executor, "outer", "{}").success()).isTrue();
    assertThat(runs).hasValue(5);
    runs(executor, "{}");
    hint(executor, "{}");
    session.nextTurn();
    runs(executor, "{}");
    assertThat(call(executor, "outer", "{}").success()).isTrue();
  }

  @Test
  void goesOnCountingAfterARestart() {
    KeptConversations store = new KeptConversations();
    ToolExecutor executor = executor(look(1));
    ToolSession before = ToolSession.builder("c").store(store).build();
    assertThat(executor.execute(ToolCall.of("a", "look", "{\"a\":1}"), before).success()).isTrue();
    ToolSession after = ToolSession.builder("c").store(store).build();
    assertThat(executor.execute(ToolCall.of("b", "look", "{\"a\":1}"), after).code())
        .isEqualTo(ResultCode.REPEATED_CALL);
  }

  @Test
  void forgetsTheOldestOfManyCalls() {
    Repeats repeats = new Repeats();
    for (int i = 0; i < 10_000; i++) {
      repeats.settled(look("{\"a\":" + i + "}"), SEEN);
    }
    assertThat(repeats.times(look("{\"a\":9999}"))).isEqualTo(1);
    assertThat(repeats.times(look("{\"a\":0}"))).isZero();
    int known = 0;
    for (int i = 0; i < 10_000; i++) {
      known += repeats.times(look("{\"a\":" + i + "}"));
    }
    assertThat(known).isLessThanOrEqualTo(1000);
  }

  @Test
  void countsTheLatestOfManyCallsWithTheSameLetters() {
    Repeats repeats = new Repeats();
    for (int i = 0; i < 200; i++) {
      String letters = "a".repeat(i) + "b" + "a".repeat(200 - i);
      repeats.settled(look("{\"b\":\"" + letters + "\"}"), SEEN);
    }
    ToolCall latest = look("{\"b\":\"" + "a".repeat(199) + "ba\"}");
    assertThat(repeats.times(latest)).isEqualTo(1);
  }

  @Test
  void forgetsTheOldestOfBigCalls() {
    Repeats repeats = new Repeats();
    for (int i = 0; i < 9; i++) {
      repeats.settled(look("{\"b\":\"" + (i + "c").repeat(500_000) + "\"}"), SEEN);
    }
    assertThat(repeats.times(look("{\"b\":\"" + "0c".repeat(500_000) + "\"}"))).isZero();
    assertThat(repeats.times(look("{\"b\":\"" + "8c".repeat(500_000) + "\"}"))).isEqualTo(1);
  }

  private static ToolCall look(String arguments) {
    return ToolCall.of("look", arguments);
  }
}
