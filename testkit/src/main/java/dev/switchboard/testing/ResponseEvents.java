package dev.switchboard.testing;

import dev.switchboard.json.Codec;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The events of a response, as OpenAI streams them.
final class ResponseEvents {
  private static final int FRAGMENT = 7; // characters

  private final ObjectNode response;
  private final StringBuilder text = new StringBuilder();
  private int number;

  ResponseEvents(ObjectNode response) {
    this.response = response;
  }

  StubAnswer answer() {
    ObjectNode begun = response.deepCopy().put("status", "in_progress");
    begun.putArray("output");
    begun.putNull("usage");
    add("response.created", Codec.object().set("response", begun));
    add("response.in_progress", Codec.object().set("response", begun));
    for (int i = 0; i < response.path("output").size(); i++) {
      item(i, (ObjectNode) response.path("output").get(i));
    }
    add("response.completed", Codec.object().set("response", response));
    return StubAnswer.of(200, text.toString()).contentType("text/event-stream; charset=utf-8");
  }

  private void item(int index, ObjectNode item) {
    ObjectNode begun = item.deepCopy();
    switch (item.path("type").asString("")) {
      case "message" -> begun.put("status", "in_progress").putArray("content");
      case "function_call" -> begun.put("status", "in_progress").put("arguments", "");
      case "reasoning" -> begun.put("encrypted_content", "incomplete");
      default -> {}
    }
    add("response.output_item.added", at(index).set("item", begun));
    switch (item.path("type").asString("")) {
      case "message" -> message(index, item);
      case "function_call" -> call(index, item);
      default -> {}
    }
    add("response.output_item.done", at(index).set("item", item));
  }

  private static ObjectNode at(int index) {
    return Codec.object().put("output_index", index);
  }

  private void message(int index, ObjectNode item) {
    int place = 0;
    for (JsonNode part : item.path("content")) {
      String words = part.path("text").asString("");
      add("response.content_part.added", of(index, item, place).set("part", emptied(part)));
      for (String piece : pieces(words)) {
        ObjectNode delta = of(index, item, place).put("delta", piece);
        delta.putArray("logprobs");
        add("response.output_text.delta", delta);
      }
      ObjectNode done = of(index, item, place).put("text", words);
      done.putArray("logprobs");
      add("response.output_text.done", done);
      add("response.content_part.done", of(index, item, place).set("part", part));
      place++;
    }
  }

  private static JsonNode emptied(JsonNode part) {
    return ((ObjectNode) part.deepCopy()).put("text", "");
  }

  private static ObjectNode of(int index, ObjectNode item, int place) {
    return of(index, item).put("content_index", place);
  }

  private static ObjectNode of(int index, ObjectNode item) {
    return at(index).put("item_id", item.path("id").asString(""));
  }

  private void call(int index, ObjectNode item) {
    String arguments = item.path("arguments").asString("");
    for (String piece : pieces(arguments)) {
      add("response.function_call_arguments.delta", of(index, item).put("delta", piece));
    }
    ObjectNode done = of(index, item).put("arguments", arguments);
    done.set("name", item.path("name"));
    add("response.function_call_arguments.done", done);
  }

  private static List<String> pieces(String text) {
    List<String> pieces = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int left = text.codePointCount(from, text.length());
      int to = text.offsetByCodePoints(from, Math.min(FRAGMENT, left));
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }

  private void add(String type, JsonNode event) {
    ObjectNode numbered = ((ObjectNode) event).put("type", type).put("sequence_number", number);
    number++;
    text.append("event: ").append(type).append("\ndata: ").append(numbered).append("\n\n");
  }
}
