package dev.switchboard.phone;

import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.phone.call.CallRecorder;
import dev.switchboard.phone.carrier.Carrier;
import dev.switchboard.text.ExceptionLog;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// The hooks of a program. For each call they run one after the other, on a separate thread;
/// exceptions are logged and have no effect.
///
/// @param onStart receives an incoming call
/// @param onTranscript receives each line of the transcript
/// @param onEnd receives the call and the reason of its end, once
record CallHooks(
    Consumer<Carrier.Arrival> onStart,
    Consumer<PhoneBuilder.Said> onTranscript,
    BiConsumer<Carrier.Arrival, String> onEnd) {
  private static final System.Logger LOG = System.getLogger(CallHooks.class.getName());

  static final CallHooks NONE = new CallHooks(call -> {}, line -> {}, (call, reason) -> {});

  CallHooks withStart(Consumer<Carrier.Arrival> hook) {
    return new CallHooks(hook, onTranscript, onEnd);
  }

  CallHooks withTranscript(Consumer<PhoneBuilder.Said> hook) {
    return new CallHooks(onStart, hook, onEnd);
  }

  CallHooks withEnd(BiConsumer<Carrier.Arrival, String> hook) {
    return new CallHooks(onStart, onTranscript, hook);
  }

  /// A recorder that calls the given one, and then the hooks.
  CallRecorder of(Carrier.Arrival call, CallRecorder recorder) {
    if (equals(NONE)) {
      return recorder;
    }
    ExecutorService hooks =
        Executors.newSingleThreadExecutor(Thread.ofVirtual().name("call hooks").factory());
    hooks.execute(guarded(() -> onStart.accept(call)));
    return new CallRecorder() {
      @Override
      public void happened(String type, Json details) {
        recorder.happened(type, details);
      }

      @Override
      public void line(String role, String text) {
        recorder.line(role, text);
        PhoneBuilder.Said said = new PhoneBuilder.Said(call.id(), role, text);
        hooks.execute(guarded(() -> onTranscript.accept(said)));
      }

      @Override
      public void ended(String reason, ModelReply.Usage usage) {
        recorder.ended(reason, usage);
        hooks.execute(guarded(() -> onEnd.accept(call, reason)));
        hooks.shutdown();
      }

      @Override
      public void late(Json details) {
        recorder.late(details);
      }
    };
  }

  private static Runnable guarded(Runnable hook) {
    return () -> {
      try {
        hook.run();
      } catch (RuntimeException thrown) {
        ExceptionLog.warn(LOG, "a hook of a call failed", thrown);
      }
    };
  }
}
