package dev.switchboard.phone.call;

import dev.switchboard.agent.AgentLimits;
import dev.switchboard.agent.LiveSession;
import dev.switchboard.consent.Answer;
import dev.switchboard.execution.ToolExecutor.CallStep;
import dev.switchboard.guard.Screen;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.rule.StopReason;
import dev.switchboard.ruling.Offer;
import dev.switchboard.ruling.RoundEnd;
import dev.switchboard.text.ExceptionLog;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The asynchronous access of a call to its conversation: writes to the store run one after the
/// other, tools run concurrently, and the actor never waits for them.
///
/// For the actor's thread. Results arrive as steps in the mailbox.
final class CallJournal {
  private static final System.Logger LOG = System.getLogger(CallJournal.class.getName());

  private final Executor writer;
  private final Executor workers;
  private final Consumer<Runnable> mailbox;
  private final Runnable failed;
  private volatile @Nullable LiveSession live;
  private final List<CompletableFuture<Boolean>> running = new ArrayList<>();
  private final CompletableFuture<Boolean> released = new CompletableFuture<>();
  private int pending; // writes and other work, without calls of tools, whose steps are to come

  /// @param writer runs tasks one after the other
  /// @param workers runs tasks concurrently
  /// @param mailbox receives steps of the actor
  /// @param failed the actor's step after a failed write
  CallJournal(Executor writer, Executor workers, Consumer<Runnable> mailbox, Runnable failed) {
    this.writer = writer;
    this.workers = workers;
    this.mailbox = mailbox;
    this.failed = failed;
  }

  /// The current tools and instructions for the model.
  record Offered(Offer offer, String instructions) {}

  /// Opens the conversation.
  <T> void open(Supplier<LiveSession> opening, Function<LiveSession, T> first, Consumer<T> then) {
    writer.execute(() -> {
      try {
        LiveSession opened = opening.get();
        live = opened;
        T value = first.apply(opened);
        mailbox.accept(() -> then.accept(value));
      } catch (RuntimeException thrown) {
        warn("a call's conversation cannot be opened", thrown);
        mailbox.accept(failed);
      }
    });
  }

  /// Begins a turn, after the end of the previous one.
  ///
  /// @param then receives the number of the turn and its tools
  void begin(TurnInput input, Consumer<Begun> then) {
    write(
        session -> {
          List<ToolResult> unused = session.said(input.id(), input.words());
          return new Begun(
              session.turn(), session.ownCalls(), offered(session), session.substitute());
        },
        then);
  }

  /// A turn that has begun.
  ///
  /// @param started the calls of start tools, with their results
  /// @param substitute what a guardrail says instead of a reply, null if the words pass
  record Begun(int turn, List<Message> started, Offered offered, @Nullable String substitute) {}

  /// Builds the request for a reply of the agent's model.
  void request(boolean mayCall, Consumer<LiveSession.Request> then) {
    write(
        session -> {
          beginIfNone(session);
          return session.request(mayCall, writer);
        },
        then);
  }

  private static void beginIfNone(LiveSession session) {
    if (!session.isInTurn()) {
      List<ToolResult> unused = session.said("more/" + session.turn(), TurnInput.MORE);
    }
  }

  /// Stores that the agent's model has failed.
  void failed(LiveSession.Request request) {
    write(session -> session.failed(request));
  }

  /// Stores a reply, as a separate turn if none runs. `then` receives its calls, the turn and the
  /// round.
  ///
  /// @param from the request that it answers, null if the engine's own model has replied
  void replied(ModelReply reply, LiveSession.@Nullable Request from, Consumer<Replied> then) {
    write(
        session -> {
          beginIfNone(session);
          return new Replied(session.replied(reply, from), session.turn(), session.round());
        },
        then);
  }

  /// A stored reply.
  record Replied(List<ToolCall> calls, int turn, int round) {}

  /// Runs calls, concurrently.
  void run(List<ToolCall> calls, Consumer<List<CallStep>> then) {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    running.removeIf(CompletableFuture::isDone);
    running.add(ended);
    workers.execute(() -> {
      try {
        mailbox.accept(step(session -> session.run(calls), then));
      } finally {
        ended.complete(true);
      }
    });
  }

  /// Ends a round.
  void endRound(int turn, int round, List<ToolResult> results, Consumer<RoundEnded> then) {
    write(
        session -> {
          RoundEnd.Exit exit = session.endRound(turn, round, results);
          return new RoundEnded(exit, offered(session));
        },
        then);
  }

  /// A round that has ended.
  record RoundEnded(RoundEnd.@Nullable Exit exit, Offered offered) {}

  void endTurn(StopReason reason, String text) {
    write(session -> session.endTurn(reason, text));
  }

  /// @param then receives a guardrail's substitute for the reply, if there is one
  void understood(int turn, String words, Consumer<String> then) {
    write(
        session -> Optional.ofNullable(session.correctInput(turn, words)),
        refusal -> refusal.ifPresent(then));
  }

  /// The limits of the agent's turns.
  AgentLimits limits() {
    LiveSession session = live;
    return session == null ? AgentLimits.DEFAULT : session.limits();
  }

  /// The caller's words, as they may be shown.
  String shown(String words) {
    LiveSession session = live;
    return session == null ? words : session.guards().shown(words);
  }

  /// The screen for a reply's words, null if no guardrail checks them.
  @Nullable Screen screen() {
    LiveSession session = live;
    return session == null ? null : session.guards().spoken();
  }

  /// Runs the slow guardrails on spoken words, concurrently.
  ///
  /// @param then receives a guardrail's substitute, if there is one
  void judge(String words, Consumer<String> then) {
    work(
        session -> Optional.ofNullable(session.guards().judged(words)),
        refusal -> refusal.ifPresent(then));
  }

  void storeHeard(SpokenResponse.Place reply, String words) {
    write(session -> session.correctReply(reply.turn(), reply.round(), words));
  }

  void storeGreeting(String words) {
    write(session -> session.recordGreeting(words));
  }

  void storeNote(String tool, String result) {
    write(session -> session.recordNote(tool, result));
  }

  /// The caller has interrupted the agent; handled concurrently.
  void interrupted() {
    work(
        session -> {
          session.interrupted();
          return session;
        },
        done -> {});
  }

  void answer(String request, Answer answer) {
    work(session -> session.answer(request, answer), done -> {});
  }

  /// Reads the conversation for a model that has lost its session.
  <T> void read(Function<LiveSession, T> reading, Consumer<T> then) {
    write(reading, then);
  }

  /// Runs the tools that are required before the end and need no arguments; `then` receives their
  /// calls and results.
  void finish(Consumer<List<Message>> then) {
    write(
        session -> {
          List<String> unusedUnmet = session.finish();
          return session.ownCalls();
        },
        then);
  }

  /// Writes the end of the call, and cancels tools that allow it. The conversation ends once the
  /// calls that continue have their results; nothing is written after it.
  ///
  /// @param patience how long to wait for running calls whose results only need to be written
  /// @param finish whether tools that are required before the end are called first
  /// @param reason of the end, for the record
  /// @param then receives the tools that are still required, before the conversation has ended
  void close(Duration patience, boolean finish, String reason, Consumer<List<String>> then) {
    CompletableFuture<Void> last =
        settled().completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS);
    writer.execute(() -> {
      Void unusedEnded = last.join();
      List<String> unmet = hungUp(finish, reason);
      mailbox.accept(() -> then.accept(unmet));
    });
    var unused = settled().thenRun(() -> writer.execute(this::release));
  }

  private List<String> hungUp(boolean finish, String reason) {
    LiveSession session = live;
    if (session == null) {
      return List.of();
    }
    List<String> unmet = List.of();
    try {
      unmet = finish ? session.finish() : session.unmet();
    } catch (RuntimeException thrown) {
      LOG.log(Level.DEBUG, "a call's last tools failed", thrown);
    }
    try {
      CallRow.end(session, reason, unmet);
      session.hangUp();
    } catch (RuntimeException thrown) {
      warn("the end of the call was not written", thrown);
    }
    return unmet;
  }

  private void release() {
    LiveSession session = live;
    try {
      if (session != null) {
        session.close();
      }
    } catch (RuntimeException thrown) {
      warn("the call's conversation was not closed", thrown);
    } finally {
      released.complete(true);
    }
  }

  /// Completes when the conversation has ended.
  CompletableFuture<Boolean> released() {
    return released;
  }

  /// Runs that step when all running calls have their results, which arrive before it.
  void whenSettled(Runnable step) {
    var unused = settled().thenRun(() -> mailbox.accept(step));
  }

  private CompletableFuture<Void> settled() {
    return CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
  }

  private static Offered offered(LiveSession session) {
    return new Offered(session.rules().offer(), session.instructions());
  }

  private void write(Consumer<LiveSession> work) {
    write(
        session -> {
          work.accept(session);
          return session;
        },
        done -> {});
  }

  private <T> void write(Function<LiveSession, T> work, Consumer<T> then) {
    on(writer, work, then);
  }

  private <T> void work(Function<LiveSession, T> work, Consumer<T> then) {
    on(workers, work, then);
  }

  private <T> void on(Executor threads, Function<LiveSession, T> work, Consumer<T> then) {
    pending++;
    threads.execute(() -> {
      Runnable step = step(work, then);
      mailbox.accept(() -> {
        pending--;
        step.run();
      });
    });
  }

  /// Whether nothing is being written or read.
  boolean isQuiet() {
    return pending == 0;
  }

  /// Does that work; returns the actor's step after it.
  private <T> Runnable step(Function<LiveSession, T> work, Consumer<T> then) {
    LiveSession session = live;
    if (session == null) {
      return () -> {};
    }
    try {
      T value = work.apply(session);
      return () -> then.accept(value);
    } catch (RuntimeException thrown) {
      warn("a call's conversation cannot be written", thrown);
      return failed;
    }
  }

  private void warn(String what, RuntimeException thrown) {
    LiveSession session = live;
    String id = session == null ? null : session.session().conversationId();
    ExceptionLog.warn(LOG, id == null ? what : ExceptionLog.in(id, what), thrown);
  }
}
