package dev.switchboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.guard.Guards.Report;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.loop.Sentences;
import dev.switchboard.rule.Guardrail.Place;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.Reassurance;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Holds `docs/reference/events.md` and `docs/reference/results.md` to the words on the wire.
class WordsPageTest {
  private static final ConsentRequest REQUEST =
      new ConsentRequest(
          "caller-42",
          ToolCall.of("c1", "shell_run", "{}"),
          ToolMode.LOCAL,
          List.of(
              new ConsentRequest.Demand(
                  "shell_run needs your approval: it acts on this machine (mode local).",
                  null,
                  Json.EMPTY_OBJECT,
                  "mode local")),
          Instant.parse("2026-01-01T12:05:00Z"));

  private static final ConsentAnswer ANSWER =
      ConsentAnswer.of(
          "c1",
          Answer.approveOnce().with(Json.text("{\"dry\":true}")).by("zoe"),
          "host",
          Instant.parse("2026-01-01T12:01:30Z"));
  private static final ConsentAnswer CLOSED =
      ConsentAnswer.none("c2", ResultCode.CONSENT_TIMEOUT, Instant.parse("2026-01-01T12:05:00Z"));

  private static final List<Event> EVENTS =
      List.of(
          new Event.Content("Yes, at half past seven."),
          new Event.ToolCalled(
              new ToolCall("c1", "check_table", Json.text("{\"partySize\":4}")),
              false,
              ToolMode.EXTERNAL),
          new Event.ToolCalled(
              new ToolCall("c1.1.1", "rank", Json.EMPTY_OBJECT), true, ToolMode.EXTERNAL),
          new Event.ToolCalled(ToolCall.of("c2", "chek_table", "{}"), false, null),
          Event.LoaderHint.progress("c1", "Looking at 19:30"),
          Event.LoaderHint.reassurance(
              "c1", new Reassurance("Let me check the book...", Duration.ofMillis(800))),
          new Event.ToolSettled(
              ToolResult.ok(Json.text("{\"free\":[\"T4\"]}")).toBuilder().callId("c1").build(),
              "check_table"),
          new Event.Failed(
              "Line 3 was not taken: a tool call must be a JSON object.",
              "bad_line",
              Map.of("line", Json.of(3))),
          new Event.Failed(
              "The result of call 'c1' is not stored yet: the store does not take it. It is written"
                  + " as soon as the store answers.",
              "not_stored",
              Map.of("callId", Json.of("c1"))),
          new Event.Failed(
              "The language model cannot be reached just now. Please try again later.",
              "model_error",
              Map.of("cause", Json.of("unavailable"))),
          new Event.Failed(
              "The language model's service refused the request. Trying again will not help: the"
                  + " operator of this assistant has to look into it.",
              "model_error",
              Map.of("cause", Json.of("refused"))),
          new Event.Failed(
              "The language model did not answer in the form that was asked for.",
              "invalid_reply",
              Map.of(
                  "faults",
                  Json.text(
                      "[{\"pointer\":\"\",\"expected\":\"a JSON object and nothing else\","
                          + "\"found\":\"other words\"}]"))),
          new Event.Failed(
              "Answer the request for consent to 'pay' first.", "consent_pending", Map.of()),
          new Event.BudgetExhausted(
              "I have to stop here: this takes more than 10 steps, which is my limit.",
              "max_iterations"),
          new Event.BudgetExhausted(
              "The language model did not answer in time. Please try again.", "model_timeout"),
          new Event.BudgetExhausted(
              "I have to stop here: my budget is used up.", "budget", exhausted()),
          new Event.AgentEvent(
              "conversation_started", Json.text("{\"conversation\":\"caller-42\"}")),
          new Event.AgentEvent("conversation_started", null),
          new Event.AgentEvent("consent_request", REQUEST.json()),
          new Event.AgentEvent(
              "consent_request",
              REQUEST
                  .with(new ConsentRequest.Begun(Instant.parse("2026-01-01T12:00:00Z"), false))
                  .json()),
          new Event.AgentEvent("consent_answer", ANSWER.json()),
          new Event.AgentEvent("consent_answer", CLOSED.json()),
          new Event.AgentEvent(
              "reminder",
              Json.text("{\"text\":\"Call init first: every other tool is refused until then.\"}")),
          new Event.AgentEvent(
              "model_retry",
              Json.text("{\"attempt\":2,\"of\":3,\"after_ms\":500,\"reason\":\"unavailable\"}")),
          new Event.AgentEvent("incomplete_reply", Json.text("{\"reason\":\"length\"}")),
          new Event.AgentEvent(
              "model_fallback",
              Json.text(
                  "{\"from\":\"openai:gpt-6-luna\",\"to\":\"anthropic:claude-haiku-5-5\","
                      + "\"reason\":\"unavailable\"}")),
          Sentences.compacted(104_000, 61_000, 14, 6),
          Sentences.droppedReasoning("refused"),
          new Event.AgentEvent(
              "invalid_reply",
              Json.text(
                  "{\"attempt\":1,\"faults\":[{\"pointer\":\"/total\",\"expected\":\"integer\","
                      + "\"found\":\"missing\"}]}")),
          new Report("card_number", Place.OUTPUT, "redact", 1, null, null).event(),
          new Report(
                  "card_number",
                  Place.RESULT,
                  "redact",
                  2,
                  null,
                  new ToolCall("call_1_1_1", "look_up", Json.EMPTY_OBJECT))
              .event(),
          new Report("polite", Place.OUTPUT, "allow", 0, "it took more than 5000 ms", null).event(),
          new Event.AgentEvent(
              "user", Json.text("{\"id\":\"message-1\",\"text\":\"A table for four?\"}")),
          new Event.AgentEvent(
              "user",
              Json.text(
                  "{\"id\":\"message-2\",\"text\":\"This one.\",\"files\":[{\"type\":\"image/png\","
                      + "\"size\":12345,\"name\":\"table.png\"}]}")),
          new Event.AgentEvent("run", Json.text("{\"id\":\"run-1\",\"input\":\"message-1\"}")),
          new Event.AgentEvent(
              "retry",
              Json.text(
                  "{\"taskId\":\"call_1_1_1\",\"attempt\":1,\"cause\":\"HTTP"
                      + " 503\",\"pauseMs\":500}")),
          new Event.AgentEvent("reply_restarted", Json.text("{\"from\":12}")),
          new Event.Keepalive(),
          new Event.Done(Json.text("{\"stopReason\":\"end_turn\"}")),
          new Event.Done(
              Json.text(
                  "{\"stopReason\":\"end_turn\",\"unmet\":[\"save_results\"],"
                      + "\"usage\":{\"input\":812,\"output\":64}}")),
          new Event.Done(
              Json.text(
                  "{\"stopReason\":\"end_turn\",\"usage\":{\"input\":4812,\"output\":64,"
                      + "\"cache_read\":4000,\"cache_written\":700}}")),
          new Event.Done(
              Json.text(
                  "{\"stopReason\":\"end_turn\",\"usage\":{\"input\":1500,\"output\":110,"
                      + "\"reasoning\":40,\"models\":{\"anthropic:claude-haiku-5-5\":"
                      + "{\"input\":1000,\"output\":100,\"reasoning\":40},"
                      + "\"openai:gpt-6-luna\":{\"input\":500,\"output\":10}},"
                      + "\"cost\":0.0205}}")));

  private static Map<String, Json> exhausted() {
    Map<String, Json> members = new LinkedHashMap<>();
    members.put("scope", Json.of("turn"));
    members.put("limit", Json.text("{\"tokens\":1}"));
    members.put("spent", Json.text("{\"tokens\":0}"));
    return members;
  }

  private static final ToolResult FULL =
      ToolResult.builder(false)
          .callId("c1")
          .terminal(true)
          .needsFollowup(true)
          .nextAction("call back")
          .message("Sorry.")
          .error("busy")
          .code(ResultCode.FAILED)
          .circuitState("open")
          .retryAfterMs(1)
          .violation("FORBIDDEN")
          .faults(List.of(new Fault("/n", "integer", "missing")))
          .data(Json.EMPTY_OBJECT)
          .text("{}")
          .truncated(true)
          .build();

  @Test
  void showsEachEventAsItIsWritten() throws IOException {
    List<String> shown =
        Page.named("docs/reference/events.md").blocks().stream()
            .filter(block -> block.is("json"))
            .flatMap(block -> block.lines().stream())
            .toList();

    assertThat(shown)
        .containsExactlyElementsOf(EVENTS.stream().map(event -> event.json().text()).toList());
    assertThat(EVENTS.stream().<Class<?>>map(Event::getClass).distinct())
        .containsExactlyInAnyOrder(Event.class.getPermittedSubclasses());
  }

  @Test
  void namesEveryMemberOfAResult() throws IOException {
    List<String> named =
        Page.named("docs/reference/results.md").rows().stream()
            .filter(row -> row.size() == 3 && row.getFirst().startsWith("`"))
            .map(row -> row.getFirst().replace("`", ""))
            .toList();

    assertThat(named).containsExactlyElementsOf(FULL.json().tree().propertyNames());
    assertThat(named).hasSize(ToolResult.class.getRecordComponents().length - 1);
  }

  @Test
  void readsAResultOfAllItsMembers() {
    assertThat(ToolResult.read(FULL.json())).isEqualTo(FULL);
  }
}
