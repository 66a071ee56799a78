package dev.switchboard.model;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.tool.ToolDefinition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request of a recording, and its outcome, without the items of providers.
///
/// @param messages all of them
/// @param tools the digests of the tools as the model reads them, by their names
/// @param format the digest of the reply's format, null for none
/// @param fragments the text as it was streamed, empty if it was not
record Exchange(
    List<Message> messages,
    Map<String, String> tools,
    ModelRequest.ToolChoice choice,
    @Nullable String format,
    List<String> fragments,
    Outcome outcome) {
  private static final int DIGEST_LENGTH = 16;

  /// The outcome of a request.
  sealed interface Outcome {
    /// A reply.
    record Replied(ModelReply reply) implements Outcome {}

    /// A failure.
    record Failed(ModelException.Kind kind, String message, @Nullable Duration retryAfter)
        implements Outcome {}
  }

  static Exchange of(ModelRequest request, List<String> fragments, Outcome outcome) {
    return new Exchange(
        messages(request),
        digests(request.tools()),
        request.choice(),
        format(request),
        fragments,
        outcome instanceof Outcome.Replied(ModelReply reply)
            ? new Outcome.Replied(reply.withItems(null))
            : outcome);
  }

  /// The messages without the items of providers.
  static List<Message> messages(ModelRequest request) {
    return request.messages().stream()
        .map(message ->
            message instanceof Message.Assistant(String text, List<RequestedCall> calls, var unused)
                ? new Message.Assistant(text, calls)
                : message)
        .toList();
  }

  /// The digest of the reply's format, null for none.
  static @Nullable String format(ModelRequest request) {
    ModelRequest.ReplyFormat format = request.format();
    return format == null ? null : format.schema().digest().substring(0, DIGEST_LENGTH);
  }

  /// The digests of the tools as the model reads them, by their names.
  static Map<String, String> digests(List<ToolDefinition> tools) {
    Map<String, String> digests = new LinkedHashMap<>();
    for (ToolDefinition tool : tools) {
      Json described =
          Json.of(
              Codec.object()
                  .put("description", tool.description())
                  .put("strict", tool.strict())
                  .put("parameters", tool.parameters().digest()));
      digests.put(tool.name(), described.digest().substring(0, DIGEST_LENGTH));
    }
    return digests;
  }
}
