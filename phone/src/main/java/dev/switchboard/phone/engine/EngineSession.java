package dev.switchboard.phone.engine;

import dev.switchboard.model.ModelRequest;
import dev.switchboard.tool.ToolDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One call's session with an engine. Audio is µ-law (ITU-T G.711), 8,000 samples a second, a byte
/// each.
///
/// No method waits for the network: what is to be sent is queued, audio of the caller beyond one
/// second drops the oldest. After the session is lost or closed they do nothing. Safe for use by
/// several threads.
public interface EngineSession extends AutoCloseable {
  /// Lets the engine hear audio of the caller.
  void hear(byte[] audio);

  /// Has the engine respond.
  void create(Response response);

  /// Cancels a response that has begun; the engine tells its end.
  void cancel(String response);

  /// Forgets what was not heard of an item.
  ///
  /// @param content the index of the item's part
  /// @param milliseconds of its audio that were heard, never more than was sent
  void truncate(String item, int content, int milliseconds);

  /// Forgets an item of which nothing was heard.
  void delete(String item);

  /// Gives a tool call its one result.
  ///
  /// @param callId the provider's
  void output(String callId, String text);

  /// Adds words to the conversation, without a response to them.
  void add(Engine.Item item);

  /// How much audio of the caller was dropped, in milliseconds.
  long dropped();

  /// Ends the session.
  @Override
  void close();

  /// A response to create.
  ///
  /// @param id of the request, which comes back in [EngineEvent.Created] and [EngineEvent.Refused]
  /// @param aside whether it is spoken outside the conversation, so that it neither reads nor
  ///   enlarges that
  /// @param instructions in the place of the session's; null for those
  /// @param tools that are offered, null for all of the session
  record Response(
      String id,
      boolean aside,
      @Nullable String instructions,
      @Nullable List<ToolDefinition> tools,
      ModelRequest.ToolChoice choice) {}
}
