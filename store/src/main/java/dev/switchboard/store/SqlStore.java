package dev.switchboard.store;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationDirectory;
import dev.switchboard.execution.ConversationNotFoundException;
import dev.switchboard.execution.ConversationQueue;
import dev.switchboard.execution.ConversationQueue.Announcement.Topic;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.json.Json;
import dev.switchboard.json.Records.UnreadableException;
import dev.switchboard.state.AgentState;
import dev.switchboard.state.Cell;
import dev.switchboard.state.ConversationState;
import dev.switchboard.text.RateLimitedLog;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Conversations of an agent in a database, which several agents may share.
///
/// Safe for use by several threads and processes. What a method has stored survives the process.
final class SqlStore implements ConversationStore {
  private static final OptionalLong AT_ONCE = OptionalLong.of(0);

  private final Sql sql;
  private final LineTable lines;
  private final EventTable events;
  private final ConversationTable conversations;
  private final SqlDirectory directory;
  private final String agent;
  private final @Nullable QueueTable queue;
  private final Runnable closing;
  private final RateLimitedLog warnings;

  /// @param shared whether several processes share the database, each of which claims what is due
  SqlStore(Sql sql, String agent, boolean shared, Runnable closing) {
    this.sql = sql;
    this.agent = agent;
    Time clock = sql.clock();
    lines = new LineTable(agent, clock);
    events = new EventTable(sql, agent);
    conversations = new ConversationTable(sql, agent);
    directory = new SqlDirectory(sql, agent, this::stateOf);
    queue =
        shared
            ? new QueueTable(sql, agent, this::stateOf, text -> read(StoredForm.SETTLED, text))
            : null;
    this.closing = closing;
    warnings = new RateLimitedLog(clock::nanos);
  }

  @Override
  public void failed(System.Logger log, String what, Throwable thrown) {
    warnings.warn(log, what, thrown);
  }

  @Override
  public Cell<ConversationState> state(String conversation) {
    return new OfConversation(conversation);
  }

  @Override
  public Loaded load(String conversation) {
    Loaded kept =
        first(
            sql.query(
                "SELECT version, state, principal FROM conversation WHERE agent = ? AND id = ?",
                row ->
                    new Loaded(
                        new Cell.Version<>(row.number(1), stateOf(row.text(2))), row.text(3)),
                agent,
                conversation));
    return kept == null ? new Loaded(new Cell.Version<>(0, ConversationState.NEW), null) : kept;
  }

  @Override
  public Cell<AgentState> agent() {
    return new OfAgent();
  }

  @Override
  public @Nullable SettledCall settledCall(String conversation, String id) {
    return first(
        sql.query(
            "SELECT entry FROM line WHERE agent = ? AND conversation = ? AND key = ?",
            this::settledCall,
            agent,
            conversation,
            LineTable.CALL + id));
  }

  @Override
  public List<SettledCall> settledCalls(String conversation, int turn) {
    return sql.query(
        "SELECT entry FROM line WHERE agent = ? AND conversation = ? AND turn = ? ORDER BY number",
        this::settledCall,
        agent,
        conversation,
        turn);
  }

  private SettledCall settledCall(Fields row) throws SQLException {
    return read(StoredForm.SETTLED, row.text(1));
  }

  @Override
  public Written write(String conversation, long fence, Writing writing) {
    if (writing.isLost(fence)) {
      throw new ConversationConflictException(conversation, null);
    }
    Replacement state = writing.state();
    List<Command> lines = rows(conversation, writing);
    List<Command> appends = new ArrayList<>();
    writing.events().forEach(event -> appends.add(events.append(conversation, event)));
    List<Command> first =
        state == null
            ? List.of(this.lines.lock(conversation, fence, writing.principal()))
            : conversations.replacing(conversation, writing, state, queue);
    List<Announcements.AgentAnnouncement> announced = announced(conversation, writing);
    Command.Outcome done = sql.all(joined(first, lines, appends), announced);
    if (state == null && done.missing() == 0) {
      first =
          List.of(
              this.lines.begin(conversation, writing.owner()),
              this.lines.lock(conversation, fence, writing.principal()));
      done = sql.all(joined(first, lines, appends), announced);
      // Another may have begun it, and then has the row until it is done.
      if (done.missing() == 1) {
        refuseOther(conversation, writing);
        throw new ConversationConflictException(conversation, null);
      }
    }
    if (!done.isKept()) {
      boolean stale = done.missing() < first.size();
      return new Written(stale ? Outcome.STALE : Outcome.KNOWN, List.of());
    }
    List<OptionalLong> numbers = done.numbers();
    int before = first.size() + lines.size();
    if (queue != null && state != null && numbers.get(first.size() - 1).equals(AT_ONCE)) {
      queue.announce(Topic.DUE, conversation);
    }
    return new Written(
        Outcome.DONE, numbered(writing.events(), numbers.subList(before, numbers.size())));
  }

  /// @throws ConversationNotFoundException when the conversation is not the writer's
  private void refuseOther(String conversation, Writing writing) {
    String owner = load(conversation).principal();
    if (writing.principal() != null && !writing.principal().equals(owner)) {
      throw new ConversationNotFoundException(conversation);
    }
  }

  private static List<Command> joined(
      List<Command> first, List<Command> lines, List<Command> events) {
    List<Command> all = new ArrayList<>(first.size() + lines.size() + events.size());
    all.addAll(first);
    all.addAll(lines);
    all.addAll(events);
    return all;
  }

  /// The events that were written.
  private static List<Event.Logged> numbered(
      List<Event.Logged> events, List<OptionalLong> numbers) {
    List<Event.Logged> numbered = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      Event.Logged event = events.get(i);
      numbers.get(i).ifPresent(number -> numbered.add(event.numbered(number)));
    }
    return numbered;
  }

  /// The announcements of it to processes that share the database.
  private List<Announcements.AgentAnnouncement> announced(String conversation, Writing writing) {
    if (queue == null) {
      return List.of();
    }
    List<Announcements.AgentAnnouncement> announcements = new ArrayList<>();
    if (!writing.events().isEmpty()) {
      announcements.add(queue.announcement(Topic.EVENTS, conversation));
    }
    if (writing.events().stream().anyMatch(SqlStore::isForServers)) {
      announcements.add(queue.announcement(Topic.ASKED, conversation));
    }
    if (writing.state() != null && isReleased(writing.state())) {
      announcements.add(queue.announcement(Topic.RESTED, conversation));
    }
    return announcements;
  }

  /// Whether servers read it although no client does: of a person's consent, or of a call that is
  /// given up.
  private static boolean isForServers(Event.Logged event) {
    String key = event.key();
    return key != null && (key.startsWith("consent_") || key.startsWith("given_up/"));
  }

  private static boolean isReleased(Replacement state) {
    return state.expected().value().lease().until() != null && state.next().lease().until() == null;
  }

  private List<Command> rows(String conversation, Writing writing) {
    List<Command> rows = new ArrayList<>();
    for (Line line : writing.lines()) {
      String entry = line.entry().text();
      rows.add(lines.append(conversation, new LineTable.Row(line.key(), null, entry)));
    }
    for (CallOfTurn settled : writing.calls()) {
      String key = LineTable.CALL + settled.call().call().id();
      String entry = StoredForm.SETTLED.write(settled.call());
      rows.add(lines.append(conversation, new LineTable.Row(key, settled.turn(), entry)));
    }
    return rows;
  }

  @Override
  public @Nullable ConversationQueue queue() {
    return queue;
  }

  @Override
  public List<Event.Logged> events(String conversation, long after, int most) {
    return events.after(conversation, after, most);
  }

  @Override
  public Event.@Nullable Logged event(String conversation, String key) {
    return events.find(conversation, key);
  }

  @Override
  public List<Line> lines(String conversation, int most) {
    return sql.query(
        "SELECT key, entry FROM (SELECT number, key, entry FROM line"
            + " WHERE agent = ? AND conversation = ? AND turn IS NULL"
            + " ORDER BY number DESC LIMIT ?)"
            + " AS latest ORDER BY number",
        row -> new Line(row.text(1), Json.text(row.text(2))),
        agent,
        conversation,
        most);
  }

  @Override
  public ConversationDirectory directory() {
    return directory;
  }

  @Override
  public <T extends @Nullable Object> T within(Duration patience, Supplier<T> work) {
    return sql.within(patience, work);
  }

  @Override
  public Time time() {
    return sql.clock();
  }

  @Override
  public void close() {
    closing.run();
  }

  private ConversationState stateOf(String text) {
    return read(StoredForm.CONVERSATION, text);
  }

  private <T> T read(StoredForm<T> form, String text) {
    try {
      return form.read(text);
    } catch (UnreadableException e) {
      throw sql.damaged(form.what(), e.getMessage());
    }
  }

  private static <T> @Nullable T first(List<T> rows) {
    return rows.isEmpty() ? null : rows.getFirst();
  }

  private final class OfConversation implements Cell<ConversationState> {
    private final String id;

    OfConversation(String id) {
      this.id = id;
    }

    @Override
    public Version<ConversationState> load() {
      return SqlStore.this.load(id).state();
    }

    @Override
    public boolean replace(Version<ConversationState> expected, ConversationState next) {
      return write(id, 0, Writing.of(expected, next)).outcome() == Outcome.DONE;
    }
  }

  private final class OfAgent implements Cell<AgentState> {
    @Override
    public Version<AgentState> load() {
      Version<AgentState> kept =
          first(
              sql.query(
                  "SELECT version, state FROM agent_state WHERE agent = ?",
                  row -> new Version<>(row.number(1), read(StoredForm.AGENT, row.text(2))),
                  agent));
      return kept == null ? new Version<>(0, AgentState.NEW) : kept;
    }

    @Override
    public boolean replace(Version<AgentState> expected, AgentState next) {
      String state = StoredForm.AGENT.write(next);
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
