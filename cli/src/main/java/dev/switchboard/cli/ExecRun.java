package dev.switchboard.cli;

import dev.switchboard.consent.Answer;
import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.execution.ToolExecutor;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rule.StopReason;
import dev.switchboard.state.ConsentAnswer;
import dev.switchboard.tool.Event;
import dev.switchboard.tool.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A conversation of `exec`: it reads lines and prints events, one line after the other.
///
/// Thread-safe, so that a signal can end it.
final class ExecRun {
  /// The approver of lines that name none.
  static final String EXEC = "exec";

  // Their warnings are also in results and other events.
  private static final List<Logger> TOLD =
      List.of(
          Logger.getLogger(ToolExecutor.class.getName()),
          Logger.getLogger(ConversationStore.class.getName()));

  private final ToolExecutor executor;
  private final Options options;
  private final ToolSession session;
  private final EventLines events;
  private final ReentrantLock lineLock = new ReentrantLock();
  private boolean begun; // guarded by lineLock
  private boolean over; // guarded by lineLock
  private volatile @Nullable String fault;
  private volatile boolean skipped;

  /// @param stored whether calls that wait for consent keep waiting when the input ends
  /// @param denyPending whether the user's next message denies waiting calls, instead of being
  ///   refused
  record Options(boolean stored, boolean denyPending) {}

  ExecRun(ToolExecutor executor, Options options, ToolSession session, EventLines events) {
    this.executor = executor;
    this.options = options;
    this.session = session;
    this.events = events;
    TOLD.forEach(logger -> logger.setLevel(Level.OFF));
  }

  /// Runs the calls that are required at the beginning, handles every line, and closes the last
  /// turn.
  void takeAll(LineReader lines) throws IOException {
    begin();
    for (LineReader.Line line = lines.next();
        line != null && !events.broken();
        line = lines.next()) {
      take(line);
    }
    finish();
  }

  private void begin() {
    lineLock.lock();
    try {
      if (!over) {
        session.waiting().forEach(this::announce);
        stored(() -> executor.rules(session).begin());
      }
    } finally {
      lineLock.unlock();
    }
  }

  /// A call that waits since an earlier run is shown again.
  private void announce(ConsentRequest request) {
    events.show(new Event.AgentEvent("consent_request", request.json()));
  }

  private void finish() {
    lineLock.lock();
    try {
      if (over) {
        return;
      }
      over = true;
      if (session.cancelled()) {
        close(StopReason.CANCELLED.word(), unmet());
        return;
      }
      stored(this::catchUp);
      if (!options.stored) {
        answerAll(new Answer.Nobody());
      }
      boolean waits = !session.waiting().isEmpty();
      List<String> unmet = waits ? List.of() : executor.rules(session).finish();
      close(stopReason(), unmet);
    } finally {
      lineLock.unlock();
    }
  }

  /// Runs work that needs the store. If it fails, the host is notified, and everything else
  /// continues.
  private void stored(Runnable work) {
    try {
      work.run();
    } catch (StoreException e) {
      failed(String.valueOf(e.getMessage()));
    }
  }

  private void failed(String sentence) {
    if (!sentence.equals(fault)) {
      fault = sentence;
      events.show(new Event.Failed(sentence, "store_failed", Map.of()));
    }
  }

  /// The failure of the store as a sentence; null for none.
  @Nullable String fault() {
    return fault;
  }

  /// Whether a line was refused, which an event has reported.
  boolean hasSkipped() {
    return skipped;
  }

  private List<String> unmet() {
    try {
      return executor.rules(session).unmet();
    } catch (StoreException e) {
      failed(String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  /// Ends the last turn, once all results are stored, if possible.
  private void close(String stopReason, List<String> unmet) {
    try {
      session.close();
    } catch (IllegalStateException e) {
      failed(String.valueOf(e.getMessage()));
    }
    done(stopReason, unmet);
  }

  private void answerAll(Answer answer) {
    Answer own = answer.by(EXEC);
    session.waiting().forEach(request -> executor.answer(request.id(), own, session));
  }

  /// Settles the requests that have expired.
  void expire() {
    lineLock.lock();
    try {
      if (!over) {
        catchUp();
      }
    } finally {
      lineLock.unlock();
    }
  }

  /// Continues calls that other processes have answered, and settles expired requests.
  private void catchUp() {
    if (options.stored) {
      session.refresh();
    }
    executor.expire(session);
  }

  /// Ends the conversation: cancels calls that allow it, and waits for the rest.
  void cancel() {
    session.cancel();
    finish();
  }

  private void take(LineReader.Line line) {
    lineLock.lock();
    try {
      if (over) {
        return;
      }
      stored(this::catchUp);
      switch (line) {
        case LineReader.Line.Unreadable(int number, String why) -> bad(number, why);
        case LineReader.Line.Text(int number, String text) when !text.isBlank() ->
            take(number, ExecLine.read(text));
        case LineReader.Line.Text blank -> {}
      }
    } finally {
      lineLock.unlock();
    }
  }

  private void take(int number, ExecLine line) {
    switch (line) {
      case ExecLine.Bad(String why) -> bad(number, why);
      case ExecLine.User() -> nextTurn(number);
      case ExecLine.Consent(String id, Answer answer) -> answer(number, id, answer);
      case ExecLine.Round(List<ExecLine.Call> calls) -> round(number, calls);
    }
  }

  private void nextTurn(int number) {
    List<ConsentRequest> waiting = session.waiting();
    if (!waiting.isEmpty() && !options.denyPending) {
      String ids = waiting.stream().map(ConsentRequest::id).collect(Collectors.joining("', '"));
      failed(number, "answer the request for consent to '" + ids + "' first", "consent_pending");
      return;
    }
    answerAll(Answer.deny("the user went on to something else"));
    if (begun) {
      done(stopReason(), unmet());
    }
    begun = true;
    // If the store is unavailable, the turn begins with the first later call.
    stored(session::nextTurn);
  }

  private void answer(int number, String id, Answer answer) {
    begun = true;
    try {
      if (executor.answer(id, answer, session).isEmpty()) {
        ConsentAnswer known = session.state().answer(id);
        String fate = known == null ? "" : "; the request " + known.words();
        bad(number, "no call '" + id + "' waits for consent" + fate);
      }
    } catch (StoreException e) {
      failed("The request '" + id + "' stays open: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      bad(number, "the request stays open: " + e.getMessage());
    }
  }

  /// The calls in order, so that an invalid one does not take the id of an earlier valid one.
  private void round(int number, List<ExecLine.Call> calls) {
    begun = true;
    List<ToolCall> sound = new ArrayList<>();
    for (ExecLine.Call call : calls) {
      switch (call) {
        case ExecLine.Sound(ToolCall good) -> sound.add(good);
        case ExecLine.Malformed(ToolCall shown, String why) -> {
          execute(sound);
          executor.refuse(shown, why, session);
        }
        case ExecLine.Nameless(String why) -> {
          execute(sound);
          bad(number, why);
        }
      }
    }
    execute(sound);
  }

  private void execute(List<ToolCall> sound) {
    executor.submitAll(sound, session);
    sound.clear();
  }

  private void bad(int number, String why) {
    failed(number, why, "bad_line");
  }

  private void failed(int number, String why, String code) {
    skipped = true;
    String message = "Line " + number + " was not taken: " + why + (why.endsWith(".") ? "" : ".");
    events.show(new Event.Failed(message, code, Map.of("line", Json.of(number))));
  }

  private String stopReason() {
    StopReason exit = session.state().exit();
    if (exit != null) {
      return exit.word();
    }
    // Including a call that another process runs now.
    boolean waits = !session.state().waiting().isEmpty();
    return (waits ? StopReason.CONSENT_PENDING : StopReason.END_TURN).word();
  }

  private void done(String stopReason, List<String> unmet) {
    ObjectNode payload = Codec.object().put("stopReason", stopReason);
    if (!unmet.isEmpty()) {
      unmet.forEach(payload.putArray("unmet")::add);
    }
    events.show(new Event.Done(Json.of(payload)));
  }
}
