package dev.switchboard.contract;

import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Claim;
import dev.switchboard.execution.ConversationQueue.Kept;
import dev.switchboard.execution.ConversationQueue.Listening;
import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.handler.ToolContext;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.Event;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store whose process dies right behind its n-th write: nothing reads or writes any more, and
/// what was written stays. A deed and the write of its result are one: while a handler is between
/// them, no other begins, and the process does not die.
public final class DyingStore implements ConversationStore {
  private final ConversationStore durable;
  private final boolean mortal;
  private int left; // guarded by this
  private boolean dead; // guarded by this
  private @Nullable String deed; // the call whose handler is at work; guarded by this

  public static final class Killed extends Error {
    private static final long serialVersionUID = 1;

    static {
      // Its threads say nothing when they end with their process.
      Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
        if (!(thrown instanceof Killed)) {
          System.err.print("Exception in thread \"" + thread.getName() + "\" ");
          thrown.printStackTrace();
        }
      });
    }

    public Killed() {
      super(null, null, false, false);
    }
  }

  public DyingStore(ConversationStore durable, int writes) {
    this.durable = durable;
    left = writes;
    mortal = writes > 0;
  }

  /// Dies now, even within a deed.
  public synchronized void die() {
    dead = true;
    notifyAll();
  }

  public synchronized void alive() {
    if (dead) {
      throw new Killed();
    }
  }

  public synchronized void beginDeed(String callId) {
    while (deed != null && !dead) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new Killed();
      }
    }
    alive();
    deed = callId;
  }

  public synchronized void endDeed(String callId) {
    if (callId.equals(deed)) {
      deed = null;
      notifyAll();
    }
  }

  public synchronized boolean isAlive() {
    return !dead;
  }

  /// Deeds that are one with the writes of their results.
  public DurableScenario.Before guarding(DurableScenario.Before before) {
    return new DurableScenario.Before() {
      @Override
      public void deed(ToolContext context) {
        if (mortal) {
          beginDeed(context.toolCallId());
        }
        before.deed(context);
      }

      @Override
      public void result(ToolContext context) {
        before.result(context);
      }

      @Override
      public void failed(ToolContext context) {
        endDeed(context.toolCallId());
      }
    };
  }

  private synchronized void wrote() {
    left--;
    if (left <= 0 && mortal && deed == null) {
      dead = true;
      notifyAll();
    }
    alive();
  }

  private final class DyingCell<S> implements Cell<S> {
    private final Cell<S> cell;

    DyingCell(Cell<S> cell) {
      this.cell = cell;
    }

    @Override
    public Version<S> load() {
      alive();
      return cell.load();
    }

    @Override
    public boolean replace(Version<S> expected, S next) {
      alive();
      boolean replaced = cell.replace(expected, next);
      wrote();
      return replaced;
    }
  }

  @Override
  public Cell<ConversationState> state(String conversation) {
    return new DyingCell<>(durable.state(conversation));
  }

  @Override
  public Loaded load(String conversation) {
    return new Loaded(state(conversation).load(), durable.load(conversation).principal());
  }

  @Override
  public Cell<AgentState> agent() {
    return new DyingCell<>(durable.agent());
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    alive();
    return durable.settledCall(conversation, id);
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    alive();
    return durable.settledCalls(conversation, turn);
  }

  @Override
  public Written write(String conversation, long fence, Writing writing) {
    alive();
    Written written = durable.write(conversation, fence, writing);
    writing.calls().forEach(settled -> endDeed(settled.call().call().id()));
    wrote();
    return written;
  }

  @Override
  public List<Event.Logged> events(String conversation, long after, int most) {
    alive();
    return durable.events(conversation, after, most);
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    alive();
    return durable.lines(conversation, most);
  }

  @Override
  public @Nullable ConversationQueue queue() {
    ConversationQueue queue = durable.queue();
    return queue == null ? null : new DyingQueue(queue);
  }

  private final class DyingQueue implements ConversationQueue {
    private final ConversationQueue queue;

    DyingQueue(ConversationQueue queue) {
      this.queue = queue;
    }

    private <T extends @Nullable Object> T written(T outcome) {
      wrote();
      return outcome;
    }

    @Override
    public boolean submit(String conversation, String principal, Line input) {
      alive();
      return written(queue.submit(conversation, principal, input));
    }

    @Override
    public boolean submitKnown(String conversation, String principal, Line input) {
      alive();
      return written(queue.submitKnown(conversation, principal, input));
    }

    @Override
    public List<Line> inputs(String conversation) {
      alive();
      return queue.inputs(conversation);
    }

    @Override
    public Kept kept(String conversation, int turn, int most) {
      alive();
      return queue.kept(conversation, turn, most);
    }

    @Override
    public void drop(String conversation, String input) {
      alive();
      queue.drop(conversation, input);
      wrote();
    }

    @Override
    public List<Claim> claim(Duration hold, int most, int lines) {
      alive();
      List<Claim> claims = queue.claim(hold, most, lines);
      return claims.isEmpty() ? claims : written(claims);
    }

    @Override
    public List<String> postpone(Duration time, int most) {
      alive();
      return queue.postpone(time, most);
    }

    @Override
    public @Nullable Duration untilDue() {
      alive();
      return queue.untilDue();
    }

    @Override
    public void cancel(String conversation) {
      alive();
      queue.cancel(conversation);
      wrote();
    }

    @Override
    public Set<String> cancelled(Collection<String> conversations) {
      alive();
      return queue.cancelled(conversations);
    }

    @Override
    public Map<String, Standing> standing(Collection<String> conversations) {
      alive();
      return queue.standing(conversations);
    }

    @Override
    public int due() {
      alive();
      return queue.due();
    }

    @Override
    public Listening listen(Consumer<Announcement> listener) {
      return queue.listen(listener);
    }
  }
}
