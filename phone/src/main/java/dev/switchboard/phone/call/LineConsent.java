package dev.switchboard.phone.call;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.consent.Answer;
import dev.switchboard.json.Codec;
import dev.switchboard.phone.call.CallSettings.Phrase;
import dev.switchboard.phone.call.CallSettings.Words;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.phone.call.ResponseSequencer.Wanted;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/// Consent to tool calls on the phone: by an operator, while the conversation continues; by the
/// caller, who is asked with fixed words and answers by a key, never through the model; or by no
/// one.
///
/// The caller is asked one question at a time. Keys count as its answer once the caller hears it,
/// and an answer counts for one call.
///
/// For the actor's thread.
final class LineConsent {
  private static final Duration AGAIN = Duration.ofSeconds(10);
  private static final Duration DENIED = Duration.ofSeconds(30);
  private static final Duration UNHEARD = Duration.ofMinutes(2);

  private final CallContext call;
  private final ResponsePlayer player;
  private final CallTurns turns;
  private final CallJournal journal;
  private final Deque<Question> open = new ArrayDeque<>(); // the first is asked now
  private Time.Alarm alarm = Time.Alarm.NONE;
  private boolean heard; // whether the caller hears the first
  private long since; // nanos since it was heard, or waits to be

  LineConsent(CallContext call, ResponsePlayer player, CallTurns turns, CallJournal journal) {
    this.call = call;
    this.player = player;
    this.turns = turns;
    this.journal = journal;
  }

  private record Question(String request, String words) {}

  /// A call waits for a person.
  ///
  /// @param until when the request expires
  void asked(String request, Instant until) {
    ToolCall waiting = turns.waiting(request);
    if (waiting == null) {
      return;
    }
    switch (call.settings().consent()) {
      case OPERATOR -> {
        turns.waits(request);
        call.note("consent_pending", Codec.object().put("id", request).put("tool", waiting.name()));
        var unused =
            call.after(
                call.until(until).plusMillis(10),
                () -> journal.read(LineConsent::expire, done -> {}));
      }
      case CALLER ->
          journal.read(
              live -> question(live, waiting, call.settings().words()),
              question -> ask(request, question));
      case DENY -> journal.answer(request, Answer.deny("no one on this call may consent to it"));
    }
  }

  private static boolean expire(LiveSession live) {
    live.settleDecided();
    return true;
  }

  private static String question(LiveSession live, ToolCall waiting, Words words) {
    String own = live.question(waiting);
    return own == null
        ? words.of(Phrase.CONSENT).replace("{tool}", waiting.name().replace('_', ' '))
        : own;
  }

  private void ask(String request, String words) {
    open.addLast(new Question(request, words));
    if (open.size() == 1) {
      begin();
    }
  }

  private void begin() {
    Question question = open.peekFirst();
    if (question != null) {
      heard = false;
      since = call.nanos();
      say(question);
    }
  }

  private void say(Question question) {
    if (!player.requests().isToSay(words(question))) {
      player.requests().say(Kind.NOTICE, words(question), true);
    }
    alarm = call.after(AGAIN, () -> again(question));
  }

  private String words(Question question) {
    return question.words() + " " + call.settings().words().of(Phrase.KEYS);
  }

  private void again(Question question) {
    if (!question.equals(open.peekFirst())) {
      return;
    }
    long waited = call.nanos() - since;
    if (waited >= (heard ? DENIED : UNHEARD).toNanos()) {
      end(Answer.deny(heard ? "the caller did not answer" : "the caller could not be asked"));
    } else {
      say(question);
    }
  }

  /// The caller begins to hear a response.
  void sounds(Wanted response) {
    Question question = open.peekFirst();
    if (question != null && !heard && words(question).equals(response.words())) {
      heard = true;
      since = call.nanos();
      alarm.cancel();
      alarm = call.after(AGAIN, () -> again(question));
    }
  }

  /// Handles a key; false if it does not answer a question.
  boolean pressed(char key) {
    if (open.isEmpty() || !heard) {
      return false;
    }
    switch (key) {
      case '1' -> end(Answer.approveOnce());
      case '2' -> end(Answer.deny("the caller said no"));
      default -> {}
    }
    return true;
  }

  /// Whether the caller has been asked, and has not answered.
  boolean isAsking() {
    return !open.isEmpty() && heard;
  }

  private void end(Answer answer) {
    alarm.cancel();
    Question question = open.removeFirst();
    journal.answer(question.request(), answer);
    begin();
  }

  /// The call has ended: no one can be asked.
  void over() {
    alarm.cancel();
    open.clear();
  }
}
