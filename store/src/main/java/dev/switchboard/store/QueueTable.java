package dev.switchboard.store;

import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement;
import dev.switchboard.execution.ConversationQueue.Announcement.Topic;
import dev.switchboard.execution.ConversationQueue.Claim;
import dev.switchboard.execution.ConversationQueue.Kept;
import dev.switchboard.execution.ConversationQueue.Standing;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ConversationStore.SettledCall;
import dev.switchboard.json.Json;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.state.ConversationState.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The waiting inputs of an agent's conversations, and which process holds a conversation.
///
/// @param state reads the state of a conversation
/// @param settled reads a settled call
record QueueTable(
    Sql sql,
    String agent,
    Function<String, ConversationState> state,
    Function<String, SettledCall> settled)
    implements ConversationQueue {
  private static final int FEW = 4;
  private static final String KEPT =
      "SELECT 1 AS kind, number, id, entry FROM input WHERE agent = ? AND conversation = ?"
          + " UNION ALL SELECT 2, number, key, entry FROM (SELECT number, key, entry FROM"
          + " line WHERE agent = ? AND conversation = ? AND turn IS NULL ORDER BY number DESC"
          + " LIMIT ?) AS latest UNION ALL SELECT 3, number, key, entry FROM line WHERE agent"
          + " = ? AND conversation = ? AND turn = ? ORDER BY 1, 2";

  /// When a conversation is due: at the time in its state, which is the parameter, or at once if
  /// inputs wait for it.
  static final String DUE =
      "CASE WHEN EXISTS (SELECT 1 FROM input WHERE input.agent = ? AND input.conversation = ?)"
          + " THEN 0 ELSE ? END";

  @Override
  public boolean submit(String conversation, String principal, Line input) {
    return submit(conversation, principal, input, true);
  }

  @Override
  public boolean submitKnown(String conversation, String principal, Line input) {
    return submit(conversation, principal, input, false);
  }

  private boolean submit(String conversation, String principal, Line input, boolean begins) {
    // The process that holds it looks for more at the end of the turn.
    String due = "due = CASE WHEN conversation.held = 1 THEN conversation.due ELSE 0 END";
    Command.Change here =
        begins
            ? Command.change(
                "INSERT INTO conversation (agent, id, version, state, fence, created, due,"
                    + " principal) VALUES (?, ?, 0, ?, 0, ?, 0, ?) ON CONFLICT (agent, id) DO"
                    + " UPDATE SET "
                    + due
                    + " WHERE conversation.principal = excluded.principal",
                agent,
                conversation,
                StoredForm.NEW,
                sql.clock().now().toEpochMilli(),
                principal)
            : Command.change(
                "UPDATE conversation SET " + due + " WHERE agent = ? AND id = ? AND principal = ?",
                agent,
                conversation,
                principal);
    Command.Change kept =
        Command.change(
            "INSERT INTO input (agent, conversation, number, id, entry)"
                + " SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ? FROM input"
                + " WHERE agent = ? AND conversation = ? HAVING count(*) < ?"
                + " ON CONFLICT DO NOTHING",
            agent,
            conversation,
            input.key(),
            input.entry().text(),
            agent,
            conversation,
            MOST_WAITING);
    Command.Outcome done =
        sql.all(
            List.of(here.orNone(), kept.orNone()), List.of(announcement(Topic.DUE, conversation)));
    if (done.missing() == 0) {
      throw new ConversationNotFoundException(conversation);
    }
    if (!done.isKept() && inputs(conversation).size() >= MOST_WAITING) {
      throw new IllegalStateException(
          MOST_WAITING + " inputs wait in conversation '" + conversation + "'");
    }
    return done.isKept();
  }

  @Override
  public List<Line> inputs(String conversation) {
    return sql.query(
        "SELECT id, entry FROM input WHERE agent = ? AND conversation = ? ORDER BY number",
        row -> new Line(row.text(1), Json.text(row.text(2))),
        agent,
        conversation);
  }

  @Override
  public Kept kept(String conversation, int turn, int most) {
    return kept(sql.query(KEPT, Beside::of, ofKept(conversation, turn, most).toArray()));
  }

  private List<Object> ofKept(String conversation, int turn, int most) {
    return List.of(agent, conversation, agent, conversation, most, agent, conversation, turn);
  }

  private Kept kept(List<Beside> rows) {
    List<Line> inputs = new ArrayList<>();
    List<Line> lines = new ArrayList<>();
    List<SettledCall> calls = new ArrayList<>();
    for (Beside read : rows) {
      switch (read.kind) {
        case 1 -> inputs.add(read.line);
        case 2 -> lines.add(read.line);
        default -> calls.add(settled.apply(read.line.entry().text()));
      }
    }
    return new Kept(inputs, lines, calls);
  }

  /// Data that is stored of a conversation beside its state.
  private record Beside(int kind, Line line) {
    static Beside of(Fields row) throws SQLException {
      return new Beside(row.small(1), new Line(row.text(3), Json.text(row.text(4))));
    }
  }

  @Override
  public void drop(String conversation, String input) {
    boolean unused =
        sql.change(
            "DELETE FROM input WHERE agent = ? AND conversation = ? AND id = ?",
            agent,
            conversation,
            input);
  }

  /// Deletes inputs that the loop has processed since that state.
  List<Command.Change> taken(String conversation, ConversationState from, ConversationState to) {
    List<String> before = from.loop().inputs();
    return to.loop().inputs().stream()
        .filter(input -> !before.contains(input))
        .map(input ->
            Command.change(
                "DELETE FROM input WHERE agent = ? AND conversation = ? AND id = ?",
                agent,
                conversation,
                input))
        .toList();
  }

  private record Due(
      String id,
      String principal,
      long version,
      ConversationState state,
      boolean cancelled,
      long now) {}

  @Override
  public List<Claim> claim(Duration hold, int most, int lines) {
    List<Claim> claims = new ArrayList<>();
    List<List<Beside>> beside = new ArrayList<>();
    boolean unused =
        sql.together(session -> {
          claims.clear();
          beside.clear();
          List<Due> found = due(session, most);
          session.last(found.stream().map(due -> claim(due, hold, claims)).toList());
          if (lines > 0 && claims.size() <= FEW) {
            session.last(claims.stream().map(claim -> reading(claim, lines, beside)).toList());
          }
          return !found.isEmpty();
        });
    for (int i = 0; i < beside.size(); i++) {
      claims.set(i, claims.get(i).with(kept(beside.get(i))));
    }
    return claims;
  }

  /// Reads in the same round trip as the claims: by then other processes cannot change the rows.
  private Command reading(Claim claim, int lines, List<List<Beside>> beside) {
    List<Beside> rows = new ArrayList<>();
    beside.add(rows);
    return new Command.Read(
        KEPT,
        row -> rows.add(Beside.of(row)),
        ofKept(claim.conversation(), claim.state().value().turn(), lines));
  }

  /// A claim that is lost with the server is harmless, since nothing was written under it.
  private List<Due> due(SqlSession session, int most) throws SQLException {
    String now = sql.syntax().now();
    return session.query(
        "SELECT id, principal, version, state, cancelled, "
            + now
            + ", "
            + sql.syntax().unsynced()
            + " FROM conversation WHERE agent = ? AND due <= "
            + now
            + " ORDER BY due LIMIT ?"
            + sql.syntax().skippingLocked(),
        row ->
            new Due(
                row.text(1),
                row.text(2),
                row.number(3),
                state.apply(row.text(4)),
                row.small(5) == 1,
                row.number(6)),
        agent,
        most);
  }

  @Override
  public List<String> postpone(Duration time, int most) {
    List<String> postponed = new ArrayList<>();
    boolean unused =
        sql.together(session -> {
          postponed.clear();
          List<Due> found = due(session, most);
          session.last(found.stream().map(due -> postpone(due, time, postponed)).toList());
          return !found.isEmpty();
        });
    return postponed;
  }

  /// Postpones a conversation as if it were held meanwhile, which ends with the next write of its
  /// state; without effect if it is held.
  private Command postpone(Due due, Duration time, List<String> postponed) {
    Instant until = due.state.lease().until();
    boolean held = until != null && until.toEpochMilli() > due.now;
    if (!held) {
      postponed.add(due.id);
    }
    return Command.change(
        "UPDATE conversation SET due = ?, held = 1 WHERE agent = ? AND id = ?",
        held ? Objects.requireNonNull(until).toEpochMilli() : due.now + time.toMillis(),
        agent,
        due.id);
  }

  /// Makes a conversation due again that is held after all, as an earlier version may have left it.
  private Command claim(Due due, Duration hold, List<Claim> claims) {
    Lease lease = due.state.lease();
    Instant until = lease.until();
    boolean held = until != null && until.toEpochMilli() > due.now;
    Instant next = held ? until : Instant.ofEpochMilli(due.now).plus(hold);
    Lease taken = held ? lease : new Lease(lease.fence() + 1, next);
    ConversationState claimed = due.state.withLease(taken);
    if (!held) {
      Cell.Version<ConversationState> version = new Cell.Version<>(due.version + 1, claimed);
      claims.add(
          new Claim(
              due.id,
              due.principal,
              taken.fence(),
              lease.isOfDead(),
              due.cancelled,
              version,
              null));
    }
    return Command.change(
        "UPDATE conversation SET version = version + 1, state = ?, due = ?, fence = ?, held = 1"
            + " WHERE agent = ? AND id = ?",
        StoredForm.CONVERSATION.write(claimed),
        Objects.requireNonNull(next).toEpochMilli(),
        taken.fence(),
        agent,
        due.id);
  }

  @Override
  public @Nullable Duration untilDue() {
    List<Long> left =
        sql.query(
            "SELECT min(due) - "
                + sql.syntax().now()
                + " FROM conversation WHERE agent = ? AND due >= 0 HAVING min(due) IS NOT NULL",
            row -> row.number(1),
            agent);
    return left.isEmpty() ? null : Duration.ofMillis(Math.max(0, left.getFirst()));
  }

  @Override
  public void cancel(String conversation) {
    boolean asked =
        sql.change(
            "UPDATE conversation SET cancelled = 1 WHERE agent = ? AND id = ? AND (held = 1 OR"
                + " EXISTS (SELECT 1 FROM input WHERE input.agent = conversation.agent"
                + " AND input.conversation = conversation.id))",
            agent,
            conversation);
    if (asked) {
      announce(Topic.CANCEL, conversation);
    }
  }

  @Override
  public Set<String> cancelled(Collection<String> conversations) {
    Set<String> cancelled = new HashSet<>();
    for (List<Object> values : SqlDirectory.inGroups(agent, conversations)) {
      cancelled.addAll(
          sql.query(
              "SELECT id FROM conversation WHERE agent = ? AND cancelled = 1 AND id IN "
                  + SqlDirectory.places(values),
              row -> row.text(1),
              values.toArray()));
    }
    return cancelled;
  }

  @Override
  public Map<String, Standing> standing(Collection<String> conversations) {
    Map<String, Standing> standing = new HashMap<>();
    for (List<Object> values : SqlDirectory.inGroups(agent, conversations)) {
      sql.query(
              "SELECT id, (SELECT coalesce(max(number), 0) FROM event"
                  + " WHERE event.agent = conversation.agent AND"
                  + " event.conversation = conversation.id), held, CASE WHEN due <= "
                  + sql.syntax().now()
                  + " THEN 1 ELSE 0 END FROM conversation WHERE agent = ? AND id IN "
                  + SqlDirectory.places(values),
              row ->
                  Map.entry(
                      row.text(1),
                      new Standing(row.number(2), row.small(3) == 1, row.small(4) == 1)),
              values.toArray())
          .forEach(entry -> standing.put(entry.getKey(), entry.getValue()));
    }
    return standing;
  }

  @Override
  public int due() {
    return sql.query(
            "SELECT count(*) FROM conversation WHERE agent = ? AND due <= " + sql.syntax().now(),
            row -> row.small(1),
            agent)
        .getFirst();
  }

  void announce(Topic topic, String conversation) {
    sql.announcements().announce(announcement(topic, conversation));
  }

  Announcements.AgentAnnouncement announcement(Topic topic, String conversation) {
    return new Announcements.AgentAnnouncement(agent, new Announcement(topic, conversation));
  }

  @Override
  public Listening listen(Consumer<Announcement> listener) {
    return sql.announcements()
        .listen(announcement -> {
          if (announcement.agent().equals(agent)) {
            listener.accept(announcement.what());
          }
        });
  }
}
