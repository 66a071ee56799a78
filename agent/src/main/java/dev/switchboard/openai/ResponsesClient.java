package dev.switchboard.openai;

import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ModelRequest;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.provider.Endpoint;
import dev.switchboard.provider.RefusedRequest;
import dev.switchboard.provider.ReplyPart;

/// Asks a model by OpenAI's Responses API, and remembers what its service does not accept.
///
/// Thread-safe.
final class ResponsesClient {
  static final String PATH = "responses";

  private final String model;
  private final ModelOptions options;
  private final Endpoint endpoint;
  private final String by;
  private volatile boolean encrypts = true; // whether encrypted reasoning may be requested
  private volatile boolean needsIds; // of reasoning

  ResponsesClient(String model, ModelOptions options, Endpoint endpoint) {
    this.model = model;
    this.options = options;
    this.endpoint = endpoint;
    by = "responses/" + endpoint.host() + "/" + model;
  }

  /// The reply. A refusal with a remedy is followed by another request, at most once for each.
  ///
  /// @throws RefusedRequest when the last request is refused
  ModelReply reply(ModelRequest request, ReplyStream stream) throws RefusedRequest {
    ModelRequest asked = request.withMessages(ReplyPart.since(request.messages(), by));
    boolean fresh = false;
    while (true) {
      boolean encrypted = encrypts;
      boolean ids = needsIds;
      ResponsesRequest body = new ResponsesRequest(model, options, by, encrypted, ids);
      try {
        ModelReply reply = endpoint.attempt(body.of(asked), stream, reader(asked, stream, fresh));
        if (fresh) {
          stream.dropped("refused");
        }
        return reply;
      } catch (RefusedRequest e) {
        boolean hasItems = ReplyPart.hasItems(asked.messages(), by);
        if (encrypted && refusesEncryption(e)) {
          encrypts = false;
        } else if (hasItems && refusesItems(e)) {
          asked =
              asked.withMessages(ReplyPart.withoutItems(asked.messages(), asked.messages().size()));
          fresh = true;
          // It looked for what it does not store.
          needsIds = needsIds && !lost(e);
        } else if (hasItems && !ids && missesId(e)) {
          needsIds = true;
        } else {
          throw e;
        }
      }
    }
  }

  private ResponsesReader reader(ModelRequest asked, ReplyStream stream, boolean fresh) {
    boolean formatted = asked.format() != null;
    return new ResponsesReader(endpoint.failures(), stream, by, formatted, fresh);
  }

  /// Models without reasoning do.
  private static boolean refusesEncryption(RefusedRequest e) {
    return e.status() == 400
        && e.says("Encrypted content is not supported", "reasoning.encrypted_content", "'include'");
  }

  private static boolean refusesItems(RefusedRequest e) {
    return (e.status() == 400 || e.status() == 404)
        && (lost(e) || e.says("was provided without its required", "invalid_encrypted_content"));
  }

  private static boolean lost(RefusedRequest e) {
    return e.says("Item with id '") && e.says("not found");
  }

  private static boolean missesId(RefusedRequest e) {
    return (e.status() == 400 || e.status() == 422)
        && e.says("missing", "required")
        && e.says(".id'", ".id\"", "'id'", "\"id\"", "`id`");
  }
}
