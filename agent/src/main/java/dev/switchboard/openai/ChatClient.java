package dev.switchboard.openai;

import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.openai.ChatRequest.Reasoning;
import dev.switchboard.provider.Endpoint;
import dev.switchboard.provider.RefusedRequest;
import dev.switchboard.provider.ReplyPart;

/// Asks a model for chat completions, and remembers what its service does not accept.
///
/// Thread-safe.
final class ChatClient {
  static final String PATH = "chat/completions";

  private final String model;
  private final ModelOptions options;
  private final Endpoint endpoint;
  private final boolean own;
  private final String by;
  private volatile boolean thinksFirst; // as stated, or as a reply has shown
  private volatile Reasoning takes = Reasoning.KEPT;
  private volatile boolean needsSignatures; // at every call

  /// @param own whether it is a service of OpenAI's own models
  ChatClient(String model, ModelOptions options, Endpoint endpoint, boolean own) {
    this.model = model;
    this.options = options;
    this.endpoint = endpoint;
    this.own = own;
    thinksFirst = options.thinksFirst();
    by = "chat/" + endpoint.host() + "/" + model;
  }

  /// The reply. A refusal with a remedy is followed by another request, at most once for each.
  ///
  /// @throws RefusedRequest when the last request is refused
  ModelReply reply(ModelRequest request, ReplyStream stream) throws RefusedRequest {
    ModelRequest asked = request.withMessages(ReplyPart.since(request.messages(), by));
    boolean fresh = false;
    boolean demanded = false;
    while (true) {
      Reasoning reasoning = takes;
      boolean signed = needsSignatures;
      ChatRequest body =
          new ChatRequest(model, options, own, stream.wanted(), by, reasoning, signed);
      try {
        ModelReply reply =
            endpoint.attempt(body.of(asked), stream, reader(stream, reasoning, fresh));
        if (fresh) {
          stream.dropped("refused");
        }
        return reply;
      } catch (RefusedRequest e) {
        if (!demanded && reasoning != Reasoning.ALWAYS && demandsReasoning(e)) {
          takes = Reasoning.ALWAYS;
          demanded = true;
          continue;
        } else if (reasoning != Reasoning.NEVER && refusesReasoning(e)) {
          takes = Reasoning.NEVER;
        } else if (!signed && e.says("missing a thought_signature")) {
          needsSignatures = true;
          continue;
        } else if (fresh || !refusesSignature(e)) {
          throw e;
        }
        asked =
            asked.withMessages(ReplyPart.withoutItems(asked.messages(), asked.messages().size()));
        fresh = true;
      }
    }
  }

  private ChatReader reader(ReplyStream stream, Reasoning reasoning, boolean fresh) {
    ChatReader.Kept kept = new ChatReader.Kept(by, reasoning != Reasoning.NEVER, fresh);
    return new ChatReader(endpoint.failures(), stream, kept, thinksFirst, () -> thinksFirst = true);
  }

  /// Servers of models that think do where a message has none: a call of the runtime, a reply of
  /// another model or from before a boundary.
  private static boolean demandsReasoning(RefusedRequest e) {
    return (e.status() == 400 || e.status() == 422)
        && e.says("reasoning_content", "reasoning content")
        && e.says("missing", "must be passed back", "must be provided", "is required");
  }

  private static boolean refusesReasoning(RefusedRequest e) {
    return (e.status() == 400 || e.status() == 422)
        && e.says("reasoning_content")
        && e.says(
            "unsupported",
            "not supported",
            "not permitted",
            "not allowed",
            "unexpected",
            "unknown",
            "unrecognized",
            "extra");
  }

  private static boolean refusesSignature(RefusedRequest e) {
    return e.status() == 400
        && e.says(
            "invalid thought signature",
            "invalid thought_signature",
            "corrupted thought signature",
            "corrupted thought_signature",
            "thought signature is not valid");
  }
}
