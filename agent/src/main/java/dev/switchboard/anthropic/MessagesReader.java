package dev.switchboard.anthropic;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.Failures;
import dev.switchboard.provider.ReplyReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts a message, or its events, to a reply.
final class MessagesReader implements ReplyReader {
  private static final String FOREIGN = "without content";

  private final Failures failures;
  private final ReplyStream stream;
  private final StringBuilder text = new StringBuilder();
  private final Map<Integer, ToolUse> calls = new TreeMap<>();
  private final Map<Integer, ObjectNode> thoughts = new TreeMap<>();
  private final Set<Integer> open = new HashSet<>(); // the blocks that are still arriving
  private String stopReason = "";
  private long input;
  private long output;
  private long cacheRead;
  private long cacheWritten;
  private boolean known; // whether an event was one of a message
  private boolean foreign; // whether there were events, but none was
  private boolean complete;

  MessagesReader(Failures failures, ReplyStream stream) {
    this.failures = failures;
    this.stream = stream;
  }

  /// A call whose arguments are still arriving.
  ///
  /// @param given its initial input
  private record ToolUse(String id, String name, JsonNode given, StringBuilder fragments) {
    static ToolUse of(JsonNode block) {
      return new ToolUse(
          block.path("id").asString(""),
          block.path("name").asString(""),
          block.path("input"),
          new StringBuilder());
    }

    RequestedCall call() {
      String start = given.isObject() ? Json.of(given).text() : "{}";
      return RequestedCall.of(id, name, fragments.isEmpty() ? start : fragments.toString());
    }
  }

  @Override
  public ModelReply whole(JsonNode answer) {
    if (answer.path("type").asString("").equals("error") || answer.hasNonNull("error")) {
      throw failures.reported(answer);
    }
    JsonNode content = answer.path("content");
    if (content.isMissingNode()) {
      throw failures.misplaced(FOREIGN);
    }
    if (!content.isArray()) {
      throw failures.broken("sent an answer without content.");
    }
    for (int i = 0; i < content.size(); i++) {
      begin(i, content.get(i));
    }
    stopReason = answer.path("stop_reason").asString("");
    count(answer.path("usage"));
    return reply();
  }

  @Override
  public boolean event(String data) {
    JsonNode event = failures.json(data);
    String type = event.path("type").asString("");
    known |= type.startsWith("message_") || type.startsWith("content_block_");
    foreign = !known && !type.equals("ping");
    switch (type) {
      case "message_start" -> count(event.path("message").path("usage"));
      case "content_block_start" -> {
        open.add(event.path("index").asInt(0));
        stream.text(begin(event.path("index").asInt(0), event.path("content_block")));
      }
      case "content_block_delta" -> delta(event.path("index").asInt(0), event.path("delta"));
      case "content_block_stop" -> open.remove(event.path("index").asInt(0));
      case "message_delta" -> {
        stopReason = event.path("delta").path("stop_reason").asString(stopReason);
        count(event.path("usage"));
      }
      case "message_stop" -> complete = true;
      case "error" -> throw failures.reported(event);
      default -> {
        // `ping` and future events.
        if (event.hasNonNull("error")) {
          throw failures.reported(event);
        }
      }
    }
    return complete;
  }

  @Override
  public ModelReply end() {
    if (foreign) {
      throw failures.misplaced(FOREIGN);
    }
    // The last event may be missing, but an incomplete call must never run.
    if (!complete && (stopReason.isEmpty() || !open.isEmpty())) {
      throw failures.broken("broke off before its reply was complete.");
    }
    return reply();
  }

  /// Begins a block; returns its initial text.
  private String begin(int index, JsonNode block) {
    String words = "";
    switch (block.path("type").asString("")) {
      case "text" -> words = block.path("text").asString("");
      case "tool_use" -> calls.put(index, ToolUse.of(block));
      case "thinking", "redacted_thinking" -> {
        if (block instanceof ObjectNode thought) {
          thoughts.put(index, thought.deepCopy());
        }
      }
      // Future kinds of deltas.
      default -> {}
    }
    text.append(words);
    return words;
  }

  private void delta(int index, JsonNode delta) {
    switch (delta.path("type").asString("")) {
      case "text_delta" -> {
        String words = delta.path("text").asString("");
        text.append(words);
        stream.text(words);
      }
      case "input_json_delta" -> {
        ToolUse call = calls.get(index);
        if (call != null) {
          call.fragments().append(delta.path("partial_json").asString(""));
        }
      }
      case "thinking_delta" -> more(index, "thinking", delta);
      case "signature_delta" -> more(index, "signature", delta);
      default -> {}
    }
  }

  private void more(int index, String member, JsonNode delta) {
    ObjectNode thought = thoughts.get(index);
    if (thought != null) {
      String known = thought.path(member).asString("");
      thought.put(member, known + delta.path(member).asString(""));
    }
  }

  /// Counts grow during the message; the last ones are the totals.
  private void count(JsonNode usage) {
    long read = 0;
    for (String name :
        List.of("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")) {
      read += Math.max(0, usage.path(name).asLong(0));
    }
    input = Math.max(input, read);
    cacheRead = Math.max(cacheRead, usage.path("cache_read_input_tokens").asLong(0));
    cacheWritten = Math.max(cacheWritten, usage.path("cache_creation_input_tokens").asLong(0));
    output = Math.max(output, usage.path("output_tokens").asLong(0));
  }

  private ModelReply reply() {
    List<RequestedCall> list = new ArrayList<>();
    calls.values().forEach(call -> list.add(call.call()));
    if (list.stream().anyMatch(call -> call.name().isEmpty())) {
      throw failures.broken("asked for a tool without a name.");
    }
    if (!list.isEmpty() && !thoughts.isEmpty()) {
      list.set(0, withThoughts(list.getFirst()));
    }
    ModelReply.Usage usage = new ModelReply.Usage(input, output, cacheRead, cacheWritten);
    return new ModelReply(text.toString(), list, reason(!list.isEmpty()), usage);
  }

  /// The API needs the model's thinking back before its calls.
  private RequestedCall withThoughts(RequestedCall call) {
    ObjectNode extra = Codec.object();
    thoughts.values().forEach(extra.putArray(AlternatingMessages.THOUGHTS)::add);
    return new RequestedCall(call.id(), call.name(), call.arguments(), Json.of(extra));
  }

  private ModelReply.FinishReason reason(boolean called) {
    return switch (stopReason) {
      case "end_turn", "stop_sequence", "tool_use", "" ->
          called ? ModelReply.FinishReason.TOOL_CALLS : ModelReply.FinishReason.STOP;
      case "max_tokens", "model_context_window_exceeded" -> ModelReply.FinishReason.LENGTH;
      case "refusal" -> ModelReply.FinishReason.FILTERED;
      default -> ModelReply.FinishReason.OTHER;
    };
  }
}
