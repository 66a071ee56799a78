package dev.switchboard.server.dialect;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The log of a conversation `t1`, told by hand.
final class Log {
  static final Instant AT = Instant.parse("2026-11-21T23:40:00Z");
  // Later than any client reads this.
  private static final Instant EXPIRES = Instant.parse("2099-11-21T23:43:30Z");

  final List<Event.Logged> events = new ArrayList<>();
  private String run = "u1";

  Log run(String input) {
    run = input;
    return this;
  }

  /// Begins a turn.
  Log said(String input, String text) {
    run = input;
    return agent("user", Json.of(Codec.object().put("id", input).put("text", text)));
  }

  Log tell(Event event) {
    return tell(event.json());
  }

  Log tell(Json event) {
    events.add(new Event.Logged(events.size() + 1, null, run, AT, event));
    return this;
  }

  Log words(String text) {
    return tell(new Event.Content(text));
  }

  Log call(String id, String name, String arguments, ToolMode mode) {
    return tell(new Event.ToolCalled(ToolCall.of(id, name, arguments), false, mode));
  }

  Log call(String id) {
    return call(id, "check_table", "{\"party_size\":4}", ToolMode.READ);
  }

  Log own(String id) {
    return tell(new Event.ToolCalled(ToolCall.of(id, "rank", "{}"), true, ToolMode.EXTERNAL));
  }

  Log result(String id, ToolResult result) {
    return tell(new Event.ToolSettled(result.toBuilder().callId(id).build(), "check_table"));
  }

  Log result(String id) {
    return result(id, ToolResult.ok(Json.text("{\"free\":[\"T4\"]}")));
  }

  Log hint(String id, String text) {
    return tell(Event.LoaderHint.progress(id, text));
  }

  Log ask(String id) {
    return ask(id, ToolCall.of(id, "cancel_reservation", "{\"reservation\":\"R1\"}"));
  }

  Log ask(String id, ToolCall call) {
    ConsentRequest.Demand demand =
        new ConsentRequest.Demand(
            "A rule asks for consent to tool 'cancel_reservation'.",
            "cancellations",
            Json.EMPTY_OBJECT,
            "");
    ConsentRequest request =
        new ConsentRequest("t1", call, ToolMode.EXTERNAL, List.of(demand), EXPIRES);
    return agent("consent_request", request.json());
  }

  Log answer(String id, Answer answer) {
    return agent(ConsentAnswer.EVENT, ConsentAnswer.of(id, answer.by("zoe"), "host", AT).json());
  }

  Log unanswered(String id) {
    return agent(
        ConsentAnswer.EVENT, ConsentAnswer.none(id, ResultCode.CONSENT_TIMEOUT, AT).json());
  }

  Log agent(String event, Json payload) {
    return tell(new Event.AgentEvent(event, payload));
  }

  Log restarted(long from) {
    return agent("reply_restarted", Json.of(Codec.object().put("from", from)));
  }

  Log failed(String message, String code) {
    return tell(new Event.Failed(message, code, Map.of("cause", Json.of("unavailable"))));
  }

  Log reassured(String id, String text) {
    return tell(new Event.LoaderHint(id, text, Duration.ofMillis(800)));
  }

  Log done(String reason) {
    return tell(new Event.Done(Json.of(Codec.object().put("stopReason", reason))));
  }

  Log doneWithUsage(String reason) {
    ObjectNode payload = Codec.object().put("stopReason", reason);
    payload.putObject("usage").put("input", 812).put("output", 64);
    return tell(new Event.Done(Json.of(payload)));
  }
}
