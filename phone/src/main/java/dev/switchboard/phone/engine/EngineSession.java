package dev.switchboard.phone.engine;

import dev.switchboard.agent.LiveSession;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A call's session with an engine. Audio is µ-law (ITU-T G.711), 8,000 samples a second, a byte
/// each.
///
/// No method waits for the network: messages are queued. Of the caller's audio at most one second
/// is queued; the oldest is dropped. After the session is lost or closed the methods have no
/// effect. Thread-safe.
public interface EngineSession extends AutoCloseable {
  /// Sends audio of the caller.
  void send(byte[] audio);

  /// Requests a response.
  void create(Response response);

  /// Cancels a response that has begun; its end arrives as an event.
  void cancel(String response);

  /// Truncates an item to the part that was heard.
  ///
  /// @param content the index of the item's part
  /// @param milliseconds of its audio that were heard, never more than was sent
  void truncate(String item, int content, int milliseconds);

  /// Deletes an item of which nothing was heard.
  void delete(String item);

  /// Sends the result of a call that the model has made in this session.
  void output(Message.Result result);

  /// Adds a message to the conversation, without requesting a response.
  void add(Message message);

  /// How much audio of the caller was dropped, in milliseconds.
  long dropped();

  /// Ends the session.
  @Override
  void close();

  /// A response to create.
  ///
  /// @param id of the request, returned in [EngineEvent.Created] and [EngineEvent.Refused]
  /// @param words to be spoken word for word, outside the conversation; null for the model's own
  /// @param request for the agent's model, if the agent keeps the conversation; otherwise null
  /// @param instructions null for the session's
  /// @param tools that are offered, null for all of the session
  record Response(
      String id,
      @Nullable String words,
      LiveSession.@Nullable Request request,
      @Nullable String instructions,
      @Nullable List<ToolDefinition> tools,
      ModelRequest.ToolChoice choice) {
    /// Words of the runtime.
    public static Response ofWords(String id, String words) {
      return new Response(id, words, null, null, List.of(), ModelRequest.ToolChoice.NONE);
    }

    /// A reply of the agent's model.
    public static Response of(String id, LiveSession.Request request) {
      return new Response(id, null, request, null, null, ModelRequest.ToolChoice.AUTO);
    }

    /// Whether it is outside the conversation: it neither reads nor changes it.
    public boolean aside() {
      return words != null;
    }
  }
}
