package dev.switchboard.loop;

import dev.switchboard.consent.Answer;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.text.UniqueId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An input that advances a conversation. Its id ensures that one delivered twice is processed
/// once.
public sealed interface Input {
  /// The id, unique in the conversation.
  String id();

  /// A message of the user, which begins a turn.
  ///
  /// @param run the client's name for that turn, null for none
  /// @param files that the user sends with the text
  /// @param reply the JSON Schema of the reply, null for what the agent states
  /// @param by who acts for the principal, such as an operator; null for the principal
  record Said(
      String id,
      String text,
      @Nullable String run,
      List<Message.Attachment> files,
      @Nullable Json reply,
      @Nullable String by)
      implements Input {
    public Said {
      files = List.copyOf(files);
    }

    /// A message of a client that does not name its turn.
    public Said(String id, String text) {
      this(id, text, null);
    }

    /// A message without files.
    public Said(String id, String text, @Nullable String run) {
      this(id, text, run, List.of(), null, null);
    }

    /// This text and these files.
    public Said(String id, Message.User said, @Nullable String run) {
      this(id, said, run, null);
    }

    /// This text and these files, from one who acts for the principal; null for the principal.
    public Said(String id, Message.User said, @Nullable String run, @Nullable String by) {
      this(id, said.text(), run, said.files(), null, by);
    }

    /// A message with a generated id.
    public static Said of(String text) {
      return new Said(UniqueId.next("input"), text);
    }

    /// This text and these files, with a generated id.
    public static Said of(Message.User said) {
      return new Said(UniqueId.next("input"), said, null);
    }

    /// Its text and files.
    public Message.User words() {
      return new Message.User(text, files);
    }

    /// This message, with that JSON Schema of the reply.
    public Said withReply(Json schema) {
      return new Said(id, text, run, files, schema, by);
    }
  }

  /// A person's answer to a request for consent.
  ///
  /// @param request its id
  record Answered(String id, String request, Answer answer) implements Input {
    /// An answer with a generated id.
    public static Answered of(String request, Answer answer) {
      return new Answered(UniqueId.next("input"), request, answer);
    }
  }

  /// A wake-up: time has passed, or a request was answered elsewhere.
  record Resumed(String id) implements Input {
    /// A wake-up with a generated id.
    public static Resumed of() {
      return new Resumed(UniqueId.next("input"));
    }
  }

  /// The end of a waiting turn: its requests are denied.
  ///
  /// @param by who ends it
  record Cancelled(String id, String by) implements Input {
    /// The end of a waiting turn, with a generated id.
    public static Cancelled of(String by) {
      return new Cancelled(UniqueId.next("input"), by);
    }
  }

  /// The end of the conversation: the user is gone.
  record HungUp(String id) implements Input {
    /// The end of the conversation, with a generated id.
    public static HungUp of() {
      return new HungUp(UniqueId.next("input"));
    }
  }
}
