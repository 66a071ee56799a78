package dev.switchboard.agent;

import dev.switchboard.contract.DurableHostContract.Machine;
import dev.switchboard.contract.DurableScenario;
import dev.switchboard.contract.DurableSweep;
import dev.switchboard.contract.DyingStore;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.loop.Input;
import dev.switchboard.testing.ManualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Processes that hold conversations by themselves, one process at a time, as a server does without
/// workers: the next one goes on with what the last one left. What is handed in waits outside of
/// them, and is handed to the next one again where one dies with it.
final class ProcessMachines implements DurableSweep.Mortal {
  private static final String HOST = "process";

  private final DurableScenario scenario;
  private final ConversationStore durable;
  private final ManualTime time = new ManualTime();
  private final List<Submitted> waiting = new ArrayList<>(); // guarded by this
  private final Set<String> known = new HashSet<>(); // guarded by this
  private final Map<String, Conversation> talks = new ConcurrentHashMap<>();

  private record Submitted(String conversation, Input input) {}

  ProcessMachines(DurableScenario scenario, ConversationStore durable) {
    this.scenario = scenario;
    this.durable = durable;
  }

  @Override
  public Machine start(DurableScenario.Before before, int writes) {
    return new OneProcess(new DyingStore(durable, writes), before);
  }

  private final class OneProcess implements Machine {
    private final DyingStore store;
    private final Agent agent;
    private final Thread thread;
    private volatile boolean closing;

    OneProcess(DyingStore store, DurableScenario.Before before) {
      this.store = store;
      agent = scenario.agent(store, store.guarding(before)).time(time).build();
      thread = Thread.ofVirtual().name("process").start(this::run);
    }

    private boolean runs() {
      return !closing && isAlive();
    }

    private void run() {
      for (Submitted next = next(this); next != null; next = next(this)) {
        try {
          take(next);
          done(next);
        } catch (RuntimeException | Error e) {
          if (isAlive()) {
            throw e;
          }
        }
      }
    }

    private void take(Submitted next) {
      ConversationOptions options =
          ConversationOptions.NONE.withLog(event -> {}).withSoleHost(HOST);
      try (Conversation talk = agent.conversation(next.conversation, options)) {
        talks.put(next.conversation, talk);
        Turn unused = talk.take(next.input, null);
      } finally {
        talks.remove(next.conversation);
      }
    }

    @Override
    public void die() {
      store.die();
      wake();
    }

    @Override
    public boolean isAlive() {
      return store.isAlive();
    }

    @Override
    public void close() {
      closing = true;
      wake();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /// What is next for that process; null once it has ended.
  private synchronized @Nullable Submitted next(OneProcess process) {
    try {
      while (process.runs() && waiting.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return process.runs() ? waiting.getFirst() : null;
  }

  private synchronized void done(Submitted input) {
    waiting.remove(input);
  }

  private synchronized void wake() {
    notifyAll();
  }

  @Override
  public Agent.Queue queue() {
    return new Agent.Queue() {
      @Override
      public boolean submit(String conversation, Input input) {
        return add(conversation, input);
      }

      @Override
      public void cancel(String conversation) {
        Conversation talk = talks.get(conversation);
        if (talk != null) {
          talk.cancel();
        }
      }
    };
  }

  private synchronized boolean add(String conversation, Input input) {
    boolean added = known.add(conversation + " " + input.id());
    if (added) {
      waiting.add(new Submitted(conversation, input));
      notifyAll();
    }
    return added;
  }

  @Override
  public ConversationStore store() {
    return durable;
  }

  @Override
  public void close() {
    durable.close();
  }
}
