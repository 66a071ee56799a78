package dev.switchboard.cli.chat;

import dev.switchboard.check.Closest;
import dev.switchboard.consent.Answer;
import dev.switchboard.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A line that begins with `/`: a command for the chat, which the model does not see.
sealed interface SlashCommand {
  String HELP =
      """
      /tools                             the agent's tools, and whether it is offered them now
      /rules                             the rules as the model sees them
      /memory                            what the agent remembers
      /approve [ID] [--for 10m|--always] agree to a call that waits
      /deny [ID] [REASON]                refuse a call that waits
      /attach FILE                       show an image, a PDF or a text with the next sentence
      /undo                              undo the latest change, if its tool supports it
      /history                           the conversation as the model reads it
      /help                              this list
      /quit, /exit                       leave; so does Ctrl-D\
      """;
  List<String> ALL =
      List.of(
          "/tools",
          "/rules",
          "/memory",
          "/approve",
          "/deny",
          "/attach",
          "/undo",
          "/history",
          "/help",
          "/quit",
          "/exit");

  record Tools() implements SlashCommand {}

  record Rules() implements SlashCommand {}

  record Memory() implements SlashCommand {}

  record History() implements SlashCommand {}

  record Undo() implements SlashCommand {}

  /// Attaches a file to the next message.
  record Attach(String file) implements SlashCommand {}

  record Help() implements SlashCommand {}

  record Quit() implements SlashCommand {}

  /// Approves a request.
  ///
  /// @param words may begin with the id of the request
  record Approve(List<String> words) implements SlashCommand {
    public Approve {
      words = List.copyOf(words);
    }

    /// @throws IllegalArgumentException when the words are invalid
    Answer.Approved answer(List<String> options) {
      return switch (options) {
        case List<String> none when none.isEmpty() -> Answer.approveOnce();
        case List<String> one when one.equals(List.of("--always")) -> Answer.approveAlways();
        case List<String> two when two.size() == 2 && two.getFirst().equals("--for") ->
            Answer.approveFor(length(two.getLast()));
        case List<String> other ->
            throw new IllegalArgumentException("it is /approve [ID] [--for 10m|--always]");
      };
    }

    private static Duration length(String word) {
      Duration length = Durations.parse(word);
      if (length == null || !length.isPositive()) {
        throw new IllegalArgumentException(
            "--for must be " + Durations.FORMS + ", not '" + word + "'");
      }
      return length;
    }
  }

  /// Denies a request.
  ///
  /// @param words may begin with the id of the request; the rest is the reason
  record Deny(List<String> words) implements SlashCommand {
    public Deny {
      words = List.copyOf(words);
    }
  }

  record Unknown(String word) implements SlashCommand {
    /// A clause that the command is unknown, with the known ones.
    String sentence() {
      List<String> closest = Closest.to(word, ALL);
      String hint =
          closest.isEmpty()
              ? ", only " + String.join(", ", ALL)
              : "; did you mean " + closest.getFirst() + "?";
      return "there is no " + word + hint;
    }
  }

  /// The command of that line, null if it is a message for the agent.
  static @Nullable SlashCommand read(String line) {
    if (!line.startsWith("/")) {
      return null;
    }
    List<String> words = new ArrayList<>(Arrays.asList(line.strip().split("\\s+", -1)));
    String first = words.removeFirst();
    return switch (first) {
      case "/tools" -> new Tools();
      case "/rules" -> new Rules();
      case "/memory" -> new Memory();
      case "/history" -> new History();
      case "/undo" -> new Undo();
      case "/attach" -> new Attach(line.strip().substring(first.length()).strip());
      case "/help" -> new Help();
      case "/quit", "/exit" -> new Quit();
      case "/approve" -> new Approve(words);
      case "/deny" -> new Deny(words);
      case String other -> new Unknown(other);
    };
  }
}
