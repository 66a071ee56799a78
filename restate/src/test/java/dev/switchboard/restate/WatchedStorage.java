package dev.switchboard.restate;

import dev.switchboard.execution.ConversationStore;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.tool.Event;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A storage behind whose writes something happens, such as the death of the process.
///
/// @param behind takes every write, right behind it
/// @param behindAgent is run behind every write of the agent's state
record WatchedStorage(
    ConversationStore durable,
    Consumer<ConversationStore.Writing> behind,
    AtomicReference<Runnable> behindAgent)
    implements ConversationStore {
  WatchedStorage(ConversationStore durable, Consumer<Writing> behind) {
    this(durable, behind, new AtomicReference<>(() -> {}));
  }

  @Override
  public Loaded load(String conversation) {
    return durable.load(conversation);
  }

  @Override
  public Cell<ConversationState> state(String conversation) {
    Cell<ConversationState> cell = durable.state(conversation);
    return new Cell<>() {
      @Override
      public Version<ConversationState> load() {
        return cell.load();
      }

      @Override
      public boolean replace(Version<ConversationState> expected, ConversationState next) {
        return write(conversation, 0, Writing.of(expected, next)).outcome() == Outcome.DONE;
      }
    };
  }

  @Override
  public Cell<AgentState> agent() {
    Cell<AgentState> cell = durable.agent();
    return new Cell<>() {
      @Override
      public Version<AgentState> load() {
        return cell.load();
      }

      @Override
      public boolean replace(Version<AgentState> expected, AgentState next) {
        boolean replaced = cell.replace(expected, next);
        behindAgent.get().run();
        return replaced;
      }
    };
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    return durable.settledCall(conversation, id);
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    return durable.settledCalls(conversation, turn);
  }

  @Override
  public Written write(String conversation, long fence, Writing writing) {
    Written written = durable.write(conversation, fence, writing);
    behind.accept(writing);
    return written;
  }

  @Override
  public List<Event.Logged> events(String conversation, long after, int most) {
    return durable.events(conversation, after, most);
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    return durable.lines(conversation, most);
  }
}
