package dev.switchboard.server.dialect;

import static dev.switchboard.tool.ToolMode.EXTERNAL;
import static dev.switchboard.tool.ToolMode.LOCAL;

import dev.switchboard.consent.Answer;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A stream that every dialect has a golden file of.
///
/// @param first the case whose events the client knows, null for none
/// @param before how many events these are
record Case(String name, @Nullable String first, int before, List<Event.Logged> events) {
  static Stream<Case> all() {
    return Stream.of(rows(), endings(), consents(), texts()).flatMap(part -> part);
  }

  private static Case of(String name, Consumer<Log> telling) {
    Log log = new Log().said("u1", "Cancel it.");
    telling.accept(log);
    return new Case(name, null, 0, log.events);
  }

  private static Case after(String name, String first, Consumer<Log> telling) {
    Log log = new Log().said("u1", "Cancel it.");
    (first.equals("pending") ? pending(log) : twoPending(log)).run("a1");
    int before = log.events.size();
    telling.accept(log);
    return new Case(name, first, before, log.events);
  }

  List<Event.Logged> known() {
    return events.subList(0, before);
  }

  List<Event.Logged> told() {
    return events.subList(before, events.size());
  }

  @Override
  public String toString() {
    return name;
  }

  private static Stream<Case> rows() {
    ToolResult failed =
        ToolResult.failure(ResultCode.FAILED, "The service failed.").text("It failed.").build();
    ToolResult refused =
        ToolResult.failure(ResultCode.UNKNOWN_TOOL, "There is no tool 'chek'.").build();
    return Stream.of(
        of("words", log -> log.words("Yes, ").words("at half past seven.").done("end_turn")),
        of("empty_words", log -> log.words("").call("c1").result("c1").words("").done("end_turn")),
        of(
            "call",
            log ->
                log.words("Let me look.").call("c1").result("c1").words("Yes.").done("end_turn")),
        of("call_without_words", log -> log.call("c1").result("c1").done("tool_rule")),
        of(
            "result_of_text",
            log -> log.call("c1").result("c1", ToolResult.ok("free")).done("end_turn")),
        of(
            "failed_call",
            log -> log.call("c1").result("c1", failed).words("Sorry.").done("end_turn")),
        of(
            "refused_call",
            log -> log.call("c1", "chek", "{}", null).result("c1", refused).done("end_turn")),
        of(
            "call_with_broken_arguments",
            log ->
                log.call("c1", "check", "{\"a\":", EXTERNAL)
                    .result("c1", refused)
                    .done("end_turn")),
        of(
            "call_with_no_arguments",
            log -> log.call("c1", "check", "", EXTERNAL).result("c1").done("end_turn")),
        of("auto_call", log -> log.own("auto_1").result("auto_1").words("Hello.").done("end_turn")),
        of(
            "nested_call",
            log ->
                log.call("c1")
                    .own("c1.1.1")
                    .result("c1.1.1")
                    .result("c1")
                    .words("Yes.")
                    .done("end_turn")),
        of(
            "two_calls_out_of_order",
            log ->
                log.words("Both.")
                    .call("c1")
                    .call("c2")
                    .result("c2")
                    .result("c1")
                    .words("Done.")
                    .done("end_turn")),
        of(
            "two_rounds",
            log ->
                log.words("One.")
                    .call("c1")
                    .result("c1")
                    .call("c2")
                    .result("c2")
                    .words("Two.")
                    .done("end_turn")),
        of(
            "words_within_a_call",
            log -> log.call("c1").words("A message.").result("c1").words("Sent.").done("end_turn")),
        of(
            "hints",
            log ->
                log.call("c1")
                    .reassured("c1", "One moment...")
                    .hint("c1", "Half.")
                    .result("c1")
                    .done("end_turn")),
        of(
            "hint_after_the_result",
            log -> log.call("c1").result("c1").hint("c1", "Late.").done("end_turn")),
        of(
            "agent",
            log ->
                log.agent("conversation_started", null)
                    .agent("reminder", Json.text("{\"text\":\"Call init first.\"}"))
                    .words("Yes.")
                    .done("end_turn")),
        of(
            "restarted_reply",
            log -> log.words("Half a").restarted(2).words("A whole reply.").done("end_turn")),
        of(
            "restarted_in_second_round",
            log ->
                log.call("c1")
                    .result("c1")
                    .words("Ha")
                    .words("lf")
                    .restarted(4)
                    .words("Whole.")
                    .done("end_turn")));
  }

  private static Stream<Case> endings() {
    return Stream.of(
        of("usage", log -> log.words("Yes.").doneWithUsage("end_turn")),
        of(
            "terminal_result",
            log ->
                log.call("c1")
                    .result(
                        "c1",
                        ToolResult.builder(true)
                            .terminal(true)
                            .message("Booked.")
                            .text("ok")
                            .build())
                    .words("Booked.")
                    .done("terminal_result")),
        of(
            "max_iterations",
            log ->
                log.call("c1")
                    .result("c1")
                    .tell(new Event.BudgetExhausted("I have to stop here.", "max_iterations"))
                    .doneWithUsage("max_iterations")),
        of(
            "max_iterations_after_words",
            log ->
                log.words("Let me look.")
                    .call("c1")
                    .result("c1")
                    .tell(new Event.BudgetExhausted("I have to stop here.", "max_iterations"))
                    .done("max_iterations")),
        of(
            "budget",
            log ->
                log.words("Let me look.")
                    .call("c1")
                    .result("c1")
                    .tell(
                        new Event.BudgetExhausted(
                            "My budget is used up.", "budget", Map.of("scope", Json.of("day"))))
                    .done("budget")),
        of(
            "set_aside",
            log ->
                log.call("c1")
                    .result("c1")
                    .failed("The process has died too often.", "set_aside")
                    .done("cancelled")),
        of(
            "cut",
            log -> log.words("Half").agent("incomplete_reply", reason("length")).done("end_turn")),
        of(
            "filtered",
            log ->
                log.words("Half").agent("incomplete_reply", reason("filtered")).done("end_turn")),
        of(
            "cut_and_on",
            log ->
                log.words("Half")
                    .agent("incomplete_reply", reason("length"))
                    .call("c1")
                    .result("c1")
                    .words("Whole.")
                    .done("end_turn")),
        of(
            "model_timeout",
            log ->
                log.words("Let me")
                    .tell(
                        new Event.BudgetExhausted(
                            "The language model did not answer in time.", "model_timeout"))
                    .done("model_timeout")),
        of(
            "model_error",
            log ->
                log.words("Let me")
                    .failed("First.", "not_stored")
                    .failed("The language model cannot be reached just now.", "model_error")
                    .done("model_error")),
        of(
            "error_and_on",
            log ->
                log.failed("A result is not stored yet.", "not_stored")
                    .words("Yes.")
                    .done("end_turn")),
        of(
            "cancelled",
            log ->
                log.words("Let me")
                    .call("c1")
                    .result("c1", ToolResult.failure(ResultCode.CANCELLED, "Cancelled.").build())
                    .done("cancelled")),
        of("cancelled_before_words", log -> log.done("cancelled")));
  }

  private static Json reason(String word) {
    return Json.of(Codec.object().put("reason", word));
  }

  private static Log pending(Log log) {
    return log.words("I cancel it.")
        .call("c1", "cancel_reservation", "{\"reservation\":\"R1\"}", EXTERNAL)
        .ask("c1")
        .done("consent_pending");
  }

  private static Log twoPending(Log log) {
    return log.call("c1", "cancel_reservation", "{\"reservation\":\"R1\"}", EXTERNAL)
        .ask("c1")
        .call("c2")
        .call("c3", "cancel_reservation", "{\"reservation\":\"R3\"}", EXTERNAL)
        .ask("c3")
        .result("c2")
        .done("consent_pending");
  }

  private static Stream<Case> consents() {
    ToolResult denied =
        ToolResult.failure(ResultCode.CONSENT_DENIED, "The user declined.")
            .text("Declined.")
            .build();
    ToolResult late = ToolResult.failure(ResultCode.CONSENT_TIMEOUT, "No one answered.").build();
    Answer edited = Answer.approveOnce().with(Json.text("{\"reservation\":\"R2\"}"));
    ToolCall question = ToolCall.of("c1.1.1", "cancel_reservation", "{}");
    return Stream.of(
        of("pending", Case::pending),
        of("two_pending", Case::twoPending),
        after(
            "approved",
            "pending",
            log ->
                log.answer("c1", Answer.approveOnce())
                    .result("c1")
                    .words("It is cancelled.")
                    .done("end_turn")),
        after(
            "edited",
            "pending",
            log ->
                log.answer("c1", edited)
                    .hint("c1", "Half.")
                    .result("c1")
                    .words("R2 is cancelled.")
                    .done("end_turn")),
        after(
            "denied",
            "pending",
            log ->
                log.answer("c1", Answer.deny("not now"))
                    .result("c1", denied)
                    .words("Then not.")
                    .done("end_turn")),
        after(
            "expired",
            "pending",
            log ->
                log.unanswered("c1").result("c1", late).words("No one answered.").done("end_turn")),
        after(
            "one_of_two_answered",
            "two_pending",
            log -> log.answer("c3", Answer.approveAlways()).result("c3").done("consent_pending")),
        after(
            "both_answered",
            "two_pending",
            log ->
                log.answer("c1", edited)
                    .answer("c3", Answer.approveFor(Duration.ofMinutes(10)))
                    .result("c3")
                    .result("c1")
                    .words("Both.")
                    .done("end_turn")),
        of(
            "answered_in_another_dialect",
            log ->
                log.call("c1", "cancel_reservation", "{\"reservation\":\"R1\"}", EXTERNAL)
                    .ask("c1")
                    .call("c2")
                    .answer("c1", edited)
                    .result("c1")
                    .result("c2")
                    .words("Done.")
                    .done("end_turn")),
        of(
            "handler_asks",
            log ->
                log.call("c1", "shell_run", "{}", LOCAL)
                    .ask("c1.1.1", question)
                    .answer("c1.1.1", Answer.approveOnce())
                    .result("c1")
                    .done("end_turn")));
  }

  private static Stream<Case> texts() {
    String strange =
        "a\nb\r\nc\td\u2028e\u2029f\u0085g \"h\" \\ \u0000 \uD83D\uDE00 \uD83D i \uDE00";
    Json large = Json.of(Codec.object().put("rows", "x".repeat(1_100_000)));
    return Stream.of(
        of(
            "strange_texts",
            log ->
                log.words(strange)
                    .call("c1", "check", "{\"a\":\"\u2028\"}", EXTERNAL)
                    .hint("c1", strange)
                    .result("c1", ToolResult.ok(strange))
                    .failed(strange, "not_stored")
                    .done("end_turn")),
        of(
            "data_of_a_mebibyte",
            log ->
                log.call("c1")
                    .result("c1", ToolResult.builder(true).text("cut").data(large).build())
                    .done("end_turn")),
        of(
            "unknown_events",
            log ->
                log.tell(new Event.Keepalive())
                    .tell(Json.text("{\"type\":\"later\",\"payload\":null}"))
                    .tell(Json.text("17"))
                    .words("Yes.")
                    .done("end_turn")));
  }
}
