package dev.switchboard.loop;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import dev.switchboard.json.Records;
import dev.switchboard.model.ModelException.Kind;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.LoopDecision;
import dev.switchboard.state.Spending;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.Event;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The messages to the user at the end of a turn, and the events of the loop.
public final class Sentences {
  /// The end of a turn that waits for a person.
  static final Event PENDING =
      new Event.Done(Json.of(Codec.object().put("stopReason", StopReason.CONSENT_PENDING.word())));

  /// The end of a turn whose calls have ended their process too often.
  public static final Event SET_ASIDE =
      new Event.Failed(
          "The turn was ended, since the process that ran it has died too often. The operator of"
              + " this assistant has to look into it.",
          "set_aside",
          Map.of());

  private static final int LONGEST_REASON = 200;

  private Sentences() {}

  /// A waiting request, shown once more.
  static Event asking(ConsentRequest request) {
    return new Event.AgentEvent("consent_request", request.json());
  }

  /// The event that the model is asked again.
  ///
  /// @param attempt the number of the coming one
  /// @param most the maximum
  public static Event asksAgain(int attempt, int most, Duration pause, Kind reason) {
    ObjectNode payload = Codec.object().put("attempt", attempt).put("of", most);
    payload.put("after_ms", Math.max(0, pause.toMillis())).put("reason", reason.word());
    return new Event.AgentEvent("model_retry", Json.of(payload));
  }

  /// The event that a fallback model is asked.
  public static Event asksOther(String failed, String next, Kind reason) {
    ObjectNode payload = Codec.object().put("from", failed).put("to", next);
    return new Event.AgentEvent("model_fallback", Json.of(payload.put("reason", reason.word())));
  }

  /// The event that earlier messages are not sent any more, or without their results.
  ///
  /// @param before the estimated tokens of the request without this
  /// @param after the estimated tokens of the request
  /// @param emptied how many messages have lost results or files
  /// @param dropped how many messages are not sent
  public static Event compacted(long before, long after, int emptied, int dropped) {
    ObjectNode payload = Codec.object().put("before", before).put("after", after);
    payload.put("emptied", emptied).put("dropped", dropped);
    return new Event.AgentEvent("compacted", Json.of(payload));
  }

  /// The event that a provider did not use the reasoning of earlier replies.
  public static Event droppedReasoning(String reason) {
    String words = reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
    return new Event.AgentEvent(
        "reasoning_dropped", Json.of(Codec.object().put("reason", Surrogates.repaired(words))));
  }

  /// The event that the model is asked again for a reply in the requested format.
  static Event asksForForm(LoopDecision.Correct correct) {
    ObjectNode payload = Codec.object().put("attempt", correct.time());
    payload.set("faults", faults(correct.faults()));
    return new Event.AgentEvent("invalid_reply", Json.of(payload));
  }

  private static JsonNode faults(List<Fault> faults) {
    ArrayNode list = Codec.object().arrayNode();
    faults.forEach(fault -> list.add(Records.write(fault).tree()));
    return list;
  }

  /// The end of a turn whose replies did not have the requested format.
  static TranscriptEntry.Closed invalid(List<Fault> faults) {
    StopReason reason = StopReason.INVALID_REPLY;
    String text = text(reason, null, 0);
    return new TranscriptEntry.Closed(reason, text, null, faults);
  }

  /// The event that a reply is incomplete, null if it is complete.
  public static @Nullable Event incomplete(ModelReply reply) {
    boolean whole =
        switch (reply.finish()) {
          case STOP, OTHER -> true;
          case TOOL_CALLS -> !reply.calls().isEmpty();
          case LENGTH, FILTERED -> false;
        };
    return whole ? null : new Event.AgentEvent("incomplete_reply", reason(reply.finish()));
  }

  private static Json reason(ModelReply.FinishReason finish) {
    return Json.of(Codec.object().put("reason", finish.word()));
  }

  /// The end of a turn that was stopped for that reason.
  public static TranscriptEntry.Closed stopped(StopReason reason, int iterations) {
    return TranscriptEntry.Closed.of(reason, text(reason, null, iterations));
  }

  /// The end of a turn because of that limit of the budget.
  public static TranscriptEntry.Closed exhausted(Exhausted limit) {
    return stopped(StopReason.BUDGET, 0).exhausted(limit);
  }

  /// The failure of asking the model in a turn that is set aside.
  public static TranscriptEntry.Failed setAside() {
    return new TranscriptEntry.Failed(
        StopReason.CANCELLED, text(StopReason.CANCELLED, null, 0), null);
  }

  private static String text(StopReason reason, @Nullable Kind cause, int iterations) {
    return switch (reason) {
      case MAX_ITERATIONS ->
          "I have to stop here: this takes more than %d %s, which is my limit."
              .formatted(iterations, iterations == 1 ? "step" : "steps");
      case MODEL_TIMEOUT -> "The language model did not answer in time. Please try again.";
      case MODEL_ERROR -> text(cause == null ? Kind.BROKEN : cause);
      case INVALID_REPLY -> "The language model did not answer in the form that was asked for.";
      case BUDGET -> "I have to stop here: my budget is used up.";
      case CANCELLED -> "Cancelled.";
      case END_TURN, TOOL_RULE, TERMINAL_RESULT, CONSENT_PENDING -> "";
    };
  }

  /// What the user can do: some causes are permanent.
  private static String text(Kind cause) {
    return switch (cause) {
      case RATE_LIMITED, UNAVAILABLE, BROKEN, TIMEOUT, CANCELLED ->
          "The language model cannot be reached just now. Please try again later.";
      case TOO_LONG -> "This is too much text for the language model at once. Please send less.";
      case REFUSED, UNSUPPORTED, NOT_FOUND, DENIED ->
          "The language model's service refused the request. Trying again will not help: the"
              + " operator of this assistant has to look into it.";
      case EMPTY -> "The language model gave no answer. Please try again.";
      case FILTERED ->
          "The language model's provider held the answer back. Please put it in other words.";
    };
  }

  /// The failure of asking the model, with a sentence for the user.
  ///
  /// @param used what models have used all the same, by name
  public static TranscriptEntry.Failed failed(
      StopReason reason, @Nullable Kind cause, Map<String, ModelReply.Usage> used) {
    return new TranscriptEntry.Failed(reason, text(reason, cause, 0), cause, used);
  }

  /// The events of the end of a turn.
  static List<Event> events(TranscriptEntry.Closed closed) {
    String code = closed.reason().word();
    Event done = done(closed);
    return switch (closed.reason()) {
      case MAX_ITERATIONS, MODEL_TIMEOUT ->
          List.of(new Event.BudgetExhausted(closed.text(), code), done);
      case BUDGET -> {
        Exhausted limit = closed.exhausted();
        Map<String, Json> details = limit == null ? Map.of() : limit.members();
        yield List.of(new Event.BudgetExhausted(closed.text(), code, details), done);
      }
      case MODEL_ERROR -> List.of(new Event.Failed(closed.text(), code, cause(closed)), done);
      case INVALID_REPLY ->
          List.of(
              new Event.Failed(
                  closed.text(), code, Map.of("faults", Json.of(faults(closed.faults())))),
              done);
      case END_TURN, TOOL_RULE, TERMINAL_RESULT, CANCELLED, CONSENT_PENDING -> List.of(done);
    };
  }

  private static Map<String, Json> cause(TranscriptEntry.Closed closed) {
    Kind cause = closed.cause();
    return cause == null ? Map.of() : Map.of("cause", Json.of(cause.word()));
  }

  private static Event done(TranscriptEntry.Closed closed) {
    ObjectNode payload = Codec.object().put("stopReason", closed.reason().word());
    closed.unmet().forEach(tool -> payload.withArray("unmet").add(tool));
    if (!closed.usage().equals(ModelReply.Usage.NONE)) {
      payload.set("usage", usage(closed));
    }
    return new Event.Done(Json.of(payload));
  }

  private static JsonNode usage(TranscriptEntry.Closed closed) {
    ObjectNode usage = (ObjectNode) Records.write(closed.usage()).tree().deepCopy();
    new TreeMap<>(closed.models())
        .forEach((name, part) ->
            usage.withObjectProperty("models").set(name, Records.write(part).tree()));
    BigDecimal cost = closed.cost();
    return cost == null ? usage : usage.put("cost", Spending.shown(cost));
  }
}
