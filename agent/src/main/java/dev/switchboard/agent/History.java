package dev.switchboard.agent;

import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The part of a transcript that a model reads: turns, each whole, so that no call is without its
/// result. What was read before stays as it is until a boundary, a line [TranscriptEntry.Opened].
///
/// Written by one thread at a time, read by several.
final class History {
  private static final long MOST_TOKENS = 1L << 40; // hostile numbers must not overflow

  private final EmptiedMessages emptying;
  private final List<Message> messages = new ArrayList<>(); // guarded by this
  private final List<String> keys = new ArrayList<>(); // of their lines; guarded by this
  // Read when somebody asks: by then the calls of a reply have been checked, and are not read
  // again.
  private final SequencedMap<String, TranscriptEntry> unread = // by key; guarded by this
      new LinkedHashMap<>();
  private final Set<String> callIds = new HashSet<>(); // of the messages; guarded by this
  private final Map<String, String> blocks = new HashMap<>(); // guarded by this
  // The notices with memory since the boundary, by key; guarded by this.
  private final Map<String, TranscriptEntry.Noticed> remembered = new LinkedHashMap<>();
  private final Set<String> cutOff = new HashSet<>(); // ids of calls without result; by this
  private TranscriptEntry.@Nullable Opened opened; // the latest boundary, guarded by this
  private boolean broken; // whether messages before it have changed since, guarded by this
  private int turn; // where the last turn begins, guarded by this
  // Of the latest request since the boundary and its reply, 0 if unknown; guarded by this.
  private long tokens;
  private int counted; // how many messages these are, guarded by this
  // How many messages a request has had, as far as lines and this process tell; guarded by this.
  private int sent;

  /// @param readOnly whether the tool of that name only reads, so that its calls can be repeated
  History(Predicate<String> readOnly) {
    emptying = new EmptiedMessages(readOnly);
  }

  /// Adds that line.
  synchronized void add(String key, TranscriptEntry line) {
    unread.put(key, line);
  }

  private synchronized void read() {
    unread.forEach((key, entry) -> {
      switch (entry) {
        case TranscriptEntry.Corrected corrected ->
            correct(keys.indexOf(corrected.line()), corrected);
        case TranscriptEntry.Opened boundary -> open(boundary);
        case TranscriptEntry.Noticed noticed -> {
          blocks.putAll(noticed.blocks());
          if (noticed.memory() != null) {
            remembered.put(key, noticed);
          }
          read(key, noticed.messages());
        }
        case TranscriptEntry.Greeted greeted -> read(key, greeted.messages());
        case TranscriptEntry.Said said -> read(key, said.messages());
        case TranscriptEntry.Called called -> read(key, called.messages());
        case TranscriptEntry.Replied replied -> {
          sent = Math.max(sent, messages.size());
          read(key, replied.messages());
          count(replied.reply().usage());
        }
        case TranscriptEntry.Failed failed -> {
          sent = Math.max(sent, messages.size());
          read(key, failed.messages());
        }
        case TranscriptEntry.Ended ended -> read(key, ended.messages());
        case TranscriptEntry.Closed closed -> read(key, closed.messages());
      }
    });
    unread.clear();
  }

  private synchronized void count(ModelReply.Usage usage) {
    if (usage.input() > 0) {
      tokens = Math.min(usage.input(), MOST_TOKENS) + Math.min(usage.output(), MOST_TOKENS);
      counted = messages.size();
    }
  }

  /// Corrects the first message of a line; a reply of which nothing was heard, and that makes no
  /// calls, is removed.
  ///
  /// @param place negative if the history no longer has it
  private synchronized void correct(int place, TranscriptEntry.Corrected by) {
    if (place < 0) {
      return;
    }
    broken |= place < sent;
    Message right = by.of(messages.get(place));
    if (by.text().isEmpty() && right instanceof Message.Assistant said && said.calls().isEmpty()) {
      messages.remove(place);
      keys.remove(place);
      turn -= place < turn ? 1 : 0;
      counted -= place < counted ? 1 : 0;
      sent -= place < sent ? 1 : 0;
    } else {
      messages.set(place, right);
    }
  }

  private synchronized void open(TranscriptEntry.Opened boundary) {
    opened = boundary;
    tokens = 0;
    counted = 0;
    blocks.clear();
    blocks.putAll(boundary.blocks());
    String from = boundary.from();
    int first = from == null ? 0 : keys.indexOf(from);
    // The line is older than those that were loaded: there is more to send than was sent.
    broken = first < 0;
    if (first > 0) {
      drop(first);
    }
    forgetMemory();
    String emptied = boundary.emptied();
    int last = emptied == null ? -1 : keys.lastIndexOf(emptied);
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      messages.set(i, i <= last ? emptying.emptied(message) : withoutItems(message));
    }
  }

  /// Leaves the memory out of the notices: the prompt has it as it is now.
  private synchronized void forgetMemory() {
    remembered.forEach((key, noticed) -> {
      int place = keys.indexOf(key);
      List<Message> rest = noticed.messagesWithoutMemory();
      if (place >= 0 && rest.isEmpty()) {
        messages.remove(place);
        keys.remove(place);
        turn -= place < turn ? 1 : 0;
      } else if (place >= 0) {
        messages.set(place, rest.getFirst());
      }
    });
    remembered.clear();
  }

  private static Message withoutItems(Message message) {
    return message instanceof Message.Assistant said ? said.withoutItems() : message;
  }

  private synchronized void read(String key, List<Message> line) {
    if (!line.isEmpty() && line.getFirst() instanceof Message.User) {
      answerOpenCalls();
      turn = messages.size();
    }
    List<Message> added = line.stream().filter(message -> !replacesCutOff(message)).toList();
    add(messages.size(), key, added);
    added.forEach(message -> calls(message).forEach(call -> callIds.add(call.id())));
  }

  private synchronized void add(int place, String key, List<Message> line) {
    messages.addAll(place, line);
    line.forEach(message -> keys.add(place, key));
  }

  /// Answers calls without results, since models refuse to read those: a live session may end
  /// between a reply and its results, and is not resumed.
  private synchronized void answerOpenCalls() {
    Set<String> answered = new HashSet<>();
    for (int i = messages.size() - 1; i >= turn; i--) {
      switch (messages.get(i)) {
        case Message.Result result -> answered.add(result.callId());
        case Message.Assistant said when !said.calls().isEmpty() -> {
          List<Message> cutOff =
              said.calls().stream()
                  .filter(call -> !answered.contains(call.id()))
                  .<Message>map(History::cutOff)
                  .toList();
          cutOff.forEach(message -> this.cutOff.add(((Message.Result) message).callId()));
          add(i + 1, keys.get(i), cutOff);
        }
        case Message.Assistant said -> {}
        case Message.User user -> {}
        case Message.System system -> {}
        case Message.Notice notice -> {}
      }
    }
  }

  /// Whether it is the result of a call that was taken for cut off, which it replaces: on a phone
  /// line a note may come between a call and its result.
  private synchronized boolean replacesCutOff(Message message) {
    if (!(message instanceof Message.Result result) || !cutOff.remove(result.callId())) {
      return false;
    }
    for (int i = messages.size() - 1; i >= 0; i--) {
      if (messages.get(i) instanceof Message.Result known
          && known.callId().equals(result.callId())) {
        messages.set(i, result);
        broken = true;
        return true;
      }
    }
    return false;
  }

  private static Message cutOff(RequestedCall call) {
    String text = "Tool '" + call.name() + "' was cut off; it is not known what came of it.";
    return new Message.Result(call.id(), call.name(), text, false);
  }

  /// Drops so many messages, the oldest.
  private synchronized void drop(int number) {
    List<Message> dropped = messages.subList(0, number);
    dropped.forEach(message -> calls(message).forEach(call -> callIds.remove(call.id())));
    dropped.clear();
    keys.subList(0, number).clear();
    turn = Math.max(0, turn - number);
    sent = Math.max(0, sent - number);
  }

  private static List<RequestedCall> calls(Message message) {
    return message instanceof Message.Assistant said ? said.calls() : List.of();
  }

  /// Whether the history has a call of that id.
  synchronized boolean knowsCall(String id) {
    read();
    return callIds.contains(id);
  }

  /// The latest boundary, null before the first.
  synchronized TranscriptEntry.@Nullable Opened opened() {
    read();
    return opened;
  }

  /// Whether what was sent since the boundary cannot be continued, since a message of it was
  /// corrected, or not all of it was loaded.
  synchronized boolean isBroken() {
    read();
    return broken;
  }

  /// The digests of the memory blocks as the model has read them last, by label.
  synchronized Map<String, String> blocks() {
    read();
    return Map.copyOf(blocks);
  }

  /// What is to be left out of the next requests so that they get shorter.
  ///
  /// @param from the key of the first line whose messages are sent
  /// @param emptied the key of the last line that is sent without its results and files, null for
  ///   none
  /// @param freed the estimated tokens that are saved
  /// @param results how many messages lose a result or files
  /// @param dropped how many messages are not sent any more
  record Cut(
      @Nullable String from, @Nullable String emptied, long freed, int results, int dropped) {
    static final Cut NONE = new Cut(null, null, 0, 0, 0);

    /// Whether nothing is left out.
    boolean isEmpty() {
      return freed <= 0;
    }
  }

  /// The cut that frees so many estimated tokens, or as many as can be freed: first the results of
  /// turns before the last two, then whole turns, the oldest first. The last turn stays.
  synchronized Cut cut(long wanted) {
    read();
    int whole = turnBefore(turn);
    long freed = 0;
    int results = 0;
    for (int i = 0; i < whole; i++) {
      long saved =
          TokenEstimate.of(messages.get(i)) - TokenEstimate.of(emptying.emptied(messages.get(i)));
      freed += saved;
      results += saved > 0 ? 1 : 0;
    }
    int from = 0;
    while (freed < wanted && from < turn) {
      int next = turnAfter(from);
      for (; from < next; from++) {
        Message message = messages.get(from);
        freed += TokenEstimate.of(from < whole ? emptying.emptied(message) : message);
      }
    }
    String emptied = results == 0 || from >= whole ? null : lastOfConversation(whole);
    return new Cut(from < keys.size() ? keys.get(from) : null, emptied, freed, results, from);
  }

  /// The key of the last line before that place, but for notices, which a boundary may remove.
  private synchronized @Nullable String lastOfConversation(int place) {
    int at = place - 1;
    while (at >= 0 && messages.get(at) instanceof Message.Notice) {
      at--;
    }
    return at < 0 ? null : keys.get(at);
  }

  /// Where the turn before that place begins.
  private synchronized int turnBefore(int place) {
    int at = place - 1;
    while (at > 0 && !(messages.get(at) instanceof Message.User)) {
      at--;
    }
    return Math.max(0, at);
  }

  /// Where the turn after that place begins, at most the last one.
  private synchronized int turnAfter(int place) {
    int at = place + 1;
    while (at < turn && !(messages.get(at) instanceof Message.User)) {
      at++;
    }
    return Math.min(at, turn);
  }

  /// The number of messages before the last turn.
  synchronized int earlier() {
    read();
    return turn;
  }

  /// The cut that leaves at most so many messages before the last turn, of whole turns.
  synchronized Cut cutTo(int most) {
    read();
    int from = first(most);
    long freed = TokenEstimate.ofAll(messages.subList(0, from));
    return new Cut(from < keys.size() ? keys.get(from) : null, null, freed, 0, from);
  }

  /// The key of the first line whose messages are sent, null if there is none.
  synchronized @Nullable String first() {
    read();
    return keys.isEmpty() ? null : keys.getFirst();
  }

  /// The key of the last line that is sent without its results and files, null for none.
  synchronized @Nullable String emptied() {
    read();
    String emptied = opened == null ? null : opened.emptied();
    return emptied != null && keys.contains(emptied) ? emptied : null;
  }

  /// The tokens of a request with these messages.
  ///
  /// @param rest the estimated tokens of its other parts
  /// @param correction of estimates
  synchronized long size(long rest, double correction) {
    read();
    long added = TokenEstimate.ofAll(messages.subList(counted, messages.size()));
    return tokens > 0
        ? tokens + (long) (added * correction)
        : (long) ((rest + TokenEstimate.ofAll(messages)) * correction);
  }

  private synchronized int first(int room) {
    int from = Math.max(0, turn - Math.max(0, room));
    while (from > 0 && from < turn && !(messages.get(from) instanceof Message.User)) {
      from++;
    }
    return from;
  }

  /// The messages, in order.
  synchronized List<Message> messages() {
    read();
    return List.copyOf(messages);
  }

  /// The latest messages, at most so many, of whole turns; all of the last turn.
  synchronized List<Message> messages(int most) {
    read();
    int room = most - (messages.size() - turn);
    return List.copyOf(messages.subList(first(room), messages.size()));
  }

  /// Adds the messages to that list.
  synchronized void copyTo(List<Message> list) {
    read();
    list.addAll(messages);
    sent = messages.size();
  }
}
