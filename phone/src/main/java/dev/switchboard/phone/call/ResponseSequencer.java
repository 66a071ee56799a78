package dev.switchboard.phone.call;

import dev.switchboard.phone.call.PlayoutLedger.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The queue of responses for the engine. One response is active at a time: an engine rejects a
/// second one in the conversation, and two must not speak at once.
///
/// A response waits until none is active; an answer that is requested twice is one answer. For one
/// thread.
final class ResponseSequencer {
  private static final int MOST_ASIDES = 50;
  private static final int MOST_ATTEMPTS = 3;

  private State state = State.FREE;
  private @Nullable Wanted current;
  private @Nullable String response; // the engine's id of the current one
  private @Nullable Wanted answer;
  private final Deque<Wanted> asides = new ArrayDeque<>();
  private boolean refused; // the engine says that there is another response
  private int attempts; // in a row, of responses that the engine did not begin
  private int ids;

  /// The state of the active response.
  enum State {
    FREE,
    CREATE_SENT,
    ACTIVE,
    CANCEL_SENT
  }

  /// A requested response.
  ///
  /// @param id of the request to the engine
  /// @param kind of its audio
  /// @param words to be spoken verbatim; null for an answer of the model
  /// @param mayCall whether the model may call tools
  /// @param whenIdle whether it waits until the caller has heard everything before it
  record Wanted(String id, Kind kind, @Nullable String words, boolean mayCall, boolean whenIdle) {
    /// Whether it is outside the conversation.
    boolean aside() {
      return words != null;
    }
  }

  /// Queues an answer of the model. It is merged with a queued one, and may call tools only if both
  /// may.
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

  /// Queues words of the runtime; if too many wait, the oldest are dropped.
  void say(Kind kind, String words, boolean whenIdle) {
    asides.addLast(new Wanted(nextId(), kind, words, false, whenIdle));
    if (asides.size() > MOST_ASIDES) {
      asides.removeFirst();
    }
  }

  /// Whether these words are queued or active.
  boolean isToSay(String words) {
    return current != null && words.equals(current.words())
        || asides.stream().anyMatch(wanted -> words.equals(wanted.words()));
  }

  private String nextId() {
    ids++;
    return "r" + ids;
  }

  /// Drops everything that has not begun.
  void giveUpAll() {
    asides.clear();
    answer = null;
  }

  /// Drops an answer that has not begun.
  void giveUpAnswer() {
    answer = null;
  }

  /// The next response to request, null for none: the runtime's words first, in order, then the
  /// answer. A reassurance that has not begun is dropped for the answer.
  ///
  /// @param idle whether the caller has heard all sent audio
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

  /// The engine has begun a response; false if it was not requested, or was dropped.
  boolean created(String id, @Nullable String request) {
    Wanted wanted = current;
    if (wanted == null || request == null || !wanted.id().equals(request)) {
      return false;
    }
    response = id;
    attempts = 0;
    if (state == State.CREATE_SENT) {
      state = State.ACTIVE;
    }
    return true;
  }

  /// The engine has begun a response that is no longer wanted, and that is cancelled. If none was
  /// active, that is so again after its end.
  ///
  /// @return whether none was active
  boolean unwanted(String id) {
    boolean was = state == State.FREE;
    if (was) {
      state = State.CANCEL_SENT;
      response = id;
    }
    return was;
  }

  /// Gives up the active response, which is cancelled; the next may begin after its end.
  void abandon() {
    state = State.CANCEL_SENT;
    current = null;
  }

  /// Gives up the active response, since the engine does not answer. If it has not begun, it is
  /// queued again, up to its last attempt.
  ///
  /// @return the response that the engine did not begin in the last attempt, otherwise null
  @Nullable Wanted stuck() {
    boolean begun = state != State.CREATE_SENT;
    int tried = attempts + 1;
    Wanted wanted = free();
    if (wanted == null || begun || tried == MOST_ATTEMPTS) {
      return begun ? null : wanted;
    }
    attempts = tried;
    again(wanted);
    return null;
  }

  /// The engine has refused a response because another one is active: it is queued again until that
  /// ends.
  ///
  /// @param request null if the engine does not state it
  /// @return whether a requested response was refused
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

  /// The engine has refused a response permanently; returns it, null if it is unknown.
  @Nullable Wanted failed(String request) {
    Wanted wanted = current;
    if (wanted == null || !wanted.id().equals(request)) {
      return null;
    }
    free();
    return wanted;
  }

  /// Cancels the active response; returns its id, null if there is none, or the engine has not
  /// reported it yet.
  @Nullable String cancel() {
    if (state == State.FREE || state == State.CANCEL_SENT) {
      return null;
    }
    state = State.CANCEL_SENT;
    return response;
  }

  /// Whether the active response was cancelled before its id was known, and has to be cancelled
  /// now.
  boolean cancelsLate() {
    return state == State.CANCEL_SENT;
  }

  /// A response has ended; returns its request, null if it is unknown.
  @Nullable Wanted done(String id) {
    refused = false;
    if (!id.equals(response)) {
      return null;
    }
    Wanted wanted = current;
    free();
    return wanted;
  }

  /// Gives up the active response, since the engine does not answer or is lost; returns it.
  @Nullable Wanted free() {
    Wanted wanted = current;
    state = State.FREE;
    current = null;
    response = null;
    refused = false;
    attempts = 0;
    return wanted;
  }

  /// The active response, null for none.
  @Nullable Wanted current() {
    return current;
  }

  State state() {
    return state;
  }

  /// Whether a response is active or queued.
  boolean isBusy() {
    return state != State.FREE || answer != null || !asides.isEmpty();
  }
}
