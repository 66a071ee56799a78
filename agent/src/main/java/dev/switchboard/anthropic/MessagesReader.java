package dev.switchboard.anthropic;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.model.RequestedCall;
import dev.switchboard.provider.Failures;
import dev.switchboard.provider.ReplyPart;
import dev.switchboard.provider.ReplyReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Converts a message, or its events, to a reply.
final class MessagesReader implements ReplyReader {
  private static final String FULL = "model_context_window_exceeded";
  private static final String FOREIGN = "without content";
  private static final String TURN_BOUNDARY = "turn_boundary"; // for which thinking is meant to go

  private final Failures failures;
  private final ReplyStream stream;
  private final String by;
  private final boolean fresh;
  private final TreeMap<Integer, Block> blocks = new TreeMap<>();
  private final Set<Integer> open = new HashSet<>(); // the blocks that are still arriving
  private final TreeSet<Integer> separators = new TreeSet<>(); // the blocks between words
  private int spoken = -1; // the block of the latest words
  private String stopReason = "";
  private long input;
  private long output;
  private long cacheRead;
  private long cacheWritten;
  private long reasoning;
  private boolean known; // whether an event was one of a message
  private boolean foreign; // whether there were events, but none was
  private boolean complete;

  /// @param by the model, as its items name it
  /// @param fresh whether the items of earlier replies were left out
  MessagesReader(Failures failures, ReplyStream stream, String by, boolean fresh) {
    this.failures = failures;
    this.stream = stream;
    this.by = by;
    this.fresh = fresh;
  }

  /// A part of the message, which may be still arriving.
  ///
  /// @param json as it began
  /// @param more its words, thoughts or arguments
  /// @param signature of thoughts
  private record Block(Type type, ObjectNode json, StringBuilder more, StringBuilder signature) {
    enum Type {
      TEXT,
      TOOL_USE,
      THINKING,
      REDACTED_THINKING,
      /// It has no part in the reply.
      OTHER
    }

    static Block of(JsonNode json) {
      Type type =
          switch (json.path("type").asString("")) {
            case "text" -> Type.TEXT;
            case "tool_use" -> Type.TOOL_USE;
            case "thinking" -> Type.THINKING;
            case "redacted_thinking" -> Type.REDACTED_THINKING;
            default -> Type.OTHER;
          };
      ObjectNode begun = json instanceof ObjectNode object ? object.deepCopy() : Codec.object();
      StringBuilder more = new StringBuilder();
      if (type == Type.TEXT || type == Type.THINKING) {
        more.append(json.path(type == Type.TEXT ? "text" : "thinking").asString(""));
      }
      return new Block(type, begun, more, new StringBuilder(json.path("signature").asString("")));
    }

    RequestedCall call() {
      JsonNode given = json.path("input");
      String start = given.isObject() ? Json.of(given).text() : "{}";
      return RequestedCall.of(
          json.path("id").asString(""),
          json.path("name").asString(""),
          more.isEmpty() ? start : more.toString());
    }

    /// Thoughts as the API needs them back, also without words.
    ObjectNode thoughts() {
      json.put("thinking", more.toString());
      return signature.isEmpty() ? json : json.put("signature", signature.toString());
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
      blocks.put(i, Block.of(content.get(i)));
    }
    stopReason = answer.path("stop_reason").asString("");
    count(answer.path("usage"));
    note(answer.path("input_transformations"));
    return reply();
  }

  @Override
  public boolean event(String data) {
    JsonNode event = failures.json(data);
    String type = event.path("type").asString("");
    known |= type.startsWith("message_") || type.startsWith("content_block_");
    foreign = !known && !type.equals("ping");
    int index = event.path("index").asInt(0);
    switch (type) {
      case "message_start" -> {
        count(event.path("message").path("usage"));
        note(event.path("message").path("input_transformations"));
      }
      case "content_block_start" -> {
        open.add(index);
        if (!blocks.containsKey(index)) {
          Block block = Block.of(event.path("content_block"));
          blocks.put(index, block);
          if (separates(block)) {
            separators.add(index);
          }
          speak(index, block.type == Block.Type.TEXT ? block.more.toString() : "");
        }
      }
      case "content_block_delta" -> delta(index, event.path("delta"));
      case "content_block_stop" -> open.remove(index);
      case "message_delta" -> {
        stopReason = event.path("delta").path("stop_reason").asString(stopReason);
        count(event.path("usage"));
        note(event.path("input_transformations"));
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

  private void delta(int index, JsonNode delta) {
    Block block = blocks.get(index);
    if (block == null) {
      return;
    }
    switch (delta.path("type").asString("")) {
      case "text_delta" -> {
        if (block.type == Block.Type.TEXT) {
          String words = delta.path("text").asString("");
          block.more.append(words);
          speak(index, words);
        }
      }
      case "input_json_delta" -> block.more.append(delta.path("partial_json").asString(""));
      case "thinking_delta" -> block.more.append(delta.path("thinking").asString(""));
      case "signature_delta" -> block.signature.append(delta.path("signature").asString(""));
      // Future kinds of deltas.
      default -> {}
    }
  }

  /// Passes words on, with a blank line before them if something else was between.
  private void speak(int index, String words) {
    if (words.isEmpty()) {
      return;
    }
    Integer next = separators.higher(spoken);
    boolean apart = spoken >= 0 && next != null && next < index;
    stream.text(apart ? ReplyPart.BETWEEN + words : words);
    spoken = index;
  }

  private static boolean separates(Block block) {
    return block.type != Block.Type.TEXT && block.type != Block.Type.OTHER;
  }

  /// Counts grow during the message; the last ones are the totals.
  private void count(JsonNode usage) {
    long read = 0;
    for (String name :
        List.of("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")) {
      read += ReplyReader.tokens(usage, name);
    }
    input = Math.max(input, read);
    cacheRead = Math.max(cacheRead, ReplyReader.tokens(usage, "cache_read_input_tokens"));
    cacheWritten = Math.max(cacheWritten, ReplyReader.tokens(usage, "cache_creation_input_tokens"));
    output = Math.max(output, ReplyReader.tokens(usage, "output_tokens"));
    JsonNode details = usage.path("output_tokens_details");
    reasoning = Math.max(reasoning, ReplyReader.tokens(details, "thinking_tokens"));
  }

  /// Notes thinking that the API did not use.
  private void note(JsonNode transformations) {
    for (JsonNode transformation : transformations) {
      String reason = transformation.path("reason").asString("");
      if (transformation.path("type").asString("").equals("thinking_dropped")
          && !reason.equals(TURN_BOUNDARY)) {
        stream.dropped(reason);
      }
    }
  }

  private ModelReply reply() {
    List<ReplyPart> parts = parts();
    List<RequestedCall> calls = new ArrayList<>();
    for (ReplyPart part : parts) {
      if (part instanceof ReplyPart.Requested(RequestedCall call)) {
        calls.add(call);
      }
    }
    if (calls.stream().anyMatch(call -> call.name().isEmpty())) {
      throw failures.broken("asked for a tool without a name.");
    }
    String text =
        parts.stream()
            .filter(ReplyPart.Words.class::isInstance)
            .map(part -> ((ReplyPart.Words) part).text())
            .collect(Collectors.joining(ReplyPart.BETWEEN));
    ModelReply.Usage usage =
        new ModelReply.Usage(input, output, cacheRead, cacheWritten, reasoning);
    ModelReply reply = new ModelReply(text, calls, reason(!calls.isEmpty()), usage);
    return ReplyPart.withItems(reply, parts, by, fresh);
  }

  /// The parts in their order; words with nothing between them are one piece.
  private List<ReplyPart> parts() {
    List<ReplyPart> parts = new ArrayList<>();
    StringBuilder words = new StringBuilder();
    for (Block block : blocks.values()) {
      if (separates(block)) {
        addWords(parts, words);
      }
      switch (block.type) {
        case TEXT -> words.append(block.more);
        case TOOL_USE -> parts.add(new ReplyPart.Requested(block.call()));
        case THINKING -> parts.add(new ReplyPart.Item(block.thoughts()));
        case REDACTED_THINKING -> parts.add(new ReplyPart.Item(block.json));
        case OTHER -> {}
      }
    }
    addWords(parts, words);
    AlternatingMessages.withoutLastThoughts(parts);
    return parts;
  }

  private static void addWords(List<ReplyPart> parts, StringBuilder words) {
    if (!words.isEmpty()) {
      parts.add(new ReplyPart.Words(words.toString(), null));
      words.setLength(0);
    }
  }

  /// Whether the reply ended where the model could read and write no more.
  boolean hasFilledWindow() {
    return stopReason.equals(FULL);
  }

  private ModelReply.FinishReason reason(boolean called) {
    return switch (stopReason) {
      case "end_turn", "stop_sequence", "tool_use", "" ->
          called ? ModelReply.FinishReason.TOOL_CALLS : ModelReply.FinishReason.STOP;
      case "max_tokens", FULL -> ModelReply.FinishReason.LENGTH;
      case "refusal" -> ModelReply.FinishReason.FILTERED;
      default -> ModelReply.FinishReason.OTHER;
    };
  }
}
