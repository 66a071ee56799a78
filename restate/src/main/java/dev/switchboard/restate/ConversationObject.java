package dev.switchboard.restate;

import dev.restate.common.Slice;
import dev.restate.common.Target;
import dev.restate.sdk.common.AbortedExecutionException;
import dev.restate.sdk.common.TerminalException;
import dev.restate.sdk.endpoint.definition.HandlerContext;
import dev.restate.sdk.endpoint.definition.HandlerDefinition;
import dev.restate.sdk.endpoint.definition.HandlerRunner;
import dev.restate.sdk.endpoint.definition.HandlerType;
import dev.restate.sdk.endpoint.definition.InvocationRetryPolicy;
import dev.restate.sdk.endpoint.definition.ServiceDefinition;
import dev.restate.sdk.endpoint.definition.ServiceType;
import dev.restate.serde.Serde;
import dev.switchboard.agent.Agent;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Records.UnreadableException;
import dev.switchboard.loop.Input;
import dev.switchboard.text.DerivedId;
import dev.switchboard.text.PrincipalName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The engine's object for a conversation: it processes inputs one after the other, and a
/// cancellation concurrently.
final class ConversationObject {
  static final String TAKE = "take";
  static final String CANCEL = "cancel";
  private static final String TURN = "turn"; // the invocation of the current or last turn
  private static final int NOT_FOUND = 404;
  private static final Serde<byte[]> BODY = Serde.withContentType("application/json", Serde.RAW);

  private final Agent agent;
  private final ConversationStore storage;
  private final Duration longest;
  private final RunningTurns turns;

  /// @param storage where all processes read its conversations
  /// @param longest the time limit of an effect, such as a tool call; also the engine's
  /// @param turns the running turns of this process
  ConversationObject(Agent agent, ConversationStore storage, Duration longest, RunningTurns turns) {
    this.agent = agent;
    this.storage = storage;
    this.longest = longest;
    this.turns = turns;
  }

  /// The name of the engine's service for the conversations of that agent: `switchboard.` and the
  /// agent's name, with characters that are not allowed as `_` and their code.
  static String service(String agent) {
    StringBuilder name = new StringBuilder("switchboard.");
    agent
        .codePoints()
        .forEach(c -> {
          if (c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '.')) {
            name.appendCodePoint(c);
          } else {
            name.append('_').append(Integer.toHexString(c)).append('_');
          }
        });
    return name.toString();
  }

  ServiceDefinition definition() {
    InvocationRetryPolicy again =
        InvocationRetryPolicy.builder()
            .initialInterval(Duration.ofMillis(50))
            .exponentiationFactor(2.0)
            .maxInterval(Duration.ofSeconds(10))
            .maxAttempts(1000)
            .onMaxAttempts(InvocationRetryPolicy.OnMaxAttempts.PAUSE)
            .build();
    return ServiceDefinition.of(
            service(agent.name()),
            ServiceType.VIRTUAL_OBJECT,
            List.of(
                handler(TAKE, HandlerType.EXCLUSIVE, this::take),
                handler(CANCEL, HandlerType.SHARED, this::cancel)))
        .withDocumentation("Conversations with agent '" + agent.name() + "'.")
        .configure(service ->
            service.invocationRetryPolicy(again).inactivityTimeout(longest).abortTimeout(longest));
  }

  private interface Work {
    void run(HandlerContext engine, byte[] body, AtomicReference<Runnable> onClosed);
  }

  private HandlerDefinition<byte[], Void> handler(String name, HandlerType type, Work work) {
    HandlerRunner<byte[], Void> runner =
        (engine, in, out, onClosed) -> {
          CompletableFuture<Slice> end = new CompletableFuture<>();
          Thread.ofVirtual()
              .name(name + "-" + engine.objectKey())
              .start(() -> run(engine, work, onClosed, end));
          return end;
        };
    return HandlerDefinition.of(name, type, BODY, Serde.VOID, runner);
  }

  /// Passes every exception to the engine, which retries. If the engine has ended the invocation
  /// before, exceptions are dropped.
  @SuppressWarnings("CatchingUnchecked")
  private static void run(
      HandlerContext engine,
      Work work,
      AtomicReference<Runnable> onClosed,
      CompletableFuture<Slice> end) {
    AtomicReference<Runnable> hook = new AtomicReference<>(() -> {});
    AtomicBoolean closed = new AtomicBoolean();
    onClosed.set(() -> {
      closed.set(true);
      hook.get().run();
    });
    try {
      work.run(engine, engine.request().body().toByteArray(), hook);
      end.complete(Slice.EMPTY);
    } catch (Throwable thrown) {
      end.completeExceptionally(closed.get() ? AbortedExecutionException.INSTANCE : thrown);
    }
  }

  private void take(HandlerContext engine, byte[] body, AtomicReference<Runnable> onClosed) {
    Request request = read(body);
    refuseOthers(engine, request.principal());
    TurnAttempt attempt = new TurnAttempt(agent, request.principal(), storage, turns, engine);
    turns.begin(attempt);
    try {
      onClosed.set(attempt::abandon);
      Slice invocation = Slice.wrap(engine.request().invocationId().toString());
      EngineJournal.await(engine.set(TURN, invocation));
      Instant due = taken(attempt, request.input());
      if (due != null) {
        wakeAt(due, request.principal(), engine);
      }
    } finally {
      turns.end(attempt);
    }
  }

  /// Refuses a request to another principal's conversation, and one that would begin a conversation
  /// that only the runtime begins.
  private void refuseOthers(HandlerContext engine, String principal) {
    String id = engine.objectKey();
    String owner = storage.load(id).principal();
    if (PrincipalName.isOthers(owner, principal) || owner == null && DerivedId.isReserved(id)) {
      ConversationNotFoundException none = new ConversationNotFoundException(id);
      throw new TerminalException(NOT_FOUND, String.valueOf(none.getMessage()));
    }
  }

  /// Refuses an input that can never be accepted, so that it is not retried.
  private static @Nullable Instant taken(TurnAttempt attempt, Input input) {
    try {
      return attempt.take(input);
    } catch (IllegalArgumentException e) {
      throw badRequest(e);
    }
  }

  private static Request read(byte[] body) {
    try {
      return Request.read(new String(body, StandardCharsets.UTF_8));
    } catch (UnreadableException e) {
      throw new TerminalException(
          TerminalException.BAD_REQUEST_CODE, "The input " + e.getMessage() + ".");
    } catch (IllegalArgumentException e) {
      throw badRequest(e);
    }
  }

  private static String principal(byte[] body) {
    try {
      return Request.principal(new String(body, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw badRequest(e);
    }
  }

  private static TerminalException badRequest(IllegalArgumentException e) {
    return new TerminalException(
        TerminalException.BAD_REQUEST_CODE, String.valueOf(e.getMessage()));
  }

  /// Schedules a message to the conversation for that moment, once.
  private void wakeAt(Instant due, String principal, HandlerContext engine) {
    String id = "due/" + due.toEpochMilli();
    Duration delay = Duration.between(agent.time().now(), due);
    var unused =
        EngineJournal.await(
            engine.send(
                Target.virtualObject(service(agent.name()), engine.objectKey(), TAKE),
                Slice.wrap(new Request(principal, new Input.Resumed(id)).text()),
                id,
                List.of(),
                delay.isNegative() ? Duration.ZERO : delay));
  }

  /// Cancels the running turn; without effect if none runs.
  private void cancel(HandlerContext engine, byte[] body, AtomicReference<Runnable> onClosed) {
    refuseOthers(engine, principal(body));
    Optional<Slice> turn = EngineJournal.await(EngineJournal.await(engine.get(TURN)).poll());
    if (turn.isPresent()) {
      String invocation = new String(turn.get().toByteArray(), StandardCharsets.UTF_8);
      Void unused = EngineJournal.await(engine.cancelInvocation(invocation));
    }
  }
}
