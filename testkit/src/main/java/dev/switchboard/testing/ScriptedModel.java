package dev.switchboard.testing;

import dev.switchboard.json.Records;
import dev.switchboard.model.ChatModel;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.testing.ScriptedReply.Moment;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A model that replies by a script, and records its requests.
///
/// Replies are used once, in order. Each verb adds one; after [#and()] it continues the previous
/// reply. Thread-safe.
///
/// ```java
/// ScriptedModel model =
///     new ScriptedModel()
///         .says("Let me check.").and().calls("check_table", "{\"size\":4}")
///         .fails(ModelException.Kind.UNAVAILABLE)
///         .says("There is ", "a table ", "at eight.");
/// ...
/// assertThat(model.lastRequest().messages()).hasSize(4);
/// model.assertDone();
/// ```
public final class ScriptedModel implements ChatModel {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Time time;
  private final @Nullable Function<ModelRequest, ModelReply> always;
  private final Gate gate = new Gate();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asked = lock.newCondition();
  private final List<ModelRequest> requests = new ArrayList<>(); // guarded by lock
  private final List<List<Moment>> script = new ArrayList<>(); // guarded by lock
  private volatile boolean computed;
  private boolean joined; // guarded by lock
  private int ids; // guarded by lock

  private ScriptedModel(Time time, @Nullable Function<ModelRequest, ModelReply> always) {
    this.time = time;
    this.always = always;
  }

  /// A model with an empty script.
  public ScriptedModel() {
    this(Time.SYSTEM);
  }

  /// A model with an empty script that waits on this clock.
  public ScriptedModel(Time time) {
    this(time, null);
  }

  /// A model that answers every request by this function, which may be called concurrently: for any
  /// number of concurrent conversations.
  public static ScriptedModel answering(Function<ModelRequest, ModelReply> always) {
    return new ScriptedModel(Time.SYSTEM, always);
  }

  /// Adds a text reply.
  ///
  /// @param fragments the pieces in which it is streamed
  public ScriptedModel says(String... fragments) {
    return add(List.of(fragments).stream().<Moment>map(Moment.Words::new).toList());
  }

  /// Adds a reply with one call, whose id is `call_1`, `call_2` and so on.
  public ScriptedModel calls(String tool, String arguments) {
    lock.lock();
    try {
      ids++;
      return calls("call_" + ids, tool, arguments);
    } finally {
      lock.unlock();
    }
  }

  /// Adds a reply with one call.
  ///
  /// @param id may be empty, or that of another call
  public ScriptedModel calls(String id, String tool, String arguments) {
    return add(List.of(new Moment.Call(RequestedCall.of(id, tool, arguments))));
  }

  /// Adds a failure.
  public ScriptedModel fails(ModelException.Kind kind) {
    return add(List.of(new Moment.Failure(kind, null)));
  }

  /// Adds a failure with a time to wait before a retry.
  public ScriptedModel fails(ModelException.Kind kind, Duration retryAfter) {
    return add(List.of(new Moment.Failure(kind, retryAfter)));
  }

  /// Adds a pause before the reply continues.
  public ScriptedModel waits(Duration length) {
    return add(List.of(new Moment.Pause(length)));
  }

  /// Blocks the reply until [#release()] is called.
  public ScriptedModel blocks() {
    return add(List.of(new Moment.Block()));
  }

  /// Adds this reply.
  public ScriptedModel replies(ModelReply reply) {
    return answers(request -> reply);
  }

  /// Adds a reply computed from the request; the model throws what the function throws.
  public ScriptedModel answers(Function<ModelRequest, ModelReply> answer) {
    computed = true;
    return add(List.of(new Moment.Computed(answer)));
  }

  /// Continues the last reply: `says("Let me check.").and().calls("check", "{}")`.
  public ScriptedModel and() {
    lock.lock();
    try {
      joined = !script.isEmpty();
      return this;
    } finally {
      lock.unlock();
    }
  }

  private ScriptedModel add(List<Moment> moments) {
    lock.lock();
    try {
      if (joined) {
        List<Moment> whole = new ArrayList<>(script.removeLast());
        whole.addAll(moments);
        script.add(List.copyOf(whole));
      } else {
        script.add(moments);
      }
      joined = false;
      return this;
    } finally {
      lock.unlock();
    }
  }

  /// Releases one [#blocks()]: the one that has lasted longest, or else the next one.
  public void release() {
    gate.open();
  }

  /// All requests, in order.
  public List<ModelRequest> requests() {
    lock.lock();
    try {
      return List.copyOf(requests);
    } finally {
      lock.unlock();
    }
  }

  /// The latest request.
  ///
  /// @throws AssertionError when there was none
  public ModelRequest lastRequest() {
    List<ModelRequest> all = requests();
    if (all.isEmpty()) {
      throw new AssertionError("the model was never asked");
    }
    return all.getLast();
  }

  /// Waits, in real time, until there were that many requests.
  ///
  /// @throws AssertionError when there were not within a minute
  public void awaitRequests(int count) {
    long left = PATIENCE.toNanos();
    lock.lock();
    try {
      while (requests.size() < count) {
        if (left <= 0) {
          throw new AssertionError(
              "the model was asked " + times(requests.size()) + ", not " + times(count));
        }
        left = asked.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  /// Checks that all replies were used.
  ///
  /// @throws AssertionError when they were not
  public void assertDone() {
    lock.lock();
    try {
      if (requests.size() < script.size()) {
        throw new AssertionError(
            "the script has %s, but the model was asked %s; next would be %s"
                .formatted(
                    replies(script.size()), times(requests.size()), script.get(requests.size())));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ModelReply reply(ModelRequest request, ReplyStream stream) {
    List<Moment> moments = next(request);
    return new ScriptedReply(request, stream, time, gate).play(moments);
  }

  private List<Moment> next(ModelRequest request) {
    lock.lock();
    try {
      requests.add(request);
      asked.signalAll();
      if (always != null) {
        return List.of(new Moment.Computed(always));
      }
      if (requests.size() > script.size()) {
        throw new AssertionError(
            "the script has %s, but the model was asked %s; the last message: %s"
                .formatted(replies(script.size()), times(requests.size()), last(request)));
      }
      return script.get(requests.size() - 1);
    } finally {
      lock.unlock();
    }
  }

  private static String last(ModelRequest request) {
    List<Message> messages = request.messages();
    return messages.isEmpty() ? "none" : Records.write(messages.getLast()).text();
  }

  private static String replies(int count) {
    return count == 1 ? "1 reply" : count + " replies";
  }

  private static String times(int count) {
    return count == 1 ? "once" : count + " times";
  }

  /// True, unless replies are computed by a function.
  @Override
  public boolean endsWhenCancelled() {
    return always == null && !computed;
  }

  /// True: the text of the script is the JSON of a structured reply.
  @Override
  public boolean makes(ModelRequest.ReplyFormat format) {
    return true;
  }

  /// `scripted`.
  @Override
  public String name() {
    return "scripted";
  }
}
