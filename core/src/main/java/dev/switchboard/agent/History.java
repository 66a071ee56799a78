package dev.switchboard.agent;

import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The part of a transcript that a model reads: the latest turns, each whole, so that no call is
/// without its result.
///
/// Written by one thread at a time, read by several.
final class History {
  private final int most;
  private final List<Message> messages = new ArrayList<>(); // guarded by this
  // Read when somebody asks: by then the calls of a reply have been checked, and are not read
  // again.
  private final List<Line> unread = new ArrayList<>(); // guarded by this
  // The messages of the latest lines that may be corrected, by their keys; guarded by this
  private final Map<String, Message> correctable = new LatestLines();
  private final Set<String> callIds = new HashSet<>(); // of the messages; guarded by this
  private int turn; // guarded by this

  /// @param most messages, but the last turn in any case
  History(int most) {
    this.most = most;
  }

  /// A line and its key.
  private record Line(String key, TranscriptEntry entry) {}

  /// The lines that may still be corrected, which is soon or never.
  private static final class LatestLines extends LinkedHashMap<String, Message> {
    private static final int MOST = 100;
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Message> eldest) {
      return size() > MOST;
    }
  }

  /// Adds that line.
  synchronized void add(String key, TranscriptEntry line) {
    unread.add(new Line(key, line));
  }

  private synchronized void read() {
    for (Line line : unread) {
      if (line.entry() instanceof TranscriptEntry.Corrected correction) {
        correct(correction);
      } else {
        List<Message> told = line.entry().messages();
        read(told);
        if (!told.isEmpty()) {
          correctable.put(line.key(), told.getFirst());
        }
      }
    }
    unread.clear();
  }

  @SuppressWarnings("ReferenceEquality") // the very message of that line: others may be equal to it
  private synchronized void correct(TranscriptEntry.Corrected correction) {
    Message told = correctable.get(correction.line());
    for (int i = messages.size() - 1; i >= 0 && told != null; i--) {
      if (messages.get(i) == told) {
        correct(i, corrected(told, correction.text()), correction.line());
        return;
      }
    }
  }

  /// Corrects a message; a reply of which nothing was heard, and that makes no calls, is removed.
  private synchronized void correct(int place, Message right, String line) {
    if (right instanceof Message.Assistant(String text, var calls)
        && text.isEmpty()
        && calls.isEmpty()) {
      messages.remove(place);
      correctable.remove(line);
      turn -= place < turn ? 1 : 0;
    } else {
      messages.set(place, right);
      correctable.put(line, right);
    }
  }

  /// The message with other text.
  static Message corrected(Message told, String text) {
    return switch (told) {
      case Message.User user -> new Message.User(text, user.files());
      case Message.Assistant said -> new Message.Assistant(text, said.calls());
      case Message.System system -> system;
      case Message.Notice notice -> notice;
      case Message.Result result -> result;
    };
  }

  private synchronized void read(List<Message> line) {
    if (!line.isEmpty() && line.getFirst() instanceof Message.User) {
      answerOpenCalls();
      turn = messages.size();
    }
    messages.addAll(line);
    line.forEach(message -> calls(message).forEach(call -> callIds.add(call.id())));
    // A turn that has no room now has none later either, so it can be let go of.
    drop(most - (messages.size() - turn));
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
          messages.addAll(i + 1, cutOff);
        }
        case Message.Assistant said -> {}
        case Message.User user -> {}
        case Message.System system -> {}
        case Message.Notice notice -> {}
      }
    }
  }

  private static Message cutOff(RequestedCall call) {
    String text = "Tool '" + call.name() + "' was cut off; it is not known what came of it.";
    return new Message.Result(call.id(), call.name(), text, false);
  }

  /// Drops the oldest turns until at most so many messages are left before the last one.
  private synchronized void drop(int room) {
    int from = Math.max(0, turn - Math.max(0, room));
    if (from == 0) {
      return;
    }
    while (from < turn && !(messages.get(from) instanceof Message.User)) {
      from++;
    }
    List<Message> dropped = messages.subList(0, from);
    dropped.forEach(message -> calls(message).forEach(call -> callIds.remove(call.id())));
    dropped.clear();
    turn -= from;
  }

  private static List<RequestedCall> calls(Message message) {
    return message instanceof Message.Assistant said ? said.calls() : List.of();
  }

  /// Whether the history has a call of that id.
  synchronized boolean knowsCall(String id) {
    read();
    return callIds.contains(id);
  }

  /// The messages, in order.
  synchronized List<Message> messages() {
    read();
    return List.copyOf(messages);
  }

  /// Adds the messages to that list.
  synchronized void copyTo(List<Message> list) {
    read();
    list.addAll(messages);
  }
}
