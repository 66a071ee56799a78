package dev.switchboard.phone.call;

import dev.switchboard.consent.Answer;
import dev.switchboard.phone.call.PlayoutLedger.Kind;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/// Asks the caller whether a tool may run: in our own words, answered by a key, never judged by the
/// model. One question at a time; an answer counts for one call.
///
/// For the actor's thread.
final class CallerConsent {
  private static final Duration AGAIN = Duration.ofSeconds(10);
  private static final Duration DENIED = Duration.ofSeconds(30);

  private final CallSession call;
  private final Voice voice;
  private final BiConsumer<String, Answer> answers;
  private final Deque<Question> open = new ArrayDeque<>(); // the first is asked now
  private Time.Alarm alarm = () -> {};
  private long begun;

  /// @param answers takes what the caller has answered, with the id of the request
  CallerConsent(CallSession call, Voice voice, BiConsumer<String, Answer> answers) {
    this.call = call;
    this.voice = voice;
    this.answers = answers;
  }

  private record Question(String request, String words) {}

  void ask(String request, String words) {
    open.addLast(new Question(request, words));
    if (open.size() == 1) {
      begin();
    }
  }

  private void begin() {
    Question question = open.peekFirst();
    if (question != null) {
      begun = call.nanos();
      say(question);
    }
  }

  private void say(Question question) {
    String unused =
        voice.say(Kind.NOTICE, question.words() + " " + call.settings().words().keys(), true);
    alarm = call.after(AGAIN, () -> again(question));
  }

  private void again(Question question) {
    if (!question.equals(open.peekFirst())) {
      return;
    }
    if (call.nanos() - begun >= DENIED.toNanos()) {
      end(Answer.deny("the caller did not answer"));
    } else {
      say(question);
    }
  }

  /// Takes a key; whether it was for a question.
  boolean pressed(char key) {
    if (open.isEmpty()) {
      return false;
    }
    switch (key) {
      case '1' -> end(Answer.approveOnce());
      case '2' -> end(Answer.deny("the caller said no"));
      default -> {}
    }
    return true;
  }

  private void end(Answer answer) {
    alarm.cancel();
    Question question = open.removeFirst();
    answers.accept(question.request(), answer);
    begin();
  }

  /// The call is over: nobody can be asked any more.
  void over() {
    alarm.cancel();
    open.clear();
  }
}
