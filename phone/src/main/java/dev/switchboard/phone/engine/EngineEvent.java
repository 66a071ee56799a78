package dev.switchboard.phone.engine;

import dev.switchboard.model.ModelReply;
import dev.switchboard.model.RequestedCall;
import org.jspecify.annotations.Nullable;

/// An event of an engine's session.
public sealed interface EngineEvent {
  /// The session is set up as requested.
  record Ready() implements EngineEvent {}

  /// The caller has begun to speak.
  record SpeechStarted() implements EngineEvent {}

  /// The caller has stopped.
  record SpeechStopped() implements EngineEvent {}

  /// The caller's speech has become an item of the conversation, to which the model can respond.
  ///
  /// @param words of it, empty if they were not understood; null if they are not known yet, and
  ///   follow as [Transcribed]
  record Committed(String item, @Nullable String words) implements EngineEvent {}

  /// An item was transcribed, which may take longer than the response to it.
  ///
  /// @param text null if that failed
  record Transcribed(String item, @Nullable String text) implements EngineEvent {}

  /// A response has begun.
  ///
  /// @param response the engine's id for it
  /// @param request the id of the [EngineSession.Response] that requested it, null if none did
  record Created(String response, @Nullable String request) implements EngineEvent {}

  /// Audio of a response, in order.
  ///
  /// @param content the index of the item's part
  /// @param preamble whether it is what the model says before it answers, such as "Let me see"
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  record Audio(String response, String item, int content, byte[] audio, boolean preamble)
      implements EngineEvent {
    /// Audio of an answer.
    public Audio(String response, String item, int content, byte[] audio) {
      this(response, item, content, audio, false);
    }

    /// This audio as a part of a preamble.
    public Audio ofPreamble() {
      return new Audio(response, item, content, audio, true);
    }
  }

  /// Words of a response that the carrier speaks, in order.
  record Text(String response, String item, String words) implements EngineEvent {}

  /// A fragment of the words of a response.
  record Words(String response, String item, String delta) implements EngineEvent {}

  /// A tool call of a response is complete.
  ///
  /// @param call with the provider's id
  record Called(String response, String item, RequestedCall call) implements EngineEvent {}

  /// The words of a response's item are complete.
  record Spoken(String response, String item, String text) implements EngineEvent {}

  /// A response has ended.
  ///
  /// @param reason why it was not completed, for people; null for none
  /// @param reply of the agent's model, null if the engine's own has replied, or none
  record Done(
      String response,
      Status status,
      @Nullable String reason,
      ModelReply.Usage usage,
      @Nullable ModelReply reply)
      implements EngineEvent {
    /// The end of a response of the engine's own model.
    public Done(String response, Status status, @Nullable String reason, ModelReply.Usage usage) {
      this(response, status, reason, usage, null);
    }
  }

  /// How a response ended.
  enum Status {
    COMPLETED,
    CANCELLED,
    FAILED,
    INCOMPLETE
  }

  /// The engine has refused a request; the session continues.
  ///
  /// @param request the id of the request for a response, null if the engine does not state it
  /// @param code of the provider
  record Refused(@Nullable String request, String code, String message) implements EngineEvent {
    /// The code for a response requested while another is in progress.
    public static final String RESPONSE_ACTIVE = "conversation_already_has_active_response";
  }

  /// The session is lost; no event follows.
  ///
  /// @param fatal whether a new session would fail too, since the provider rejects the key, the
  ///   account or the settings
  /// @param code a word for programs
  record Lost(boolean fatal, String code, String message) implements EngineEvent {}
}
