package dev.switchboard.server;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.InProcessConversations;
import dev.switchboard.execution.StoreException;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Selection;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store that can be read always, and written only while its disk is not full.
final class FullDisk implements ConversationStore, ConversationDirectory {
  private final InProcessConversations kept = new InProcessConversations();
  private volatile boolean full;

  void full(boolean now) {
    full = now;
  }

  private ConversationStore written() {
    if (full) {
      throw new StoreException("The disk is full.", StoreException.Kind.PASSING, null);
    }
    return kept;
  }

  private <S> Cell<S> cell(Cell<S> of) {
    return new Cell<>() {
      @Override
      public Version<S> load() {
        return of.load();
      }

      @Override
      public boolean replace(Version<S> expected, S next) {
        ConversationStore unused = written();
        return of.replace(expected, next);
      }
    };
  }

  @Override
  public Cell<ConversationState> state(String conversation) {
    return cell(kept.state(conversation));
  }

  @Override
  public Loaded load(String conversation) {
    return kept.load(conversation);
  }

  @Override
  public Cell<AgentState> agent() {
    return cell(kept.agent());
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    return kept.settledCall(conversation, id);
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    return kept.settledCalls(conversation, turn);
  }

  @Override
  public Written write(String conversation, long fence, Writing writing) {
    return written().write(conversation, fence, writing);
  }

  @Override
  public List<Event.Logged> events(String conversation, long after, int most) {
    return kept.events(conversation, after, most);
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    return kept.lines(conversation, most);
  }

  @Override
  public ConversationDirectory directory() {
    return this;
  }

  @Override
  public List<ConsentRequest> waiting(Selection selection) {
    return kept.waiting(selection);
  }

  @Override
  public boolean create(String conversation, Header header) {
    return written().directory().create(conversation, header);
  }

  @Override
  public List<Summary> conversations() {
    return kept.conversations();
  }

  @Override
  public @Nullable Summary conversation(String id) {
    return kept.conversation(id);
  }

  @Override
  public List<String> due(Instant moment, int most) {
    return kept.due(moment, most);
  }

  @Override
  public boolean delete(String conversation) {
    return written().directory().delete(conversation);
  }
}
