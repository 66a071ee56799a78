package dev.switchboard.store;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.AgentState;
import dev.switchboard.execution.Cell;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.SessionState;
import dev.switchboard.execution.SessionState.Waiting;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.time.Time;
import dev.switchboard.tool.ToolCall;
import dev.switchboard.tool.ToolResult;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Conversations of an agent in a database, which several agents may share.
///
/// Safe for use by several threads and processes. What a method has kept survives the death of the
/// process.
final class SqlStore implements ConversationStore {
  private final Sql sql;
  private final String agent;
  private final Runnable closing;

  SqlStore(Sql sql, String agent, Runnable closing) {
    this.sql = sql;
    this.agent = agent;
    this.closing = closing;
  }

  @Override
  public Cell<SessionState> state(String conversation) {
    return new OfConversation(conversation);
  }

  @Override
  public Cell<AgentState> agent() {
    return new OfAgent();
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    String command =
        "SELECT call_id, tool, arguments, result FROM settled_call"
            + " WHERE agent = ? AND conversation = ? AND call_id = ?";
    return first(sql.query(command, this::settledCall, agent, conversation, id));
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    String command =
        "SELECT call_id, tool, arguments, result FROM settled_call"
            + " WHERE agent = ? AND conversation = ? AND turn = ? ORDER BY number";
    return sql.query(command, this::settledCall, agent, conversation, turn);
  }

  private SettledCall settledCall(Fields row) throws SQLException {
    ToolCall call = ToolCall.of(row.text(1), row.text(2), row.text(3));
    try {
      return new SettledCall(call, ToolResult.read(Json.text(row.text(4))));
    } catch (IllegalArgumentException | JsonException e) {
      throw sql.damaged("a result", "is damaged");
    }
  }

  @Override
  public void settled(String conversation, int turn, SettledCall settled) {
    // The first result of an id is the one: calls are answered once.
    String command =
        "INSERT INTO settled_call"
            + " (agent, conversation, call_id, turn, tool, arguments, result, at)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
    ToolCall call = settled.call();
    String result = settled.result().json().text();
    String arguments = call.arguments().text();
    sql.change(
        command,
        agent,
        conversation,
        call.id(),
        turn,
        call.name(),
        arguments,
        result,
        Time.SYSTEM.now().toEpochMilli());
  }

  @Override
  public Cell<Json> loop(String conversation) {
    return new LoopCell(sql, agent, conversation);
  }

  @Override
  public boolean append(String conversation, Line line) {
    return sql.change(
        "INSERT INTO line (agent, conversation, key, entry, at) VALUES (?, ?, ?, ?, ?)"
            + " ON CONFLICT DO NOTHING",
        agent,
        conversation,
        line.key(),
        line.entry().text(),
        Time.SYSTEM.now().toEpochMilli());
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    String command =
        "SELECT key, entry FROM (SELECT number, key, entry FROM line"
            + " WHERE agent = ? AND conversation = ? ORDER BY number DESC LIMIT ?) AS latest"
            + " ORDER BY number";
    return sql.query(
        command, row -> new Line(row.text(1), Json.text(row.text(2))), agent, conversation, most);
  }

  @Override
  public List<ConsentRequest> waiting() {
    String command = "SELECT state FROM conversation WHERE agent = ? AND due IS NOT NULL";
    return sql.query(command, row -> conversation(row.text(1)), agent).stream()
        .flatMap(state -> state.waiting().stream())
        .filter(waiting -> waiting.takenUntil() == null)
        .map(Waiting::request)
        .sorted(Comparator.comparing(ConsentRequest::expiresAt))
        .toList();
  }

  @Override
  public List<Summary> conversations() {
    return new ConversationTable(sql, agent, this::conversation).all();
  }

  @Override
  public boolean delete(String conversation) {
    return new ConversationTable(sql, agent, this::conversation).delete(conversation);
  }

  @Override
  public <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return sql.within(patience, work);
  }

  @Override
  public void close() {
    closing.run();
  }

  private SessionState conversation(String text) {
    try {
      return StateCodec.conversation(text);
    } catch (IllegalArgumentException e) {
      throw sql.damaged("the state of a conversation", e.getMessage());
    }
  }

  private AgentState agentState(String text) {
    try {
      return StateCodec.agent(text);
    } catch (IllegalArgumentException e) {
      throw sql.damaged("the state of the agent", e.getMessage());
    }
  }

  private static <T> @Nullable T first(List<T> rows) {
    return rows.isEmpty() ? null : rows.getFirst();
  }

  private final class OfConversation implements Cell<SessionState> {
    private final String id;

    OfConversation(String id) {
      this.id = id;
    }

    @Override
    public Version<SessionState> load() {
      Version<SessionState> kept =
          first(
              sql.query(
                  "SELECT version, state FROM conversation WHERE agent = ? AND id = ?",
                  row -> new Version<>(row.number(1), conversation(row.text(2))),
                  agent,
                  id));
      return kept == null ? new Version<>(0, SessionState.NEW) : kept;
    }

    @Override
    public boolean replace(Version<SessionState> expected, SessionState next) {
      String state = StateCodec.write(next);
      return expected.number() == 0
          ? sql.change(
              "INSERT INTO conversation (version, state, due, agent, id)"
                  + " VALUES (1, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
              state,
              due(next),
              agent,
              id)
          : sql.change(
              "UPDATE conversation SET version = version + 1, state = ?, due = ?"
                  + " WHERE agent = ? AND id = ? AND version = ?",
              state,
              due(next),
              agent,
              id,
              expected.number());
    }

    private static @Nullable Long due(SessionState state) {
      return state.waiting().stream()
          .filter(waiting -> waiting.takenUntil() == null)
          .map(waiting -> waiting.request().expiresAt())
          .min(Comparator.naturalOrder())
          .map(Instant::toEpochMilli)
          .orElse(null);
    }
  }

  private final class OfAgent implements Cell<AgentState> {
    @Override
    public Version<AgentState> load() {
      Version<AgentState> kept =
          first(
              sql.query(
                  "SELECT version, state FROM agent_state WHERE agent = ?",
                  row -> new Version<>(row.number(1), agentState(row.text(2))),
                  agent));
      return kept == null ? new Version<>(0, AgentState.NEW) : kept;
    }

    @Override
    public boolean replace(Version<AgentState> expected, AgentState next) {
      String state = StateCodec.write(next);
      return expected.number() == 0
          ? sql.change(
              "INSERT INTO agent_state (version, state, agent) VALUES (1, ?, ?)"
                  + " ON CONFLICT DO NOTHING",
              state,
              agent)
          : sql.change(
              "UPDATE agent_state SET version = version + 1, state = ?"
                  + " WHERE agent = ? AND version = ?",
              state,
              agent,
              expected.number());
    }
  }
}
