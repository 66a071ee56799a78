package dev.switchboard.phone.engine.relay;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.phone.engine.EngineEvent;
import dev.switchboard.phone.engine.EngineEvent.Status;
import dev.switchboard.phone.engine.EngineSession;
import dev.switchboard.rule.StopReason;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A call's session without a service: each response runs on a thread of its own, and its words are
/// events as they come.
final class TextSession implements EngineSession {
  private final Consumer<EngineEvent> events;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, LiveSession.Request> running = new HashMap<>(); // by response; by lock
  private int responses; // guarded by lock
  private boolean closed; // guarded by lock

  TextSession(Consumer<EngineEvent> events) {
    this.events = events;
  }

  /// Reports that it is ready, without waiting.
  void begin() {
    Thread unused = start("engine", () -> emit(new EngineEvent.Ready()));
  }

  private static Thread start(String name, Runnable task) {
    return Thread.ofVirtual().name(name).start(task);
  }

  private void emit(EngineEvent event) {
    lock.lock();
    try {
      if (!closed) {
        events.accept(event);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void create(Response response) {
    lock.lock();
    try {
      responses++;
      String id = "relay" + responses;
      LiveSession.Request request = response.request();
      if (request != null) {
        running.put(id, request);
      }
      Thread unused = start("response", () -> run(id, response));
    } finally {
      lock.unlock();
    }
  }

  private void run(String id, Response response) {
    emit(new EngineEvent.Created(id, response.id()));
    String words = response.words();
    LiveSession.Request request = response.request();
    if (words != null) {
      say(id, words);
    } else if (request != null) {
      reply(id, request);
    }
  }

  private void say(String id, String words) {
    emit(new EngineEvent.Text(id, id, words));
    done(id, Status.COMPLETED, null, null);
  }

  private void reply(String id, LiveSession.Request request) {
    LiveSession.Outcome outcome = new LiveSession.Outcome.Failed(StopReason.MODEL_ERROR);
    try {
      outcome = request.reply(more -> emit(new EngineEvent.Text(id, id, more)));
    } finally {
      // Also after an error, which ends this thread: the call goes on without the reply.
      forget(id);
      ended(id, outcome);
    }
  }

  private void ended(String id, LiveSession.Outcome outcome) {
    switch (outcome) {
      case LiveSession.Outcome.Replied(ModelReply reply) -> {
        for (RequestedCall call : reply.calls()) {
          emit(new EngineEvent.Called(id, id, call));
        }
        done(id, Status.COMPLETED, null, reply);
      }
      case LiveSession.Outcome.Failed(StopReason reason) -> {
        boolean cancelled = reason == StopReason.CANCELLED;
        done(id, cancelled ? Status.CANCELLED : Status.FAILED, reason.word(), null);
      }
    }
  }

  private void forget(String id) {
    lock.lock();
    try {
      running.remove(id);
    } finally {
      lock.unlock();
    }
  }

  private void done(String id, Status status, @Nullable String reason, @Nullable ModelReply reply) {
    ModelReply.Usage usage = reply == null ? ModelReply.Usage.NONE : reply.usage();
    emit(new EngineEvent.Done(id, status, reason, usage, reply));
  }

  @Override
  public void cancel(String response) {
    LiveSession.Request request;
    lock.lock();
    try {
      request = running.get(response);
    } finally {
      lock.unlock();
    }
    if (request != null) {
      request.cancel();
    }
  }

  @Override
  public void close() {
    Map<String, LiveSession.Request> left;
    lock.lock();
    try {
      closed = true;
      left = Map.copyOf(running);
    } finally {
      lock.unlock();
    }
    left.values().forEach(LiveSession.Request::cancel);
  }

  // The carrier hears the caller, and the agent keeps the conversation.

  @Override
  public void send(byte[] audio) {}

  @Override
  public void truncate(String item, int content, int milliseconds) {}

  @Override
  public void delete(String item) {}

  @Override
  public void output(Message.Result result) {}

  @Override
  public void add(Message message) {}

  @Override
  public long dropped() {
    return 0;
  }
}
