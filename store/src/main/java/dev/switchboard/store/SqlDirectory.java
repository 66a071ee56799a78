package dev.switchboard.store;

import dev.switchboard.consent.ConsentRequest;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationDirectory.Header;
import dev.switchboard.execution.ConversationDirectory.Summary;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.Position;
import dev.switchboard.state.Selection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The conversations of an agent, in all tables with data of one.
final class SqlDirectory implements ConversationDirectory {
  private static final int AT_ONCE = 500;

  private static final List<String> DELETIONS =
      List.of(
          "DELETE FROM line WHERE agent = ? AND conversation = ?",
          "DELETE FROM event WHERE agent = ? AND conversation = ?",
          "DELETE FROM input WHERE agent = ? AND conversation = ?",
          "DELETE FROM client_key WHERE agent = ? AND conversation = ?",
          "DELETE FROM request WHERE agent = ? AND conversation = ?",
          "DELETE FROM conversation WHERE agent = ? AND id = ?");

  private static final String SUMMARIES =
      """
      SELECT id, state, created,
        (SELECT coalesce(max(number), 0) FROM event WHERE event.agent = conversation.agent
          AND event.conversation = conversation.id),
        principal, tenant, agent_version, metadata,
        (SELECT count(*) FROM line WHERE line.agent = conversation.agent
          AND line.conversation = conversation.id AND line.turn IS NOT NULL),
        (SELECT at FROM line WHERE line.agent = conversation.agent
          AND line.conversation = conversation.id ORDER BY number DESC LIMIT 1),
        (SELECT at FROM event WHERE event.agent = conversation.agent
          AND event.conversation = conversation.id ORDER BY number DESC LIMIT 1),
        (SELECT max(number) FROM line WHERE line.agent = conversation.agent
          AND line.conversation = conversation.id),
        CASE WHEN due <= {now} THEN 1 ELSE 0 END
      FROM conversation WHERE agent = ?
      """;

  private final Sql sql;
  private final String agent;
  private final Function<String, ConversationState> state;

  /// @param state reads the state of a conversation
  SqlDirectory(Sql sql, String agent, Function<String, ConversationState> state) {
    this.sql = sql;
    this.agent = agent;
    this.state = state;
  }

  @Override
  public boolean create(String conversation, Header header) {
    return sql.change(
        "INSERT INTO conversation (agent, id, version, state, fence, created, principal,"
            + " tenant, agent_version, metadata) VALUES (?, ?, 0, ?, 0, ?, ?, ?, ?, ?)"
            + " ON CONFLICT DO NOTHING",
        agent,
        conversation,
        StoredForm.NEW,
        sql.clock().now().toEpochMilli(),
        header.principal(),
        header.tenant(),
        header.agentVersion(),
        header.metadata().text());
  }

  @Override
  public String keyed(String principal, String key, String conversation, Instant since) {
    boolean unused = sql.change("DELETE FROM client_key WHERE created < ?", since.toEpochMilli());
    unused =
        sql.change(
            "INSERT INTO client_key (agent, principal, key, conversation, created) VALUES"
                + " (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            agent,
            principal,
            key,
            conversation,
            sql.clock().now().toEpochMilli());
    return sql.query(
            "SELECT conversation FROM client_key WHERE agent = ? AND principal = ? AND key = ?",
            row -> row.text(1),
            agent,
            principal,
            key)
        .getFirst();
  }

  private String summaries() {
    return SUMMARIES.replace("{now}", sql.syntax().now());
  }

  @Override
  public List<Summary> conversations() {
    return sql.query(summaries(), this::summary, agent);
  }

  @Override
  public @Nullable Summary conversation(String id) {
    List<Summary> found = sql.query(summaries() + "AND id = ?", this::summary, agent, id);
    return found.isEmpty() ? null : found.getFirst();
  }

  @Override
  public Map<String, String> principals(Set<String> ids) {
    Map<String, String> principals = new HashMap<>();
    for (List<Object> values : inGroups(agent, ids)) {
      sql.query(
              "SELECT id, principal FROM conversation WHERE agent = ? AND id IN " + places(values),
              row -> Map.entry(row.text(1), row.text(2)),
              values.toArray())
          .forEach(one -> principals.put(one.getKey(), one.getValue()));
    }
    return principals;
  }

  /// An index has them in this order, so that only the rows of the page are read; of those that
  /// run, the keys of all.
  @Override
  public List<Summary> conversations(Selection selection) {
    return switch (selection.activity()) {
      case ANY -> {
        List<Object> values = new ArrayList<>(List.of(agent));
        String page = page(selection, sql.syntax().exact("id"), values);
        yield sql.query(
            summaries()
                + page
                + " ORDER BY created DESC, "
                + sql.syntax().exact("id")
                + " DESC LIMIT ?",
            this::summary,
            values.toArray());
      }
      case WAITING -> summaries(keys("DISTINCT ", "conversation", "request", "", selection));
      case RUNNING ->
          summaries(
              keys(
                  "",
                  "id",
                  "conversation",
                  " AND due IS NOT NULL AND (held = 1 OR due <= " + sql.syntax().now() + ")",
                  selection));
    };
  }

  /// The ids of a page.
  private List<String> keys(
      String distinct, String id, String table, String condition, Selection selection) {
    List<Object> values = new ArrayList<>(List.of(agent));
    String page = page(selection, sql.syntax().exact(id), values);
    return sql.query(
        "SELECT %screated, %s FROM %s WHERE agent = ?%s%s ORDER BY 1 DESC, 2 DESC LIMIT ?"
            .formatted(distinct, sql.syntax().exact(id), table, condition, page),
        row -> row.text(2),
        values.toArray());
  }

  /// The condition of a page, whose values are added.
  private static String page(Selection selection, String id, List<Object> values) {
    String page = "";
    if (selection.principal() != null) {
      page += " AND principal = ?";
      values.add(selection.principal());
    }
    Position before = selection.before();
    if (before != null) {
      page += " AND (created, " + id + ") < (?, ?)";
      values.addAll(List.of(before.at().toEpochMilli(), before.id()));
    }
    values.add(selection.most());
    return page;
  }

  private List<Summary> summaries(List<String> ids) {
    List<Summary> found = new ArrayList<>();
    for (List<Object> values : inGroups(agent, ids)) {
      found.addAll(
          sql.query(summaries() + "AND id IN " + places(values), this::summary, values.toArray()));
    }
    found.sort(Comparator.comparing(Summary::position, Position.DESCENDING));
    return found;
  }

  /// The values of queries about that many conversations at once, after the agent.
  static List<List<Object>> inGroups(String agent, Collection<String> conversations) {
    List<List<Object>> groups = new ArrayList<>();
    List<String> ids = List.copyOf(conversations);
    for (int from = 0; from < ids.size(); from += AT_ONCE) {
      List<Object> values = new ArrayList<>(List.of(agent));
      values.addAll(ids.subList(from, Math.min(ids.size(), from + AT_ONCE)));
      groups.add(values);
    }
    return groups;
  }

  static String places(List<Object> values) {
    return "(?" + ", ?".repeat(values.size() - 2) + ")";
  }

  private Summary summary(Fields row) throws SQLException {
    String id = row.text(1);
    ConversationState kept = state.apply(row.text(2));
    Instant started = instant(row, 3);
    Instant last = later(instant(row, 10), instant(row, 11));
    if ((started == null || last == null) && row.number(12) > 0) {
      List<Instant> moments = ofLines(id);
      started = started == null && !moments.isEmpty() ? moments.getFirst() : started;
      last = last == null && !moments.isEmpty() ? moments.getLast() : last;
    }
    String metadata = row.textOrNull(8);
    Header header =
        new Header(
            row.text(5),
            row.textOrNull(6),
            row.textOrNull(7),
            metadata == null ? Json.EMPTY_OBJECT : Json.text(metadata));
    return new Summary(
        id,
        started,
        last,
        kept.turn(),
        row.small(9),
        kept.unanswered().size(),
        row.number(4),
        header,
        kept.lease().until() != null || row.small(13) == 1,
        kept.isSetAside());
  }

  private static @Nullable Instant instant(Fields row, int column) throws SQLException {
    Long millis = row.numberOrNull(column);
    return millis == null || millis == 0 ? null : Instant.ofEpochMilli(millis);
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || other != null && other.isAfter(one) ? other : one;
  }

  /// When the first and the latest line were written, as the lines say: those of an earlier version
  /// have no other time.
  private List<Instant> ofLines(String id) {
    List<Instant> moments = new ArrayList<>();
    for (String order : List.of("", " DESC")) {
      sql.query(
              "SELECT entry FROM line WHERE agent = ? AND conversation = ? AND turn IS NULL"
                  + " ORDER BY number"
                  + order
                  + " LIMIT 1",
              row -> row.text(1),
              agent,
              id)
          .forEach(entry -> {
            try {
              moments.add(Instant.parse(Json.text(entry).tree().path("at").asString("")));
            } catch (DateTimeException | JsonException e) {
              // Its time is not known.
            }
          });
    }
    return moments;
  }

  @Override
  public List<ConsentRequest> waiting(Selection selection) {
    return new RequestTable(sql, agent, state).selected(selection);
  }

  @Override
  public List<String> due(Instant moment, int most) {
    return sql.query(
        "SELECT id FROM conversation WHERE agent = ? AND due <= ? ORDER BY due LIMIT ?",
        row -> row.text(1),
        agent,
        moment.toEpochMilli(),
        most);
  }

  @Override
  public boolean delete(String conversation) {
    LineTable lines = new LineTable(agent, sql.clock());
    boolean deleted =
        sql.together(session -> {
          // Who writes something of it meanwhile is done with that before, or finds nothing.
          boolean any = session.run(List.of(lines.lock(conversation, 0, null))).isKept();
          for (String command : DELETIONS) {
            any |= session.change(command, agent, conversation);
          }
          session.forget();
          return any;
        });
    if (deleted) {
      sql.scrub();
    }
    return deleted;
  }
}
