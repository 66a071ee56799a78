package dev.switchboard.loop;

import dev.switchboard.consent.Answer;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.text.UniqueId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What brings a conversation on. Each has an id, so that one delivered twice counts once.
public sealed interface Input {
  /// The id, unique in the conversation.
  String id();

  /// A sentence of the user's, with which a turn begins.
  ///
  /// @param run the client's name for that turn, null for none
  /// @param files what the user shows beside the words
  /// @param reply the JSON Schema that the reply has to meet, null for what the agent states
  record Said(
      String id,
      String text,
      @Nullable String run,
      List<Message.Attachment> files,
      @Nullable Json reply)
      implements Input {
    public Said {
      files = List.copyOf(files);
    }

    /// A sentence of a client that does not name its turn.
    public Said(String id, String text) {
      this(id, text, null);
    }

    /// A sentence of words alone.
    public Said(String id, String text, @Nullable String run) {
      this(id, text, run, List.of(), null);
    }

    /// These words and files.
    public Said(String id, Message.User said, @Nullable String run) {
      this(id, said.text(), run, said.files(), null);
    }

    /// A sentence under an id of ours.
    public static Said of(String text) {
      return new Said(UniqueId.next("input"), text);
    }

    /// These words and files under an id of ours.
    public static Said of(Message.User said) {
      return new Said(UniqueId.next("input"), said, null);
    }

    /// Its words and files.
    public Message.User words() {
      return new Message.User(text, files);
    }

    /// This sentence, whose reply has to meet that JSON Schema.
    public Said withReply(Json schema) {
      return new Said(id, text, run, files, schema);
    }
  }

  /// A person's answer to a request for consent.
  ///
  /// @param request its id
  record Answered(String id, String request, Answer answer) implements Input {
    /// An answer under an id of ours.
    public static Answered of(String request, Answer answer) {
      return new Answered(UniqueId.next("input"), request, answer);
    }
  }

  /// Word that time has passed, or that a request was answered elsewhere.
  record Resumed(String id) implements Input {
    /// Such a word under an id of ours.
    public static Resumed of() {
      return new Resumed(UniqueId.next("input"));
    }
  }

  /// The end of a turn that waits: its requests are denied.
  ///
  /// @param by who ends it
  record Cancelled(String id, String by) implements Input {
    /// Such an end under an id of ours.
    public static Cancelled of(String by) {
      return new Cancelled(UniqueId.next("input"), by);
    }
  }

  /// The end of the conversation: nobody is there any more.
  record HungUp(String id) implements Input {
    /// Such an end under an id of ours.
    public static HungUp of() {
      return new HungUp(UniqueId.next("input"));
    }
  }
}
