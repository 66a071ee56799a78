package dev.switchboard.agent;

import dev.switchboard.execution.ConversationConflictException;
import dev.switchboard.execution.ConversationStore;
import dev.switchboard.execution.ConversationStore.Line;
import dev.switchboard.execution.ToolSession;
import dev.switchboard.execution.host.HostEvents;
import dev.switchboard.execution.host.HostSession;
import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.loop.TranscriptEntryJson;
import dev.switchboard.model.Message;
import dev.switchboard.state.LoopState;
import dev.switchboard.state.Spending;
import dev.switchboard.text.UniqueId;
import dev.switchboard.time.Time;
import dev.switchboard.tool.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The transcript of a conversation, line by line, each under the key of the effect that it came
/// from: the journal that answers repeated effects, and the history that the model reads.
///
/// Not thread-safe: a conversation has one writer at a time.
final class Transcript {
  /// How many of the latest lines of a conversation are read: many times what a model reads.
  static final int MOST_LINES = 2000;

  private final String conversation;
  private final HostSession host;
  private final @Nullable ConversationStore store;
  private final Time time;
  private final @Nullable SearchIndexer words;
  // Before the keys of words: without a store the same keys come again in the next of that id.
  private final String mark;
  // Of the latest turn, and of the one before: the effects of older ones are never repeated.
  private final SequencedMap<String, TranscriptEntry> entries = new LinkedHashMap<>();
  private final History history;
  private TranscriptEntry.@Nullable Said said; // the latest
  private @Nullable String unsure; // the key of a message whose write has failed
  private @Nullable Unwritten unwritten; // the outcome whose write has failed
  private final AtomicLong fileBytes = new AtomicLong(); // read by any thread

  /// The transcript of that conversation, with its latest lines read from the store if there is
  /// one.
  ///
  /// @param readOnly whether the tool of that name only reads
  /// @param memory where messages are stored for search, null for nowhere
  Transcript(
      ToolSession session,
      Predicate<String> readOnly,
      @Nullable ConversationStore store,
      Time time,
      @Nullable AgentMemory memory) {
    host = session.host();
    this.store = store;
    conversation = session.conversationId();
    this.time = time;
    words =
        memory == null || !memory.storesMessages()
            ? null
            : new SearchIndexer(memory, conversation, MOST_LINES);
    mark = store == null && words != null ? UniqueId.next("opened") + "/" : "";
    history = new History(readOnly);
    if (store != null && !host.startsEmpty()) {
      List<Line> lines = store.lines(conversation, MOST_LINES);
      load(lines.size() < MOST_LINES ? lines : wholeTurns(lines));
    }
  }

  private void load(List<Line> lines) {
    for (Line line : lines) {
      add(line.key(), read(line), TranscriptEntryJson.at(line.entry()));
    }
    indexMessages();
  }

  /// Stores the messages of the lines so far for search; the lines are stored by now.
  void indexMessages() {
    if (words != null) {
      words.catchUp();
    }
  }

  /// The lines from the first beginning of a turn on, so that every result has its call.
  private List<Line> wholeTurns(List<Line> lines) {
    int from = 0;
    while (from < lines.size() && !(read(lines.get(from)) instanceof TranscriptEntry.Said)) {
      from++;
    }
    return lines.subList(from == lines.size() ? 0 : from, lines.size());
  }

  private TranscriptEntry read(Line line) {
    return TranscriptEntryJson.read(conversation, line);
  }

  /// The line under that key; if there is none, the effect happens and its outcome is written.
  ///
  /// @throws ConversationConflictException when another process continues the same conversation
  <E extends TranscriptEntry> E once(String key, Class<E> type, Supplier<? extends E> effect) {
    TranscriptEntry entry = entries.get(key);
    return entry == null ? write(key, effect.get()) : type.cast(entry);
  }

  /// Writes the outcome of an effect, which has no line yet, and returns it.
  ///
  /// @throws ConversationConflictException when another process continues the same conversation
  <E extends TranscriptEntry> E write(String key, E outcome) {
    boolean stored = store != null;
    Instant at = stored || words != null ? time.now() : Instant.EPOCH;
    boolean written =
        !stored || isWritten(outcome, new Line(key, TranscriptEntryJson.write(outcome, at)));
    add(key, outcome, at);
    if (written && words != null) {
      words.catchUp();
    }
    return outcome;
  }

  /// Writes the outcome of asking models together with what they have used, and returns it.
  ///
  /// @throws ConversationConflictException when another process continues the same conversation
  <E extends TranscriptEntry.ModelOutcome> E write(String key, E outcome, Spending.Sum used) {
    if (used.isEmpty()) {
      return write(key, outcome);
    }
    Unwritten line = unwritten;
    if (line == null || !line.key.equals(key)) {
      Instant at = store != null || words != null ? time.now() : Instant.EPOCH;
      line = new Unwritten(key, outcome, at, TranscriptEntryJson.write(outcome, at));
    }
    unwritten = line;
    host.append(key, line.json, used);
    unwritten = null;
    Instant at = line.at;
    add(key, outcome, at);
    if (words != null) {
      words.catchUp();
    }
    return outcome;
  }

  /// The outcome of asking models whose write has failed, null if there is none under that key: it
  /// may be stored all the same, so that it has to be written again as it is.
  TranscriptEntry.@Nullable ModelOutcome unwritten(String key) {
    Unwritten line = unwritten;
    return line != null && line.key.equals(key) ? line.outcome : null;
  }

  private record Unwritten(
      String key, TranscriptEntry.ModelOutcome outcome, Instant at, Json json) {}

  /// Whether the line of an entry is written at once, with all before it. Others are written with
  /// the call, the event or the end of the turn that follows from them.
  private boolean isWritten(TranscriptEntry entry, Line line) {
    return switch (entry) {
      case TranscriptEntry.Said said -> begins(said, line);
      case TranscriptEntry.Greeted greeted -> append(line, false);
      case TranscriptEntry.Called called -> append(line, false);
      case TranscriptEntry.Corrected corrected -> append(line, false);
      // What a request that got no reply began with need not be known.
      case TranscriptEntry.Opened opened -> append(line, true);
      case TranscriptEntry.Noticed noticed -> append(line, true);
      case TranscriptEntry.ModelOutcome outcome -> append(line, true);
      case TranscriptEntry.Ended ended -> append(line, true);
      case TranscriptEntry.Closed closed -> append(line, true);
    };
  }

  private boolean append(Line line, boolean mayWait) {
    return host.append(line.key(), line.entry(), mayWait);
  }

  /// Begins a turn with a message. Where its write fails, it may have been stored all the same.
  private boolean begins(TranscriptEntry.Said next, Line line) {
    TranscriptEntry.Said before = said;
    boolean done = false;
    host.events().run(next.input());
    try {
      host.beginTurn(next.turn(), next.by(), line.key(), line.entry(), events(next));
      done = true;
      return true;
    } finally {
      unsure = done ? null : line.key();
      if (!done && before != null) {
        host.events().run(before.input());
      }
    }
  }

  /// Whether the write of the message of a turn has failed, and it is not known whether it was
  /// stored.
  boolean isUnsure() {
    return unsure != null;
  }

  /// Reads the message whose write failed, if it was stored: its turn has begun then.
  void makeSure() {
    if (unsure == null || store == null) {
      return;
    }
    for (Line line : store.lines(conversation, 1)) {
      if (line.key().equals(unsure)) {
        add(line.key(), read(line), TranscriptEntryJson.at(line.entry()));
      }
    }
    unsure = null;
  }

  /// Logs a message that begins a turn.
  void log(TranscriptEntry.Said said) {
    host.events().run(said.input());
    events(said).forEach(host.events()::append);
  }

  /// The events of a message that begins a turn, by key: listeners of the turn know the words,
  /// readers of the log do not.
  private Map<String, Event> events(TranscriptEntry.Said said) {
    if (!host.events().isLogged()) {
      return Map.of();
    }
    Map<String, Event> events = new LinkedHashMap<>();
    events.put("user/" + said.input(), new Event.AgentEvent("user", userJson(said)));
    String run = said.run();
    if (run != null) {
      events.put("run/" + run, HostEvents.named(run, said.input()));
    }
    return events;
  }

  /// The text, and type, size and name of files.
  private static Json userJson(TranscriptEntry.Said said) {
    ObjectNode json = Codec.object().put("id", said.input()).put("text", said.text());
    for (Message.Attachment file : said.files()) {
      json.withArray("files").add(file.json().tree());
    }
    return Json.of(json);
  }

  /// @param at when it was, which only what is stored or searched needs
  private void add(String key, TranscriptEntry entry, Instant at) {
    if (entry instanceof TranscriptEntry.Said begun) {
      forgetTurnsBeforeTheLast();
      said = begun;
      begun.files().forEach(file -> fileBytes.addAndGet(file.size()));
    }
    entries.put(key, entry);
    if (entries.size() > MOST_LINES) {
      entries.pollFirstEntry();
    }
    history.add(key, entry);
    if (words != null) {
      words.add(new SearchIndexer.Line(mark + key, saidIn(entry), at));
    }
  }

  /// What an entry adds to the searchable messages, including what was recognized late.
  private static List<Message> saidIn(TranscriptEntry entry) {
    return entry instanceof TranscriptEntry.Corrected(String line, String text)
            && line.endsWith("/input")
        ? List.of(new Message.User(text))
        : entry.messages();
  }

  private static Stream<Message.Result> results(TranscriptEntry entry) {
    return entry.messages().stream()
        .filter(Message.Result.class::isInstance)
        .map(Message.Result.class::cast);
  }

  private void forgetTurnsBeforeTheLast() {
    boolean begins = false;
    Iterator<TranscriptEntry> latestFirst = entries.sequencedValues().reversed().iterator();
    while (latestFirst.hasNext()) {
      boolean isOlder = begins;
      begins |= latestFirst.next() instanceof TranscriptEntry.Said;
      if (isOlder) {
        latestFirst.remove();
      }
    }
  }

  /// The message with which a turn later than that one began; null if there is none.
  @Nullable Begun begunAfter(int turn) {
    for (Map.Entry<String, TranscriptEntry> line : entries.sequencedEntrySet().reversed()) {
      if (line.getValue() instanceof TranscriptEntry.Said said) {
        int number =
            Integer.parseInt(line.getKey(), "turn".length(), line.getKey().indexOf('/'), 10);
        return number > turn ? new Begun(number, said) : null;
      }
    }
    return null;
  }

  /// A turn that has begun.
  record Begun(int turn, TranscriptEntry.Said said) {}

  /// The message with which the latest turn began, null before the first.
  TranscriptEntry.@Nullable Said said() {
    return said;
  }

  /// The total bytes of the user's files.
  long fileBytes() {
    return fileBytes.get();
  }

  @Nullable TranscriptEntry find(String key) {
    return entries.get(key);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /// What the model reads.
  History history() {
    return history;
  }

  /// Whether the result of that call is in a line of the latest turn.
  boolean hasResult(String callId) {
    for (TranscriptEntry entry : entries.sequencedValues().reversed()) {
      // A reply holds no result, and to make its messages is to read its calls again.
      if (!(entry instanceof TranscriptEntry.Replied)
          && results(entry).anyMatch(result -> result.callId().equals(callId))) {
        return true;
      }
      if (entry instanceof TranscriptEntry.Said) {
        return false;
      }
    }
    return false;
  }

  /// Whether the model has replied in the turn of that key, or failed to.
  boolean hasReplied(String key) {
    return find(turnOf(key) + LoopState.FIRST_REPLY) != null;
  }

  private static String turnOf(String key) {
    return key.substring(0, key.indexOf('/') + 1);
  }

  /// The lines of the latest turn, whose key this is, the last one first.
  List<TranscriptEntry> latestTurn(String key) {
    String prefix = turnOf(key);
    List<TranscriptEntry> lines = new ArrayList<>();
    for (Map.Entry<String, TranscriptEntry> line : entries.reversed().entrySet()) {
      if (!line.getKey().startsWith(prefix)) {
        break;
      }
      lines.add(line.getValue());
    }
    return lines;
  }
}
