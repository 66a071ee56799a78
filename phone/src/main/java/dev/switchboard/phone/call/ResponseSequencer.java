package dev.switchboard.phone.call;

import dev.switchboard.phone.call.PlayoutLedger.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// What the engine is to say next: one response at a time, since an engine takes no second one for
/// the conversation while the first is on the way, and since two voices at once are none.
///
/// What is wanted waits until the way is free, and an answer that is wanted twice is one answer.
/// For one thread.
final class ResponseSequencer {
  private static final int MOST_ASIDES = 50;

  private State state = State.FREE;
  private @Nullable Wanted current;
  private @Nullable String response; // the engine's id of the current one
  private @Nullable Wanted answer;
  private final Deque<Wanted> asides = new ArrayDeque<>();
  private boolean refused; // the engine says that there is another response
  private int made;

  /// Where the response on the way stands.
  enum State {
    FREE,
    CREATE_SENT,
    ACTIVE,
    CANCEL_SENT
  }

  /// Something to say.
  ///
  /// @param id of the request to the engine
  /// @param kind what it is
  /// @param words to be said word for word; null for an answer of the model's
  /// @param mayCall whether the model may call tools
  /// @param whenIdle whether it waits until the caller has heard all that came before
  record Wanted(String id, Kind kind, @Nullable String words, boolean mayCall, boolean whenIdle) {
    /// Whether it is spoken outside the conversation.
    boolean aside() {
      return words != null;
    }
  }

  /// Wants an answer of the model's. One that may not call tools wins over one that may.
  void answer(Kind kind, boolean mayCall, boolean whenIdle) {
    Wanted other = answer;
    if (other == null) {
      answer = new Wanted(nextId(), kind, null, mayCall, whenIdle);
    } else {
      boolean first = other.kind() == Kind.FAREWELL;
      answer =
          new Wanted(
              other.id(),
              first ? other.kind() : kind,
              null,
              other.mayCall() && mayCall,
              other.whenIdle() && whenIdle);
    }
  }

  /// Wants words of ours said; where too many wait, the oldest is given up.
  void say(Kind kind, String words, boolean whenIdle) {
    asides.addLast(new Wanted(nextId(), kind, words, false, whenIdle));
    if (asides.size() > MOST_ASIDES) {
      asides.removeFirst();
    }
  }

  /// Whether these words wait to be said, or are on the way.
  boolean isToSay(String words) {
    return current != null && words.equals(current.words())
        || asides.stream().anyMatch(wanted -> words.equals(wanted.words()));
  }

  private String nextId() {
    made++;
    return "r" + made;
  }

  /// Gives up all that has not begun.
  void giveUpAll() {
    asides.clear();
    answer = null;
  }

  /// Gives up an answer that has not begun.
  void giveUpAnswer() {
    answer = null;
  }

  /// What is to be asked of the engine now, null for nothing: our words first, in their order, then
  /// the answer. A reassurance that has not begun is given up for the answer.
  ///
  /// @param idle whether the caller has heard all that was sent
  /// @param answers whether answers may begin
  @Nullable Wanted next(boolean idle, boolean answers) {
    if (state != State.FREE || refused) {
      return null;
    }
    if (answer != null && answers) {
      asides.removeIf(wanted -> wanted.kind() == Kind.REASSURANCE);
    }
    Wanted words = asides.peekFirst();
    if (words != null && (idle || !words.whenIdle())) {
      asides.removeFirst();
      return sent(words);
    }
    Wanted wanted = answer;
    if (wanted != null && answers && (idle || !wanted.whenIdle())) {
      answer = null;
      return sent(wanted);
    }
    return null;
  }

  private Wanted sent(Wanted wanted) {
    state = State.CREATE_SENT;
    current = wanted;
    response = null;
    return wanted;
  }

  /// The engine has begun a response; false for one that is not ours, or that we have given up.
  boolean created(String id, @Nullable String request) {
    Wanted wanted = current;
    if (wanted == null || request == null || !wanted.id().equals(request)) {
      return false;
    }
    response = id;
    if (state == State.CREATE_SENT) {
      state = State.ACTIVE;
    }
    return true;
  }

  /// The engine has begun a response that nobody wants any more, and that is cancelled: a way that
  /// was free is so again after its end.
  ///
  /// @return whether it was free
  boolean unwanted(String id) {
    boolean was = state == State.FREE;
    if (was) {
      state = State.CANCEL_SENT;
      response = id;
    }
    return was;
  }

  /// Nobody waits any more for the response on the way, which is cancelled: the way is free after
  /// its end.
  void abandon() {
    state = State.CANCEL_SENT;
    current = null;
  }

  /// Frees the way where the engine does not answer; what was asked for and has not begun is wanted
  /// again.
  void stuck() {
    Wanted wanted = current;
    boolean begun = state != State.CREATE_SENT;
    Wanted unused = free();
    if (wanted != null && !begun) {
      again(wanted);
    }
  }

  /// The engine has refused a response: it is wanted again after the end of the one on the way.
  ///
  /// @param request null where the engine does not say which
  /// @return whether one of ours was refused
  boolean conflicted(@Nullable String request) {
    Wanted wanted = current;
    boolean ours = wanted != null && (request == null || request.equals(wanted.id()));
    if (state != State.CREATE_SENT || !ours || wanted == null) {
      return false;
    }
    again(wanted);
    Wanted unused = free();
    refused = true;
    return true;
  }

  private void again(Wanted wanted) {
    String words = wanted.words();
    if (words != null) {
      asides.addFirst(new Wanted(nextId(), wanted.kind(), words, false, wanted.whenIdle()));
    } else if (answer == null) {
      answer = new Wanted(nextId(), wanted.kind(), null, wanted.mayCall(), wanted.whenIdle());
    }
  }

  /// The engine has refused a response for good; what was refused, null for nothing of ours.
  @Nullable Wanted failed(String request) {
    Wanted wanted = current;
    if (wanted == null || !wanted.id().equals(request)) {
      return null;
    }
    free();
    return wanted;
  }

  /// The current response is to be cancelled; its id, null where the engine has not told it yet, or
  /// there is none.
  @Nullable String cancel() {
    if (state == State.FREE || state == State.CANCEL_SENT) {
      return null;
    }
    state = State.CANCEL_SENT;
    return response;
  }

  /// Whether the current response was cancelled before its id was known, so that it is to be
  /// cancelled now.
  boolean cancelsLate() {
    return state == State.CANCEL_SENT;
  }

  /// A response has ended; what was wanted by it, null for none of ours. The way is free.
  @Nullable Wanted done(String id) {
    refused = false;
    if (!id.equals(response)) {
      return null;
    }
    Wanted wanted = current;
    free();
    return wanted;
  }

  /// Frees the way where the engine does not answer, or is gone; what was on it.
  @Nullable Wanted free() {
    Wanted wanted = current;
    state = State.FREE;
    current = null;
    response = null;
    refused = false;
    return wanted;
  }

  /// What is on the way, null for nothing.
  @Nullable Wanted current() {
    return current;
  }

  State state() {
    return state;
  }

  /// Whether something is on the way, or waits to be said.
  boolean isBusy() {
    return state != State.FREE || answer != null || !asides.isEmpty();
  }
}
