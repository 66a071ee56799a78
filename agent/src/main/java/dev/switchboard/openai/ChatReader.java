package dev.switchboard.openai;

import dev.switchboard.json.Codec;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.Failures;
import dev.switchboard.provider.ReplyPart;
import dev.switchboard.provider.ReplyReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts a chat completion, or its chunks, to a reply.
final class ChatReader implements ReplyReader {
  private static final String DONE = "[DONE]";
  private static final String FOREIGN = "without choices";

  private final Failures failures;
  private final ReplyStream stream;
  private final StringBuilder text = new StringBuilder();
  private final Thoughts thoughts;
  private final Runnable onUnopened;
  private final JoinedCalls calls = new JoinedCalls();
  private final Kept kept;
  private final StringBuilder reasoning = new StringBuilder();
  private final ObjectNode extra = Codec.object();
  private ModelReply.Usage usage = ModelReply.Usage.NONE;
  private boolean known; // whether an event was a chunk
  private boolean foreign; // whether there were events, but none was
  private boolean begun;
  private boolean fragmented; // whether words come as the part that was expected
  private boolean done;
  private boolean refused;
  private @Nullable String finish;

  /// What is kept of a reply beside its words and calls.
  ///
  /// @param by the name of the model whose it is
  /// @param reasoning whether its reasoning is, as far as the server shows it
  /// @param fresh whether the request had no items of earlier replies
  record Kept(String by, boolean reasoning, boolean fresh) {}

  /// @param thinksFirst whether thoughts without an opening tag are expected
  /// @param onUnopened runs if they were there and not expected
  ChatReader(
      Failures failures, ReplyStream stream, Kept kept, boolean thinksFirst, Runnable onUnopened) {
    this.failures = failures;
    this.kept = kept;
    thoughts = new Thoughts(thinksFirst);
    this.onUnopened = onUnopened;
    this.stream = stream;
  }

  @Override
  public ModelReply whole(JsonNode answer) {
    if (!answer.isObject() || !answer.has("choices") && !answer.hasNonNull("error")) {
      throw failures.misplaced(FOREIGN);
    }
    take(answer, "message");
    if (!begun) {
      throw failures.broken("sent an answer without choices.");
    }
    return reply();
  }

  @Override
  public boolean event(String data) {
    if (data.strip().equals(DONE)) {
      done = true;
      return true;
    }
    int before = text.length();
    take(failures.json(data), "delta");
    stream.text(text.substring(before));
    return false;
  }

  @Override
  public ModelReply end() {
    // A reply may end without a reason, but an incomplete call must never run.
    boolean ended =
        finish != null || begun && done && calls.list().stream().allMatch(ChatReader::isWhole);
    if (foreign) {
      throw failures.misplaced(FOREIGN);
    }
    if (!ended) {
      throw failures.broken("broke off before its reply was complete.");
    }
    int before = text.length();
    ModelReply reply = reply();
    stream.text(text.substring(before));
    return reply;
  }

  private static boolean isWhole(RequestedCall call) {
    try {
      call.arguments().check();
      return call.arguments().isObject();
    } catch (JsonException e) {
      return false;
    }
  }

  private void take(JsonNode chunk, String part) {
    if (!chunk.isObject()) {
      throw failures.broken("sent something that is not a chat completion.");
    }
    if (chunk.hasNonNull("error")) {
      throw failures.reported(chunk);
    }
    known |= chunk.has("choices");
    foreign = !known;
    JsonNode tokens = chunk.path("usage");
    if (tokens.isObject()) {
      usage =
          new ModelReply.Usage(
              ReplyReader.tokens(tokens, "prompt_tokens"),
              ReplyReader.tokens(tokens, "completion_tokens"),
              ReplyReader.tokens(tokens.path("prompt_tokens_details"), "cached_tokens"),
              0,
              ReplyReader.tokens(tokens.path("completion_tokens_details"), "reasoning_tokens"));
    }
    for (JsonNode choice : chunk.path("choices")) {
      if (choice.path("index").asInt(0) == 0) {
        begun = true;
        JsonNode words = choice.path(part);
        fragmented |= words.isObject();
        // Some servers stream whole messages; after fragments, one only repeats them.
        words(fragmented ? words : choice.path("message"));
        String reason = choice.path("finish_reason").asString("");
        finish = reason.isEmpty() ? finish : reason;
      }
    }
  }

  private void words(JsonNode message) {
    JsonNode content = message.path("content");
    if (content.isString()) {
      text.append(thoughts.shown(content.stringValue()));
    }
    if (content.isArray()) {
      content.forEach(part -> text.append(thoughts.shown(part.path("text").asString(""))));
    }
    String refusal = message.path("refusal").asString("");
    refused |= !refusal.isEmpty();
    text.append(refusal);
    calls.add(message.path("tool_calls"));
    reasoning.append(message.path(ChatRequest.REASONING).asString(""));
    if (message.path(ChatRequest.EXTRA) instanceof ObjectNode more) {
      extra.set(ChatRequest.EXTRA, more);
    }
  }

  private ModelReply reply() {
    text.append(thoughts.rest("length".equals(finish)));
    List<RequestedCall> list = calls.list();
    if (list.stream().anyMatch(call -> call.name().isEmpty())) {
      throw failures.broken("asked for a tool without a name.");
    }
    String answer = thoughts.answer(text);
    if (answer.length() < text.length()) {
      onUnopened.run();
    }
    ModelReply reply = new ModelReply(answer, list, reason(!list.isEmpty()), usage);
    return ReplyPart.withItems(reply, parts(reply), kept.by, kept.fresh);
  }

  private List<ReplyPart> parts(ModelReply reply) {
    if (kept.reasoning && !reasoning.isEmpty()) {
      extra.put(ChatRequest.REASONING, reasoning.toString());
    }
    List<ReplyPart> parts = new ArrayList<>();
    if (!extra.isEmpty()) {
      parts.add(new ReplyPart.Item(extra));
    }
    if (!reply.text().isEmpty()) {
      parts.add(new ReplyPart.Words(reply.text(), null));
    }
    reply.calls().forEach(call -> parts.add(new ReplyPart.Requested(call)));
    return parts;
  }

  /// Some servers end a reply with calls by `stop`, or without a reason.
  private ModelReply.FinishReason reason(boolean called) {
    if (refused) {
      return ModelReply.FinishReason.FILTERED;
    }
    return switch (finish) {
      case null -> called ? ModelReply.FinishReason.TOOL_CALLS : ModelReply.FinishReason.STOP;
      case "stop", "tool_calls", "function_call" ->
          called ? ModelReply.FinishReason.TOOL_CALLS : ModelReply.FinishReason.STOP;
      case "length" -> ModelReply.FinishReason.LENGTH;
      case "content_filter" -> ModelReply.FinishReason.FILTERED;
      default -> ModelReply.FinishReason.OTHER;
    };
  }
}
