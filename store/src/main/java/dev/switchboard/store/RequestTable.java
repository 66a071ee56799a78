package dev.switchboard.store;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.json.Records.UnreadableException;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import dev.switchboard.state.WaitingCall;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The open requests of an agent's conversations in the order in which they expire: an index of
/// what the states of the conversations hold, written together with them.
///
/// @param state reads the state of a conversation
record RequestTable(Sql sql, String agent, Function<String, ConversationState> state) {
  private static final String REMOVE = "DELETE FROM request WHERE agent = ? AND conversation = ?";

  private static final String ADD =
      "INSERT INTO request (agent, conversation, id, name, principal, created, expires)"
          + " SELECT agent, id, ?, ?, principal, coalesce(created, 0), ? FROM conversation"
          + " WHERE agent = ? AND id = ? ON CONFLICT DO NOTHING";

  private static final int PAGE = 100;
  private static final String ASKING =
      "SELECT agent, id, state FROM conversation WHERE due IS NOT NULL AND (agent, id) > (?, ?)"
          + " ORDER BY agent, id LIMIT "
          + PAGE;

  /// The commands that follow the state of a conversation with that id.
  static List<Command> changed(
      String agent, String conversation, ConversationState before, ConversationState next) {
    List<ConsentRequest> open = next.unanswered();
    if (open.equals(before.unanswered())) {
      return List.of();
    }
    List<Command> commands = new ArrayList<>();
    commands.add(Command.change(REMOVE, agent, conversation));
    open.forEach(
        request -> commands.add(Command.change(ADD, values(agent, conversation, request))));
    return commands;
  }

  private static Object[] values(String agent, String conversation, ConsentRequest request) {
    return new Object[] {
      request.id(),
      request.qualifiedId(),
      Position.of(request).at().toEpochMilli(),
      agent,
      conversation
    };
  }

  /// The selected requests.
  List<ConsentRequest> selected(Selection selection) {
    StringBuilder query =
        new StringBuilder(
            "SELECT r.conversation, r.id, c.state FROM request r JOIN conversation c"
                + " ON c.agent = r.agent AND c.id = r.conversation WHERE r.agent = ?");
    List<Object> values = new ArrayList<>(List.of(agent));
    if (selection.principal() != null) {
      query.append(" AND r.principal = ?");
      values.add(selection.principal());
    }
    Position before = selection.before();
    if (before != null) {
      query.append(" AND (r.expires, r.name) > (?, ?)");
      values.addAll(List.of(before.at().toEpochMilli(), before.id()));
    }
    query.append(" ORDER BY r.expires, r.name LIMIT ?");
    values.add(selection.most());
    Map<String, ConversationState> states = new HashMap<>();
    return sql.query(query.toString(), row -> request(row, states), values.toArray()).stream()
        .flatMap(Optional::stream)
        .toList();
  }

  /// The request of a row; empty if the state does not have it.
  private Optional<ConsentRequest> request(Fields row, Map<String, ConversationState> states)
      throws SQLException {
    String text = row.text(3);
    ConversationState read = states.computeIfAbsent(row.text(1), id -> state.apply(text));
    return Optional.ofNullable(read.waiting(row.text(2)))
        .filter(WaitingCall::isUnanswered)
        .map(WaitingCall::request);
  }

  /// Fills the table from the states of all conversations, once, in a store without one.
  static void fill(SqlSession session) throws SQLException {
    List<Asking> page = asking(session, "", "");
    while (!page.isEmpty()) {
      for (Asking asking : page) {
        for (ConsentRequest request : asking.state.unanswered()) {
          boolean unused = session.change(ADD, values(asking.agent, asking.conversation, request));
        }
      }
      Asking last = page.getLast();
      page = asking(session, last.agent, last.conversation);
    }
  }

  private record Asking(String agent, String conversation, ConversationState state) {}

  private static List<Asking> asking(SqlSession session, String agent, String conversation)
      throws SQLException {
    return session.query(
        ASKING,
        row -> new Asking(row.text(1), row.text(2), readable(row.text(3))),
        agent,
        conversation);
  }

  /// The state; that of a new conversation if it is damaged, which is reported whenever it is
  /// opened.
  private static ConversationState readable(String text) {
    try {
      return StoredForm.CONVERSATION.read(text);
    } catch (UnreadableException e) {
      return ConversationState.NEW;
    }
  }
}
