package dev.switchboard.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.ModelOptions;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ReplyStream;
import dev.switchboard.provider.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// However the events of a response arrive, the reply is the same.
class ResponsesEventsTest {
  private static final int SIZE = Integer.getInteger("switchboard.sequences", 100_000) / 100;
  private static final Endpoint ENDPOINT =
      Endpoint.of("openai:m", OpenAiModel.service("responses"), ModelOptions.builder().build());

  private final Random random = new Random(40);

  /// A random reply.
  private List<ObjectNode> items() {
    List<ObjectNode> items = new ArrayList<>();
    int number = 1 + random.nextInt(6);
    for (int i = 0; i < number; i++) {
      items.add(item(i).put("id", "id_" + i).put("status", "completed"));
    }
    return items;
  }

  private ObjectNode item(int i) {
    ObjectNode item = Codec.object();
    switch (random.nextInt(5)) {
      case 0 ->
          item.put("type", "reasoning").put("encrypted_content", "enc" + i).putArray("summary");
      case 1 -> item.put("type", "program").put("code", "x" + i);
      case 2 ->
          item.put("type", "function_call")
              .put("call_id", "call_" + i)
              .put("name", "tool")
              .put("arguments", "{\"n\":" + i + "}");
      default -> {
        item.put("type", "message").put("role", "assistant");
        if (random.nextBoolean()) {
          item.put("phase", random.nextBoolean() ? "commentary" : "final_answer");
        }
        String words = "Word \ud83d\ude00 ".repeat(random.nextInt(4));
        item.putArray("content").addObject().put("type", "output_text").put("text", words + i);
      }
    }
    return item;
  }

  /// The events of an item, with its words or arguments in fragments.
  private List<ObjectNode> events(int index, ObjectNode item) {
    List<ObjectNode> events = new ArrayList<>();
    events.add(event("response.output_item.added").set("item", Codec.object().put("type", "x")));
    String type = item.path("type").asString("");
    boolean message = type.equals("message");
    String text =
        message ? item.at("/content/0/text").asString("") : item.path("arguments").asString("");
    for (int at = 0; at < text.length(); ) {
      int to = Math.min(text.length(), at + 1 + random.nextInt(5));
      String kind =
          message ? "response.output_text.delta" : "response.function_call_arguments.delta";
      events.add(event(kind).put("delta", text.substring(at, to)));
      at = to;
    }
    events.add(event("response.output_item.done").set("item", item));
    events.forEach(event -> event.put("output_index", index));
    return events;
  }

  private static ObjectNode event(String type) {
    return Codec.object().put("type", type);
  }

  private static String last(List<ObjectNode> items) {
    ObjectNode end = event("response.completed");
    ObjectNode response = end.putObject("response");
    items.forEach(response.putArray("output")::add);
    response.putObject("usage").put("input_tokens", 7).put("output_tokens", 3);
    return Json.of(end).text();
  }

  private static ModelReply read(List<String> events, StringBuilder heard, boolean formatted) {
    ReplyStream stream = new ReplyStream(heard::append);
    ResponsesReader reader =
        new ResponsesReader(ENDPOINT.failures(), stream, "responses/h/m", formatted, false);
    boolean over = false;
    for (String event : events) {
      assertThat(over).isFalse();
      over = reader.event(event);
    }
    ModelReply reply = reader.end();
    stream.end();
    return reply;
  }

  private List<String> numbered(List<ObjectNode> events) {
    List<String> texts = new ArrayList<>();
    for (ObjectNode event : events) {
      String text = Json.of(event.put("sequence_number", texts.size())).text();
      texts.add(text);
    }
    return texts;
  }

  /// The events of all items in a random order, in which those of one item stay in theirs.
  private List<ObjectNode> interleaved(List<List<ObjectNode>> items) {
    List<List<ObjectNode>> left = new ArrayList<>();
    items.forEach(events -> left.add(new ArrayList<>(events)));
    List<ObjectNode> all = new ArrayList<>();
    while (!left.isEmpty()) {
      List<ObjectNode> next = left.get(random.nextInt(left.size()));
      all.add(next.removeFirst());
      left.removeIf(List::isEmpty);
    }
    return all;
  }

  /// The events with unknown ones among them, and some of them again.
  private List<String> disturbed(List<String> events) {
    List<String> all = new ArrayList<>();
    for (String event : events) {
      all.add(event);
      if (random.nextInt(4) == 0) {
        all.add(all.get(random.nextInt(all.size())));
      }
      if (random.nextInt(4) == 0) {
        all.add("{\"type\":\"response.new." + random.nextInt() + "\",\"delta\":\"no\"}");
      }
    }
    return all;
  }

  @Test
  void isTheSameHoweverTheEventsArrive() {
    for (int i = 0; i < SIZE; i++) {
      boolean formatted = random.nextInt(4) == 0;
      List<ObjectNode> items = items();
      ModelReply expected = read(List.of(last(items)), new StringBuilder(), formatted);
      List<List<ObjectNode>> events = new ArrayList<>();
      for (int k = 0; k < items.size(); k++) {
        events.add(events(k, items.get(k)));
      }
      List<ObjectNode> inOrder = events.stream().flatMap(List::stream).toList();
      List<ObjectNode> mixed = interleaved(events);
      mixed.removeIf(event -> random.nextInt(20) == 0);
      for (List<ObjectNode> variant : List.of(inOrder, mixed)) {
        List<String> arriving = disturbed(numbered(variant));
        arriving.add(last(items));
        StringBuilder heard = new StringBuilder();

        assertThat(read(arriving, heard, formatted)).as("%d: %s", i, arriving).isEqualTo(expected);
        if (variant == inOrder) {
          assertThat(heard.toString()).as("%d: %s", i, arriving).isEqualTo(expected.text());
        }
      }
    }
  }
}
