package dev.switchboard.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.handler.Tool;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.rule.ToolRule;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What nests deep is shown and stored all the same, whatever wraps it.
class DeepPartsTest {
  private static final int MOST = Codec.MAX_PART_DEPTH;

  private final List<JsonNode> events = new ArrayList<>();
  private final List<Json> ran = new ArrayList<>();
  private final KeptConversations store = new KeptConversations();
  private final ToolSession session =
      ToolSession.builder("c")
          .store(store)
          .events(event -> events.add(event.json().tree()))
          .build();

  /// An object of that many levels.
  private static Json deep(int levels) {
    return Json.text("{\"a\":" + "[".repeat(levels - 1) + "]".repeat(levels - 1) + "}");
  }

  private final Tool echo =
      Tool.dynamic("update_echo", "{\"type\":\"object\"}")
          .handler(arguments -> {
            ran.add(arguments);
            return arguments;
          });

  private List<String> told() {
    return events.stream()
        .map(event -> event.path("event").asString(event.path("type").asString()))
        .toList();
  }

  @Test
  void argumentsAsDeepAsTheyMayBeAreShownAndStored() {
    ToolResult result =
        ToolExecutor.of(echo).execute(new ToolCall("c1", "update_echo", deep(MOST)), session);

    assertThat(ran).containsExactly(deep(MOST));
    assertThat(result.data()).isEqualTo(deep(MOST));
    assertThat(told()).containsExactly("tool_call", "tool_result");
    assertThat(events.getFirst().path("payload").path("arguments")).isEqualTo(deep(MOST).tree());
    assertThat(store.settledCall("c", "c1")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {MOST + 1, Codec.MAX_DEPTH - 1, Codec.MAX_DEPTH, Codec.MAX_DEPTH + 1, 5_000})
  void deeperArgumentsAreRefusedBeforeAnythingRuns(int levels) {
    ToolResult result =
        ToolExecutor.of(echo).execute(new ToolCall("c1", "update_echo", deep(levels)), session);

    assertThat(result.code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(result.error()).contains("at most " + MOST + " levels of nesting");
    assertThat(ran).isEmpty();
    assertThat(told()).containsExactly("tool_call", "tool_result");
    assertThat(events.getFirst().path("payload").path("arguments").asString())
        .isEqualTo(deep(levels).text());
    assertThat(store.settledCall("c", "c1")).isNotNull();
  }

  @Test
  void aCallThatWaitsIsShownAndStored() {
    ToolExecutor executor = asking().build();

    CallStep step =
        executor
            .submitAll(List.of(new ToolCall("c1", "update_echo", deep(MOST))), session)
            .getFirst();

    assertThat(step).isInstanceOf(CallStep.Pending.class);
    assertThat(told()).containsExactly("tool_call", "consent_request");
    assertThat(executor.decide("c1", Answer.approveOnce().with(deep(MOST - 1)), session)).isTrue();
    assertThat(executor.settleDecided(session)).hasSize(1);
    assertThat(ran).containsExactly(deep(MOST - 1));
    assertThat(told())
        .containsExactly("tool_call", "consent_request", "consent_answer", "tool_result");
  }

  @ParameterizedTest
  @ValueSource(ints = {MOST + 1, Codec.MAX_DEPTH, 5_000})
  void argumentsOfAnApproverThatAreTooDeepAreRefused(int levels) {
    ToolExecutor executor =
        asking().approver(request -> Answer.approveOnce().with(deep(levels))).build();

    ToolResult result = executor.execute(ToolCall.of("update_echo", "{}"), session);

    assertThat(result.code()).isEqualTo(ResultCode.INVALID_ARGUMENTS);
    assertThat(ran).isEmpty();
    assertThat(told())
        .containsExactly("tool_call", "consent_request", "consent_answer", "tool_result");
  }

  private ToolExecutorBuilder asking() {
    return ToolExecutor.builder().tools(echo).rules(ToolRule.consent("update_echo"));
  }

  @Test
  void aDeeperResultIsTextAlone() {
    Json answer = deep(MOST + 1);
    Tool tool = Tool.dynamic("get_deep").handler(arguments -> answer);
    ToolResult result =
        ToolExecutor.of(tool).execute(new ToolCall("c1", "get_deep", Json.EMPTY_OBJECT), session);

    assertThat(result.success()).isTrue();
    assertThat(result.data()).isNull();
    assertThat(result.text()).isEqualTo(answer.text());
    assertThat(told()).containsExactly("tool_call", "tool_result");
    assertThat(store.settledCall("c", "c1")).isNotNull();
  }

  @Test
  void membersOfAResultThatAreDeeperAreTextAlone() {
    Json answer =
        Json.text(
            "{\"success\":false,\"error\":\"no\",\"why\":%s,\"more\":%s}"
                .formatted(deep(MOST + 1), deep(3)));
    Tool tool = Tool.dynamic("get_deep").handler(arguments -> answer);
    ToolResult result =
        ToolExecutor.of(tool).execute(new ToolCall("c1", "get_deep", Json.EMPTY_OBJECT), session);

    assertThat(result.success()).isFalse();
    assertThat(result.more()).containsOnlyKeys("more");
    assertThat(result.text()).contains(deep(MOST + 1).text());
    assertThat(told()).containsExactly("tool_call", "tool_result");
  }

  @Test
  void whatAModelReadsAgainIsNotDeeper() {
    for (int levels : new int[] {MOST, MOST + 1}) {
      RequestedCall call = new RequestedCall("c1", "x", deep(levels), deep(levels));
      RequestedCall read = new Message.Assistant("", List.of(call)).calls().getFirst();
      boolean fits = levels == MOST;
      assertThat(read.arguments()).isEqualTo(fits ? deep(levels) : Json.EMPTY_OBJECT);
      assertThat(read.extra()).isEqualTo(fits ? deep(levels) : null);
    }
  }

  @Test
  void anAnswerThatIsNotJsonIsTold() {
    Answer answer = Answer.approveOnce().with(Json.text("{"));
    ConsentAnswer told = ConsentAnswer.of("c1", answer, "host", Instant.EPOCH);
    assertThat(told.json().tree().path("arguments").asString()).isEqualTo("{");
  }

  @Test
  void bracketsInTextAreNotLevels() {
    assertThat(Json.of("\"[".repeat(500)).nestsTooDeep()).isFalse();
    assertThat(Json.of(List.of("\\", "{".repeat(500))).nestsTooDeep()).isFalse();
    assertThat(Json.text("[]".repeat(500)).nestsTooDeep()).isFalse();
    assertThat(deep(MOST).nestsTooDeep()).isFalse();
    assertThat(deep(MOST + 1).nestsTooDeep()).isTrue();
  }
}
