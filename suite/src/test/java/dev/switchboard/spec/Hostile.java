package dev.switchboard.spec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a handler can do to its caller.
final class Hostile {
  private final AtomicBoolean over = new AtomicBoolean();
  private final CountDownLatch never = new CountDownLatch(1);

  enum Kind {
    THROW_CHECKED,
    THROW_ERROR,
    THROW_THROWABLE_THAT_THROWS,
    THROW_WITHOUT_MESSAGE,
    STACK_OVERFLOW,
    OUT_OF_MEMORY,
    INTERRUPT_ITSELF,
    NEVER_RETURN,
    IGNORE_INTERRUPTS,
    RETURN_NULL,
    RETURN_ITSELF,
    RETURN_ENDLESS_ITERATOR,
    RETURN_SLOW_GETTER,
    RETURN_BROKEN_JSON,
    RETURN_HALF_SURROGATES,
    RETURN_DEEP_NESTING,
    RETURN_NEVER_COMPLETED,
    RETURN_FAILED_STAGE,
    RETURN_CANCELLED_STAGE,
    RETURN_STAGE_OF_STAGES,
    RETURN_OPTIONAL,
    RETURN_CLASS,
    RETURN_EMPTY_RESULT,
    CALL_ITSELF,
    PERMANENT_WITHOUT_TEXT,
    ANSWER,
    INTERRUPT_ITSELF_AND_ANSWER,
    COMPUTE_TOO_LONG,
    WAIT_A_LITTLE,
    PROGRESS_FLOOD,
    PROGRESS_EMPTY,
    PROGRESS_LATE,
    PROGRESS_FROM_ANOTHER_THREAD,
    CALL_LATE,
    CALL_UNKNOWN,
    CALL_WITH_BROKEN_ARGUMENTS,
    CALL_SIDE_BY_SIDE,
    THROW_LINKAGE_ERROR,
    THROW_CAUSED_BY_ITSELF,
    THROW_LONG_MESSAGE,
    THROW_CONTROL_CHARACTERS,
    THROW_TOOL_EXCEPTION,
    THROW_CANCELLATION,
    THROW_WITH_MANY_SUPPRESSED,
    RETURN_HUGE_TEXT,
    RETURN_EMPTY_TEXT,
    RETURN_BLANK_TEXT,
    RETURN_NUL_CHARACTERS,
    RETURN_BYTES,
    RETURN_NOT_A_NUMBER,
    RETURN_PLAIN_OBJECT,
    RETURN_THREAD,
    RETURN_STREAM,
    RETURN_NULL_KEYS,
    RETURN_FOREIGN_ENVELOPE,
    RETURN_ENVELOPE_WITH_OUR_WORDS,
    RETURN_RESULT_OF_ANOTHER_CALL,
    RETURN_LATE_STAGE,
    ADD_CANCEL_ACTION_THAT_THROWS
  }

  /// Lets go all who still wait, compute or ignore an interrupt.
  void end() {
    over.set(true);
    never.countDown();
  }

  boolean isOver() {
    return over.get();
  }

  @Nullable Object act(Kind kind, ToolContext context) throws Exception {
    return switch (kind) {
      case THROW_CHECKED -> throw new Exception("secret");
      case THROW_ERROR -> throw new AssertionError("secret");
      case THROW_THROWABLE_THAT_THROWS -> throw new HostileException();
      case THROW_WITHOUT_MESSAGE -> throw new NullPointerException();
      case STACK_OVERFLOW -> overflow(0);
      case OUT_OF_MEMORY -> throw new OutOfMemoryError("simulated");
      case INTERRUPT_ITSELF -> {
        Thread.currentThread().interrupt();
        throw new InterruptedException();
      }
      case NEVER_RETURN -> {
        never.await();
        yield "late";
      }
      case IGNORE_INTERRUPTS -> {
        while (!over.get()) {
          try {
            never.await();
          } catch (InterruptedException ignored) {
            // That is the point.
          }
        }
        yield "late";
      }
      case RETURN_NULL -> null;
      case RETURN_ITSELF -> {
        Map<String, Object> self = new HashMap<>();
        self.put("self", self);
        yield self;
      }
      case RETURN_ENDLESS_ITERATOR -> endless();
      case RETURN_SLOW_GETTER -> new Slow(never);
      case RETURN_BROKEN_JSON -> Json.text("{\"a\":");
      case RETURN_HALF_SURROGATES -> List.of("\ud800", "x");
      case RETURN_DEEP_NESTING -> deep();
      case RETURN_NEVER_COMPLETED -> new CompletableFuture<>();
      case RETURN_FAILED_STAGE -> CompletableFuture.failedFuture(new HostileException());
      case RETURN_CANCELLED_STAGE -> {
        CompletableFuture<Object> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        yield cancelled;
      }
      case RETURN_STAGE_OF_STAGES ->
          CompletableFuture.completedFuture(CompletableFuture.completedFuture("deep"));
      case RETURN_OPTIONAL -> Optional.of("x");
      case RETURN_CLASS -> Hostile.class;
      case RETURN_EMPTY_RESULT -> ToolResult.builder(false).build();
      case CALL_ITSELF -> context.tools().call("hostile_0", Json.of(Map.of("n", 1)));
      case PERMANENT_WITHOUT_TEXT -> throw ToolException.permanent("");
      case ANSWER -> "fine";
      default -> more(kind, context);
    };
  }

  private @Nullable Object more(Kind kind, ToolContext context) throws Exception {
    return switch (kind) {
      case INTERRUPT_ITSELF_AND_ANSWER -> {
        Thread.currentThread().interrupt();
        yield "fine";
      }
      case COMPUTE_TOO_LONG -> compute();
      case WAIT_A_LITTLE -> never.await(3, TimeUnit.MILLISECONDS);
      case PROGRESS_FLOOD -> progress(context, "more ", 500);
      case PROGRESS_EMPTY -> progress(context, "", 3);
      case PROGRESS_LATE -> later(() -> progress(context, "late", 2));
      case PROGRESS_FROM_ANOTHER_THREAD -> {
        Thread.ofVirtual().start(() -> progress(context, "beside", 5));
        yield "fine";
      }
      case CALL_LATE -> later(() -> context.tools().call("unknown", Json.EMPTY_OBJECT));
      case CALL_UNKNOWN -> context.tools().call("unknown", Json.EMPTY_OBJECT);
      case CALL_WITH_BROKEN_ARGUMENTS -> context.tools().call("hostile_0", Json.text("{\"n\":"));
      case CALL_SIDE_BY_SIDE -> {
        Thread.ofVirtual().start(() -> context.tools().call("unknown", Json.EMPTY_OBJECT));
        yield context.tools().call("unknown", Json.EMPTY_OBJECT);
      }
      case THROW_LINKAGE_ERROR -> throw new NoClassDefFoundError("a/B");
      case THROW_CAUSED_BY_ITSELF -> throw circle();
      case THROW_LONG_MESSAGE -> throw new IllegalStateException("x".repeat(200_000));
      case THROW_CONTROL_CHARACTERS -> throw new ToolException("\u001b[31m\u202e\ud800\u0000");
      case THROW_TOOL_EXCEPTION -> throw new ToolException("");
      case THROW_CANCELLATION -> throw new CancellationException();
      case THROW_WITH_MANY_SUPPRESSED -> throw suppressing();
      case ADD_CANCEL_ACTION_THAT_THROWS -> {
        context.onCancel(() -> {
          throw new AssertionError("secret");
        });
        never.await();
        yield "late";
      }
      default -> answer(kind);
    };
  }

  private static @Nullable Object answer(Kind kind) {
    return switch (kind) {
      case RETURN_HUGE_TEXT -> "x".repeat(300_000);
      case RETURN_EMPTY_TEXT -> "";
      case RETURN_BLANK_TEXT -> " \n";
      case RETURN_NUL_CHARACTERS -> "\u0000\u0007";
      case RETURN_BYTES -> new byte[] {1, -1};
      case RETURN_NOT_A_NUMBER -> Map.of("a", Double.NaN);
      case RETURN_PLAIN_OBJECT -> new Object();
      case RETURN_THREAD -> Thread.currentThread();
      case RETURN_STREAM -> Stream.generate(() -> 1);
      case RETURN_NULL_KEYS -> {
        Map<String, Object> map = new HashMap<>();
        map.put(null, null);
        yield map;
      }
      case RETURN_FOREIGN_ENVELOPE -> Json.text("{\"success\":\"yes\",\"terminal\":7}");
      case RETURN_ENVELOPE_WITH_OUR_WORDS ->
          Json.text("{\"success\":false,\"code\":\"x\",\"callId\":\"z\",\"error\":{},\"data\":[]}");
      case RETURN_RESULT_OF_ANOTHER_CALL ->
          ToolResult.builder(true).callId("another").text("fine").build();
      case RETURN_LATE_STAGE ->
          new CompletableFuture<>().completeOnTimeout("late", 25, MILLISECONDS);
      default -> throw new IllegalArgumentException(kind.name());
    };
  }

  private static Object progress(ToolContext context, String text, int times) {
    for (int i = 0; i < times; i++) {
      context.progress(text);
    }
    return "fine";
  }

  /// Does it when the call has long been settled.
  private static Object later(Runnable action) {
    CompletableFuture.delayedExecutor(60, MILLISECONDS).execute(action);
    return "fine";
  }

  private Object compute() {
    long end = System.nanoTime() + MILLISECONDS.toNanos(25);
    while (!over.get() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return "late";
  }

  private static Exception circle() {
    Exception first = new IllegalStateException("first");
    Exception second = new IllegalStateException("second", first);
    return (Exception) first.initCause(second);
  }

  private static Exception suppressing() {
    Exception many = new IllegalStateException("many");
    for (int i = 0; i < 1_000; i++) {
      many.addSuppressed(new IllegalStateException("one"));
    }
    return many;
  }

  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  private Iterator<Integer> endless() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        // Ends with the test, or it would fill the memory behind it.
        return !over.get() && !Thread.currentThread().isInterrupted();
      }

      @Override
      public Integer next() {
        Thread.yield();
        return 1;
      }
    };
  }

  private static Object deep() {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      list = new ArrayList<>(List.of(list));
    }
    return list;
  }

  record Slow(CountDownLatch never) {
    public String getValue() throws InterruptedException {
      never.await();
      return "late";
    }
  }

  private static final class HostileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("hostile");
    }

    @Override
    public String toString() {
      throw new StackOverflowError();
    }
  }
}
