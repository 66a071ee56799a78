package dev.switchboard.model;

import dev.switchboard.json.Json;
import dev.switchboard.json.Records;
import dev.switchboard.text.Surrogates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The difference between a request and the recorded one.
///
/// Ids of calls differ from run to run, so each is renamed by the order of its first appearance.
/// What providers need back with calls does not count: without items it is kept longer.
final class Difference {
  private static final int CONTEXT = 40;

  private final Exchange recorded;
  private final ModelRequest asked;
  private final boolean ignoringSystem;
  private final List<String> lines = new ArrayList<>();

  Difference(Exchange recorded, ModelRequest asked, boolean ignoringSystem) {
    this.recorded = recorded;
    this.asked = asked;
    this.ignoringSystem = ignoringSystem;
  }

  /// The message for a request after the last of the recording.
  static String beyond(Recording recording, ModelRequest request) {
    int recorded = recording.entries().size();
    List<Message> messages = request.messages();
    return "%s: ends after exchange %d, and the model was asked once more\n  asked:    %s"
        .formatted(
            recording.name(),
            recorded,
            messages.isEmpty() ? "no messages" : line(withoutBytes(messages.getLast())));
  }

  /// The difference in lines, null for none.
  @Nullable String text() {
    compareMessages(canonical(recorded.messages()), canonical(asked.messages()));
    compareTools(recorded.tools(), Exchange.digests(asked.tools()));
    if (recorded.choice() != asked.choice()) {
      lines.add("the choice of tools differs");
      pair(word(recorded.choice()), word(asked.choice()));
    }
    if (!Objects.equals(recorded.format(), Exchange.format(asked))) {
      lines.add("the form of the reply differs");
    }
    return lines.isEmpty() ? null : String.join("\n", lines);
  }

  private static String word(ModelRequest.ToolChoice choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  private List<String> canonical(List<Message> messages) {
    Map<String, String> names = new HashMap<>();
    return messages.stream().map(message -> line(renamed(message, names))).toList();
  }

  private Message renamed(Message message, Map<String, String> names) {
    return switch (message) {
      case Message.System system -> ignoringSystem ? new Message.System("") : system;
      case Message.User user -> withoutBytes(user);
      case Message.Notice notice -> notice;
      case Message.Assistant(String text, List<RequestedCall> calls, var items) ->
          new Message.Assistant(
              text,
              calls.stream()
                  .map(call -> call.withId(name(call.id(), names)).withoutExtra())
                  .toList());
      case Message.Result(String id, String tool, String text, boolean success) ->
          new Message.Result(name(id, names), tool, text, success);
    };
  }

  private static Message withoutBytes(Message message) {
    return message instanceof Message.User user ? withoutBytes(user) : message;
  }

  /// The user's message, with a placeholder for each file and the digest of its bytes.
  private static Message withoutBytes(Message.User user) {
    StringBuilder text = new StringBuilder(user.text());
    for (Message.Attachment file : user.files()) {
      String digest = Json.of(file.data()).digest().substring(0, 16);
      text.append(' ').append(file.placeholder()).append(' ').append(digest);
    }
    return new Message.User(text.toString());
  }

  private static String name(String id, Map<String, String> names) {
    return names.computeIfAbsent(id, any -> "#" + (names.size() + 1));
  }

  private static String line(Message message) {
    return Surrogates.repaired(Records.write(message).text());
  }

  private void compareMessages(List<String> then, List<String> now) {
    int same = 0;
    while (same < then.size() && same < now.size() && then.get(same).equals(now.get(same))) {
      same++;
    }
    if (same == then.size() && same == now.size()) {
      return;
    }
    String counts =
        then.size() == now.size()
            ? ""
            : " (%d recorded, %d asked)".formatted(then.size(), now.size());
    if (same == then.size()) {
      lines.add("message " + (same + 1) + " was not recorded" + counts);
      lines.add("  asked:    " + now.get(same));
    } else if (same == now.size()) {
      lines.add("message " + (same + 1) + " was not asked" + counts);
      lines.add("  recorded: " + then.get(same));
    } else {
      lines.add("message " + (same + 1) + " differs" + counts);
      mark(then.get(same), now.get(same));
    }
  }

  /// Both texts around the first character that differs, with a mark below it.
  private void mark(String then, String now) {
    int at = 0;
    while (at < then.length() && at < now.length() && then.charAt(at) == now.charAt(at)) {
      at++;
    }
    pair(around(then, at), around(now, at));
    int left = at > CONTEXT ? CONTEXT + 3 : at;
    lines.add(" ".repeat("  recorded: ".length() + left) + "^");
  }

  private static String around(String text, int at) {
    int from = Math.max(0, at - CONTEXT);
    int to = Math.min(text.length(), at + CONTEXT);
    return (from > 0 ? "..." : "") + text.substring(from, to) + (to < text.length() ? "..." : "");
  }

  private void pair(String then, String now) {
    lines.add("  recorded: " + then);
    lines.add("  asked:    " + now);
  }

  private void compareTools(Map<String, String> then, Map<String, String> now) {
    now.forEach((name, digest) -> {
      if (!then.containsKey(name)) {
        lines.add("tool '" + name + "' was not offered then");
      } else if (!digest.equals(then.get(name))) {
        lines.add("tool '" + name + "' has another description or other parameters now");
      }
    });
    then.keySet().stream()
        .filter(name -> !now.containsKey(name))
        .forEach(name -> lines.add("tool '" + name + "' is not offered now"));
  }
}
