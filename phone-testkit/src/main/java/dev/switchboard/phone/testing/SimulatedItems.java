package dev.switchboard.phone.testing;

import dev.switchboard.json.Codec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The items of a simulated conversation; guarded by its session.
final class SimulatedItems {
  private final SequencedMap<String, Item> items = new LinkedHashMap<>();
  private final boolean refusesCalls;

  /// @param refusesCalls whether clients may not add calls
  SimulatedItems(boolean refusesCalls) {
    this.refusesCalls = refusesCalls;
  }

  /// One item.
  static final class Item {
    final String id;
    final String type;
    final String role;
    final @Nullable String callId;
    @Nullable String phase; // of a reply
    String text;
    int audioMs;
    boolean answered;

    /// @param role as in [ModelView.Line]
    Item(String id, String type, String role, @Nullable String callId, String text) {
      this.id = id;
      this.type = type;
      this.role = role;
      this.callId = callId;
      this.text = text;
    }

    /// Removes what was spoken after that many milliseconds.
    void truncate(int ms) {
      String[] words = text.split("(?<=\\s)");
      long heard = audioMs == 0 ? 0 : (long) words.length * ms / audioMs;
      text = String.join("", List.of(words).subList(0, (int) heard)).strip();
      audioMs = ms;
    }

    /// The item as the provider shows it.
    ObjectNode json(String status) {
      ObjectNode out = Codec.object().put("id", id).put("object", "realtime.item");
      out.put("type", type).put("status", status);
      switch (type) {
        case "function_call" -> {
          int space = text.indexOf(' ');
          out.put("call_id", callId).put("name", text.substring(0, space));
          out.put("arguments", text.substring(space + 1));
        }
        case "function_call_output" -> out.put("call_id", callId).put("output", text);
        default -> {
          String content = role.equals("assistant") ? "output_audio" : "input_audio";
          out.put("role", role);
          out.putArray("content").addObject().put("type", content).put("transcript", text);
          if (phase != null) {
            out.put("phase", phase);
          }
        }
      }
      return out;
    }
  }

  void add(Item item) {
    items.put(item.id, item);
  }

  /// Adds an item of the client.
  ///
  /// @return why it is refused, null if it is not
  @Nullable WireRefusal create(JsonNode item, String newId) {
    String id = item.path("id").asString(newId);
    return switch (item.path("type").asString("")) {
      case "function_call_output" -> output(item, id);
      case "function_call" -> call(item, id);
      case "message" -> message(item, id);
      default -> WireRefusal.value("item.type");
    };
  }

  /// A call that the client has made itself.
  private @Nullable WireRefusal call(JsonNode item, String id) {
    String callId = item.path("call_id").asString("");
    String name = item.path("name").asString("");
    if (callId.isEmpty() || name.isEmpty() || !item.path("arguments").isString()) {
      return WireRefusal.value("item");
    }
    if (refusesCalls) {
      return WireRefusal.value("item.type");
    }
    String text = name + " " + item.path("arguments").stringValue();
    add(new Item(id, "function_call", "call", callId, text));
    return null;
  }

  private @Nullable WireRefusal output(JsonNode item, String id) {
    String callId = item.path("call_id").asString("");
    Item call = call(callId);
    // Each call is answered once, and only an existing call.
    if (call == null || call.answered) {
      return new WireRefusal(
          "item_create_invalid_tool_call_id",
          "Tool call ID '" + callId + "' not found in conversation.",
          "item.call_id");
    }
    call.answered = true;
    String text = item.path("output").asString("");
    add(new Item(id, "function_call_output", "output", callId, text));
    return null;
  }

  private @Nullable WireRefusal message(JsonNode item, String id) {
    String role = item.path("role").asString("");
    JsonNode content = item.path("content").path(0);
    // Clients can add the assistant's text, not its audio.
    String wanted = role.equals("assistant") ? "output_text" : "input_text";
    if (!List.of("user", "assistant", "system").contains(role)
        || !content.path("type").asString("").equals(wanted)) {
      return WireRefusal.value("item.content[0].type");
    }
    add(new Item(id, "message", role, null, content.path("text").asString("")));
    return null;
  }

  /// Removes the unheard part of an item.
  ///
  /// @return why it is refused, null if it is not
  @Nullable WireRefusal truncate(String id, JsonNode end) {
    Item item = items.get(id);
    if (item == null || !item.role.equals("assistant")) {
      return new WireRefusal("item_not_found", "No such item.", "item_id");
    }
    // In whole milliseconds, and never more than was sent; otherwise the model believes that it was
    // heard.
    if (!end.isInt() || end.intValue() < 0) {
      return WireRefusal.value("audio_end_ms");
    }
    if (end.intValue() > item.audioMs) {
      return new WireRefusal(
          "invalid_value",
          "Audio content of %dms is already shorter than %dms"
              .formatted(item.audioMs, end.intValue()),
          "audio_end_ms");
    }
    item.truncate(end.intValue());
    return null;
  }

  /// The latest item.
  Item last() {
    return items.lastEntry().getValue();
  }

  private @Nullable Item call(String callId) {
    return items.values().stream()
        .filter(item -> item.type.equals("function_call") && callId.equals(item.callId))
        .findFirst()
        .orElse(null);
  }

  boolean remove(String id) {
    return items.remove(id) != null;
  }

  int size() {
    return items.size();
  }

  List<ModelView.Line> lines() {
    List<ModelView.Line> lines = new ArrayList<>();
    items
        .values()
        .forEach(item -> lines.add(new ModelView.Line(item.role, item.text, item.callId)));
    return lines;
  }
}
