package dev.switchboard.server.dialect;

import dev.switchboard.consent.Answer;
import dev.switchboard.json.Json;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ResultCode;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The events of a turn as an agent can tell them, and where its streams begin: rounds of words and
/// calls side by side, consent, answers from elsewhere, hints too late, replies begun again, and
/// any end.
final class RandomTurns {
  private static final String[] TEXTS = {
    "Yes.", "", "a\nb", "\u2028", "\uD83D", "\uDE00 x", "\"quoted\" \\", "\uD83D\uDE00", "\r\n", "0"
  };

  private final Random random;
  private final Log log = new Log().said("u1", "Cancel it.");
  private final List<Integer> starts = new ArrayList<>();
  private int calls;

  private RandomTurns(long seed) {
    random = new Random(seed);
  }

  /// A turn, as cases of which each has the one before as what the client knows.
  static List<Case> of(long seed) {
    RandomTurns turns = new RandomTurns(seed);
    turns.tell();
    List<Case> streams = new ArrayList<>();
    for (int i = 0; i < turns.starts.size(); i++) {
      boolean last = i + 1 == turns.starts.size();
      int end = last ? turns.log.events.size() : turns.starts.get(i + 1);
      List<Event.Logged> told = turns.log.events.subList(0, end);
      streams.add(new Case("seed " + seed + ", stream " + i, null, turns.starts.get(i), told));
    }
    return streams;
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  private boolean rarely(int one) {
    return random.nextInt(one) == 0;
  }

  private void tell() {
    starts.add(0);
    if (rarely(3)) {
      log.agent("conversation_started", null).words(text());
    }
    for (int round = random.nextInt(5); round > 0; round--) {
      reply();
      if (round()) {
        log.done("cancelled");
        return;
      }
    }
    reply();
    end();
  }

  private void reply() {
    long from = log.events.size() + 1L;
    for (int i = random.nextInt(4); i > 0; i--) {
      log.words(text());
    }
    if (rarely(6) && log.events.size() >= from) {
      log.restarted(from).words(text());
    }
    if (rarely(6)) {
      log.agent("incomplete_reply", Json.text("{\"reason\":\"length\"}"));
    }
  }

  /// Whether the turn was cancelled in this round.
  private boolean round() {
    List<String> open = new ArrayList<>();
    List<String> waiting = new ArrayList<>();
    boolean cancelled = rarely(8);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      String id = "call_" + ++calls;
      log.call(id, "cancel_reservation", rarely(4) ? "{\"a\":" : "{\"a\":[1]}", ToolMode.EXTERNAL);
      if (!cancelled && rarely(3)) {
        log.ask(id);
        waiting.add(id);
      } else {
        open.add(id);
      }
    }
    if (rarely(4) && !waiting.isEmpty()) {
      String id = waiting.removeFirst();
      log.answer(id, answer());
      open.add(id);
    }
    settle(open);
    while (!waiting.isEmpty()) {
      log.done("consent_pending");
      starts.add(log.events.size());
      log.run("answer " + log.events.size());
      List<String> answered = new ArrayList<>();
      for (String id : List.copyOf(waiting)) {
        if (answered.isEmpty() || random.nextBoolean()) {
          waiting.remove(id);
          log.answer(id, answer());
          answered.add(id);
        }
      }
      settle(answered);
    }
    return cancelled;
  }

  private Answer answer() {
    return switch (random.nextInt(3)) {
      case 0 -> Answer.deny("No.");
      case 1 -> Answer.approveOnce();
      default -> Answer.approveOnce().with(Json.text("{\"a\":2}"));
    };
  }

  private void settle(List<String> open) {
    Collections.shuffle(open, random);
    for (String id : open) {
      within(id);
      log.result(id, result());
      if (rarely(4)) {
        log.hint(id, "late");
      }
    }
  }

  private void within(String id) {
    if (rarely(3)) {
      log.hint(id, text());
    }
    if (rarely(4)) {
      log.own(id + ".1.1").result(id + ".1.1");
    }
    if (rarely(5)) {
      log.words(text());
    }
    if (rarely(6)) {
      log.ask(id + ".1.2", ToolCall.of(id + ".1.2", "shell_run", "{}"));
      log.answer(id + ".1.2", answer());
    }
  }

  private ToolResult result() {
    return switch (random.nextInt(4)) {
      case 0 -> ToolResult.ok(text());
      case 1 -> ToolResult.failure(ResultCode.CONSENT_DENIED, "Declined.").build();
      case 2 -> ToolResult.failure(ResultCode.FAILED, "It failed.").text(text()).build();
      default -> ToolResult.ok(Json.text("{\"a\":null}"));
    };
  }

  private void end() {
    switch (random.nextInt(6)) {
      case 0 -> log.failed("No model.", "model_error").done("model_error");
      case 1 ->
          log.tell(new Event.BudgetExhausted("No answer.", "model_timeout")).done("model_timeout");
      case 2 -> {
        String code = random.nextBoolean() ? "max_iterations" : "budget";
        log.tell(new Event.BudgetExhausted("Enough.", code)).doneWithUsage(code);
      }
      case 3 -> log.done("cancelled");
      default -> log.doneWithUsage("end_turn");
    }
  }
}
