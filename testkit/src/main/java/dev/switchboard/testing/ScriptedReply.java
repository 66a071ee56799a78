package dev.switchboard.testing;

import dev.switchboard.model.ModelException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Plays one reply of a script, step by step. Used once, by the requesting thread.
final class ScriptedReply {
  private static final long FOR_EVER = Long.MAX_VALUE / 2;

  /// A step of a reply.
  sealed interface Moment {
    /// Text.
    record Words(String text) implements Moment {
      @Override
      public String toString() {
        return "the words \"" + text + '"';
      }
    }

    /// A tool call.
    record Call(RequestedCall call) implements Moment {
      @Override
      public String toString() {
        return "a call of " + call.name();
      }
    }

    /// A pause.
    record Pause(Duration length) implements Moment {
      @Override
      public String toString() {
        return "a wait of " + length;
      }
    }

    /// A wait until it is released.
    record Block() implements Moment {
      @Override
      public String toString() {
        return "a stop until release()";
      }
    }

    /// A failure.
    record Failure(ModelException.Kind kind, @Nullable Duration retryAfter) implements Moment {
      @Override
      public String toString() {
        return "the failure " + kind;
      }
    }

    /// A reply computed from the request.
    record Computed(Function<ModelRequest, ModelReply> answer) implements Moment {
      @Override
      public String toString() {
        return "a reply made of the request";
      }
    }
  }

  private final ModelRequest request;
  private final ReplyStream stream;
  private final Time time;
  private final Gate gate;
  private final StringBuilder text = new StringBuilder();
  private final List<RequestedCall> calls = new ArrayList<>();
  private ModelReply.@Nullable FinishReason finish;
  private ModelReply.Usage usage = ModelReply.Usage.NONE;
  private @Nullable ProviderItems items;

  ScriptedReply(ModelRequest request, ReplyStream stream, Time time, Gate gate) {
    this.request = request;
    this.stream = stream;
    this.time = time;
    this.gate = gate;
  }

  ModelReply play(List<Moment> moments) {
    try {
      for (Moment moment : moments) {
        checkWanted();
        play(moment);
      }
      checkWanted();
      ModelReply.FinishReason usual =
          calls.isEmpty() ? ModelReply.FinishReason.STOP : ModelReply.FinishReason.TOOL_CALLS;
      return new ModelReply(text.toString(), calls, finish == null ? usual : finish, usage, items);
    } finally {
      stream.onCancel(() -> {});
    }
  }

  private void play(Moment moment) {
    switch (moment) {
      case Moment.Words(String words) -> write(words);
      case Moment.Call(RequestedCall call) -> calls.add(call);
      case Moment.Pause(Duration length) -> await(new Time.Signal(), length.toNanos());
      case Moment.Block() -> block();
      case Moment.Failure(ModelException.Kind kind, @Nullable Duration retryAfter) ->
          throw new ModelException(kind, "the script says " + kind, retryAfter, null);
      case Moment.Computed(Function<ModelRequest, ModelReply> answer) ->
          take(answer.apply(request));
    }
  }

  private void write(String words) {
    text.append(words);
    stream.text(words);
  }

  private void take(ModelReply reply) {
    write(reply.text());
    calls.addAll(reply.calls());
    finish = reply.finish();
    usage = usage.plus(reply.usage());
    items = reply.items();
  }

  private void block() {
    Time.Signal place = gate.enter();
    if (place != null) {
      try {
        await(place, FOR_EVER);
      } finally {
        gate.leave(place);
      }
    }
  }

  private void await(Time.Signal signal, long nanos) {
    stream.onCancel(signal::give);
    time.await(signal, time.nanos() + nanos);
    checkWanted();
  }

  private void checkWanted() {
    if (stream.cancelled()) {
      throw new ModelException(ModelException.Kind.CANCELLED, "the reply was cancelled", null);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new ModelException(ModelException.Kind.CANCELLED, "interrupted", null);
    }
  }
}
