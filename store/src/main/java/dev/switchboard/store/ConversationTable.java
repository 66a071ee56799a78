package dev.switchboard.store;

import dev.switchboard.execution.ConversationStore.Replacement;
import dev.switchboard.execution.ConversationStore.Writing;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of an agent's conversations, each with its state.
final class ConversationTable {
  private final Sql sql;
  private final String agent;

  ConversationTable(Sql sql, String agent) {
    this.sql = sql;
    this.agent = agent;
  }

  /// Replaces the state if the given one is the latest, and locks it for other writers; in a shared
  /// database, the last command returns when the conversation is due.
  ///
  /// @param queue of that database, null if one process has it
  List<Command> replacing(
      String conversation, Writing writing, Replacement replacement, @Nullable QueueTable queue) {
    ConversationState next = replacement.next();
    String state = StoredForm.CONVERSATION.write(next);
    List<Command> commands = new ArrayList<>();
    if (replacement.expected().number() == 0) {
      commands.add(new LineTable(agent, sql.clock()).begin(conversation, writing.owner()));
    }
    List<Command> requests =
        RequestTable.changed(agent, conversation, replacement.expected().value(), next);
    if (queue == null) {
      Command.Token left =
          new Command.Token(agent, conversation, next.lease().fence(), writing.principal());
      commands.addAll(requests);
      commands.add(replaced(replacement, state, left).leaving(left).orNone());
    } else {
      List<Command> shared = replacedShared(queue, conversation, writing, replacement, state);
      commands.addAll(shared.subList(0, shared.size() - 1));
      commands.addAll(requests);
      commands.add(shared.getLast());
    }
    return commands;
  }

  private Command.Change replaced(Replacement replacement, String state, Command.Token left) {
    List<Object> values = new ArrayList<>(List.of(state));
    boolean isDueAsBefore = isDueAsBefore(replacement);
    if (!isDueAsBefore) {
      values.addAll(List.of(due(replacement.next()), left.fence()));
    }
    values.addAll(List.of(agent, left.conversation(), replacement.expected().number()));
    return Command.change(
        "UPDATE conversation SET version = version + 1, state = ?"
            + (isDueAsBefore ? "" : ", due = ?, fence = ?")
            + " WHERE agent = ? AND id = ? AND version = ?"
            + ofPrincipal(left.principal(), values),
        values.toArray());
  }

  /// The condition that the row is that principal's, whose value is added; null for anyone's.
  private static String ofPrincipal(@Nullable String principal, List<Object> values) {
    if (principal == null) {
      return "";
    }
    values.add(principal);
    return " AND principal = ?";
  }

  /// Whether it keeps a lease whose end was written with it: to write that again would be to write
  /// its index too.
  private static boolean isDueAsBefore(Replacement replacement) {
    Lease lease = replacement.next().lease();
    return lease.until() != null && lease.equals(replacement.expected().value().lease());
  }

  /// Replaces the state in a shared database, where waiting inputs make the conversation due;
  /// returns when it is due then, -1 for never.
  private List<Command> replacedShared(
      QueueTable queue,
      String conversation,
      Writing writing,
      Replacement replacement,
      String state) {
    List<Command> commands = new ArrayList<>();
    ConversationState next = replacement.next();
    boolean held = next.lease().until() != null;
    if (!held) {
      // A command that waits for the row sees no input that was kept meanwhile; one after that
      // does.
      commands.add(new LineTable(agent, sql.clock()).lock(conversation, 0, writing.principal()));
    }
    commands.addAll(queue.taken(conversation, replacement.expected().value(), next));
    List<Object> values = new ArrayList<>();
    values.add(state);
    if (!held) {
      values.addAll(List.of(agent, conversation));
    }
    values.addAll(
        List.of(
            due(next), next.lease().fence(), agent, conversation, replacement.expected().number()));
    commands.add(
        Command.change(
                "UPDATE conversation SET version = version + 1, state = ?, "
                    + (held
                        ? "held = 1, due = ?"
                        : "held = 0, cancelled = 0, due = " + QueueTable.DUE)
                    + ", fence = ? WHERE agent = ? AND id = ? AND version = ?"
                    + ofPrincipal(writing.principal(), values),
                values.toArray())
            .returning("coalesce(due, -1)")
            .orNone());
    return commands;
  }

  private static Object due(ConversationState state) {
    Instant due = state.due();
    return Missing.NUMBER.or(due == null ? null : due.toEpochMilli());
  }
}
