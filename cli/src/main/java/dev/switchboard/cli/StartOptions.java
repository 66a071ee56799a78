package dev.switchboard.cli;

import dev.switchboard.Switchboard;
import dev.switchboard.agent.Agent;
import dev.switchboard.agent.AgentBuilder;
import dev.switchboard.config.AgentFile;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.StoreException;
import dev.switchboard.store.Storage;
import dev.switchboard.text.Durations;
import dev.switchboard.time.Time;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How long a process waits at its start for what it needs: a database or an engine that does not
/// answer yet.
final class StartOptions {
  private static final Duration USUAL = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      description =
          "How long to wait at the start for a database or an engine that does not answer; by"
              + " default 1m.")
  private @Nullable String wait;

  private final Wait database = new Wait();

  /// @throws Failure when the time is not one
  Duration most() {
    Duration stated = wait == null ? USUAL : Durations.parse(wait);
    if (stated == null || stated.isNegative()) {
      throw Failure.usage("--wait must be " + Durations.FORMS + ", not '" + wait + "'.", null);
    }
    return stated;
  }

  /// What the work opens, once the database answers. The work is done again after a failure. The
  /// time counts from the first failure, for all such work of the start.
  ///
  /// @throws Failure when it does not in time
  <T> T opened(Terminal terminal, Supplier<T> work) {
    return database.awaited(
        terminal, work, e -> e instanceof StoreException store && store.isAway());
  }

  /// As the other, of work that returns nothing.
  void opened(Terminal terminal, Runnable work) {
    boolean unused =
        opened(
            terminal,
            () -> {
              work.run();
              return true;
            });
  }

  /// The agent of that builder with its store, beside its neighbours, once the database answers.
  ///
  /// @throws Failure when it does not in time, or the agent cannot be made
  Agent agent(
      Terminal terminal,
      AgentBuilder builder,
      AgentFile file,
      @Nullable Storage storage,
      ConversationStore store,
      ReachableAgents neighbours) {
    Time time = opened(terminal, () -> Switchboard.time(file, storage));
    builder.time(time);
    AgentBuilder kept = opened(terminal, () -> builder.store(store));
    AgentBuilder joined = opened(terminal, () -> neighbours.join(kept, file, storage, time));
    return opened(terminal, () -> AgentArgument.built(joined::build));
  }

  /// What the work opens, tried again with pauses.
  ///
  /// @param away whether an exception says that something does not answer
  /// @throws Failure when it does not in time
  <T> T awaited(Terminal terminal, Supplier<T> work, Predicate<RuntimeException> away) {
    return new Wait().awaited(terminal, work, away);
  }

  /// The wait for one thing, which several steps may need.
  private final class Wait {
    private boolean reported;
    private long end; // since the first failure
    private Duration pause = Duration.ofSeconds(1);

    <T> T awaited(Terminal terminal, Supplier<T> work, Predicate<RuntimeException> away) {
      while (true) {
        try {
          return work.get();
        } catch (RuntimeException e) {
          if (!away.test(e)) {
            throw e;
          }
          failed(terminal, e);
        }
      }
    }

    private void failed(Terminal terminal, RuntimeException e) {
      long now = Time.SYSTEM.nanos();
      end = reported ? end : now + most().toNanos();
      long left = end - now;
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        throw Failure.work(sentence(e), e);
      }
      if (!reported) {
        terminal.err().println(sentence(e) + " Trying again for " + stated() + ".");
        terminal.err().flush();
        reported = true;
      }
      Duration next = pause.toNanos() < left ? pause : Duration.ofNanos(left);
      Time.SYSTEM.pause(new Time.Signal(), next);
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
    }
  }

  private String stated() {
    return wait == null ? "1m" : wait;
  }

  private static String sentence(RuntimeException e) {
    String text = String.valueOf(e.getMessage());
    return text.endsWith(".") ? text : text + ".";
  }
}
