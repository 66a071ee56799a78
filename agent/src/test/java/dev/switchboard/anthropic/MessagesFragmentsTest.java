package dev.switchboard.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.harness.PropertySize;
import dev.switchboard.json.Codec;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.provider.ProviderContract;
import dev.switchboard.testing.StubAnswer;
import dev.switchboard.testing.StubWebhook;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// However a reply is cut into events, it is the one of the whole answer.
class MessagesFragmentsTest {
  private static final String[] WORDS = {"a", "\n\n", "\ud83d\ude00", " b", "\"c\"", "\u00e4"};

  private final Random random = new Random(11);

  @Test
  void makesOneReplyOfAnyFragments() {
    for (int i = PropertySize.of(2_000); i > 0; i--) {
      ArrayNode content = content();
      ObjectNode whole = Codec.object().put("stop_reason", "tool_use");
      whole.set("content", content);
      List<String> heard = new ArrayList<>();

      ModelReply reply =
          reply(StubAnswer.of(200, events(content)).contentType("text/event-stream"), heard);

      assertThat(reply).isEqualTo(reply(StubAnswer.of(200, whole.toString()), new ArrayList<>()));
      assertThat(String.join("", heard)).isEqualTo(reply.text());
    }
  }

  private ArrayNode content() {
    ArrayNode content = Codec.object().putArray("content");
    for (int i = random.nextInt(6); i > 0; i--) {
      ObjectNode block = content.addObject();
      switch (random.nextInt(4)) {
        case 0 -> block.put("type", "text").put("text", words());
        case 1 ->
            block.put("type", "thinking").put("thinking", words()).put("signature", "s" + words());
        case 2 -> block.put("type", "redacted_thinking").put("data", words());
        default ->
            block
                .put("type", "tool_use")
                .put("id", "c" + i)
                .put("name", "t")
                .set("input", Codec.object().put("x", words()));
      }
    }
    return content;
  }

  private String words() {
    StringBuilder words = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      words.append(WORDS[random.nextInt(WORDS.length)]);
    }
    return words.toString();
  }

  private String events(ArrayNode content) {
    StringBuilder out = new StringBuilder();
    event(out, "{\"type\":\"message_start\",\"message\":{}}");
    for (int i = 0; i < content.size(); i++) {
      JsonNode block = content.get(i);
      ObjectNode begun = (ObjectNode) block.deepCopy();
      ObjectNode start = Codec.object().put("type", "content_block_start").put("index", i);
      start.set("content_block", begun);
      switch (block.path("type").asString()) {
        case "text" -> {
          begun.put("text", "");
          start(out, start);
          deltas(out, i, "text_delta", "text", block.path("text").asString());
        }
        case "thinking" -> {
          begun.put("thinking", "").put("signature", "");
          start(out, start);
          deltas(out, i, "thinking_delta", "thinking", block.path("thinking").asString());
          deltas(out, i, "signature_delta", "signature", block.path("signature").asString());
        }
        case "tool_use" -> {
          begun.putObject("input");
          start(out, start);
          deltas(out, i, "input_json_delta", "partial_json", block.path("input").toString());
        }
        default -> start(out, start);
      }
      event(out, "{\"type\":\"content_block_stop\",\"index\":" + i + "}");
    }
    event(out, "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}");
    event(out, "{\"type\":\"message_stop\"}");
    return out.toString();
  }

  /// The start of a block, sometimes twice.
  private void start(StringBuilder out, ObjectNode start) {
    for (int i = random.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
      event(out, start.toString());
    }
  }

  /// Fragments may be empty, and cut a letter in two.
  private void deltas(StringBuilder out, int index, String type, String member, String text) {
    int at = 0;
    while (at < text.length()) {
      int end = Math.min(text.length(), at + random.nextInt(4));
      ObjectNode event = Codec.object().put("type", "content_block_delta").put("index", index);
      event.putObject("delta").put("type", type).put(member, text.substring(at, end));
      event(out, escaped(event.toString()));
      at = end;
    }
  }

  /// Halves of letters can only be sent escaped.
  private static String escaped(String json) {
    StringBuilder out = new StringBuilder();
    for (char c : json.toCharArray()) {
      out.append(Character.isSurrogate(c) ? "\\u%04x".formatted((int) c) : String.valueOf(c));
    }
    return out.toString();
  }

  private void event(StringBuilder out, String json) {
    out.append("data: ").append(json).append("\n\n");
    switch (random.nextInt(8)) {
      case 0 -> out.append("data: {\"type\":\"ping\"}\n\n");
      case 1 -> out.append("data: {\"type\":\"content_block_new\",\"index\":0}\n\n");
      case 2 -> out.append(": a comment\n\n");
      default -> {}
    }
  }

  private static ModelReply reply(StubAnswer answer, List<String> heard) {
    try (StubWebhook server = StubWebhook.start().answer(answer)) {
      return AnthropicModel.of("m", ModelOptions.builder().baseUrl(server.url()).build())
          .reply(ProviderContract.HELLO, new ReplyStream(heard::add));
    }
  }
}
