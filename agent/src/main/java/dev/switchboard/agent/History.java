package dev.switchboard.agent;

import dev.switchboard.loop.TranscriptEntry;
import dev.switchboard.model.Message;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/// The part of a transcript that a model reads: the latest turns, each whole, so that no call is
/// without its result.
///
/// Written by one thread at a time, read by several.
final class History {
  private final int most;
  private final List<Message> messages = new ArrayList<>(); // guarded by this
  private final List<String> keys = new ArrayList<>(); // of their lines; guarded by this
  // Read when somebody asks: by then the calls of a reply have been checked, and are not read
  // again.
  private final SequencedMap<String, TranscriptEntry> unread = // by key; guarded by this
      new LinkedHashMap<>();
  private final Set<String> callIds = new HashSet<>(); // of the messages; guarded by this
  private int turn; // guarded by this

  /// @param most messages, but the last turn in any case
  History(int most) {
    this.most = most;
  }

  /// Adds that line.
  synchronized void add(String key, TranscriptEntry line) {
    unread.put(key, line);
  }

  private synchronized void read() {
    unread.forEach((key, entry) -> {
      if (entry instanceof TranscriptEntry.Corrected(String corrected, String text)) {
        correct(keys.indexOf(corrected), text);
      } else {
        read(key, entry.messages());
      }
    });
    unread.clear();
  }

  /// Corrects the first message of a line; a reply of which nothing was heard, and that makes no
  /// calls, is removed.
  ///
  /// @param place negative if the history no longer has it
  private synchronized void correct(int place, String text) {
    if (place < 0) {
      return;
    }
    Message right = corrected(messages.get(place), text);
    if (text.isEmpty() && right instanceof Message.Assistant said && said.calls().isEmpty()) {
      messages.remove(place);
      keys.remove(place);
      turn -= place < turn ? 1 : 0;
    } else {
      messages.set(place, right);
    }
  }

  /// The message with other text.
  static Message corrected(Message message, String text) {
    return switch (message) {
      case Message.User user -> new Message.User(text, user.files());
      case Message.Assistant said -> new Message.Assistant(text, said.calls());
      case Message.System system -> system;
      case Message.Notice notice -> notice;
      case Message.Result result -> result;
    };
  }

  private synchronized void read(String key, List<Message> line) {
    if (!line.isEmpty() && line.getFirst() instanceof Message.User) {
      answerOpenCalls();
      turn = messages.size();
    }
    add(messages.size(), key, line);
    line.forEach(message -> calls(message).forEach(call -> callIds.add(call.id())));
    // A turn that has no room now will not have any later, so it can be dropped.
    drop(most - (messages.size() - turn));
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
          add(i + 1, keys.get(i), cutOff);
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
    keys.subList(0, from).clear();
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
