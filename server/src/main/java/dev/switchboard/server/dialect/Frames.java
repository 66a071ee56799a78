package dev.switchboard.server.dialect;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Surrogates;
import dev.switchboard.tool.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// A buffer of frames of server-sent events: each one line of JSON.
final class Frames implements Consumer<ObjectNode> {
  /// The maximum bytes of an event.
  static final int MOST = 1 << 20;

  /// The end of a stream in most protocols.
  static final String DONE = "data: [DONE]\n\n";

  private static final int DEEPEST = 150;
  private static final int LONGEST_WORD = 50_000;
  // Some readers treat these as line ends, although those of server-sent events do not.
  private static final Pattern LINE_ENDS = Pattern.compile("[\\u0085\\u2028\\u2029]");

  private final StringBuilder gathered = new StringBuilder();

  @Override
  public void accept(ObjectNode frame) {
    gathered.append("data: ").append(text(frame)).append("\n\n");
  }

  /// Returns and removes the buffered frames.
  String take() {
    String taken = gathered.toString();
    gathered.setLength(0);
    return taken;
  }

  /// The value as JSON on one line, in valid Unicode: an unpaired surrogate becomes U+FFFD.
  static String text(JsonNode value) {
    String text = Json.of(value).text();
    return isPlain(text) ? text : repaired(text);
  }

  /// The event as such JSON, as in [#read]; its original text if that is suitable.
  static String text(Event.Logged logged) {
    String text = logged.event().text();
    boolean asItIs = logged.event().isObject() && isPlain(text) && fits(text);
    return asItIs ? text : text(read(logged));
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' && (c <= '\u009f' || Character.isSurrogate(c) || isLineEnd(c))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLineEnd(char c) {
    return c == '\u2028' || c == '\u2029';
  }

  private static String repaired(String broken) {
    String text = Surrogates.repaired(broken);
    return LINE_ENDS
        .matcher(text)
        .replaceAll(end -> "\\\\u%04x".formatted((int) end.group().charAt(0)));
  }

  /// An object of that type, to be filled.
  static ObjectNode of(String type) {
    return Codec.object().put("type", type);
  }

  /// The event as an object that is not too large for a stream: a larger one loses `data`, and if
  /// that is not enough, all but short texts.
  static ObjectNode read(Event.Logged logged) {
    if (!(tree(logged.event()) instanceof ObjectNode event)) {
      return Codec.object();
    }
    if (fits(logged.event().text())) {
      return event;
    }
    ObjectNode shorter = event.deepCopy();
    if (shorter.get("payload") instanceof ObjectNode payload) {
      payload.remove("data");
      payload.put("truncated", true);
    }
    return fits(Json.of(shorter).text()) ? shorter : words(event);
  }

  private static JsonNode tree(Json json) {
    try {
      return json.tree();
    } catch (JsonException half) {
      return Json.piece(json.text());
    }
  }

  private static boolean fits(String text) {
    return text.length() <= MOST / 3
        || text.length() <= MOST && text.getBytes(StandardCharsets.UTF_8).length <= MOST;
  }

  private static ObjectNode words(ObjectNode event) {
    ObjectNode out = Codec.object();
    for (Map.Entry<String, JsonNode> member : event.properties()) {
      if (member.getValue() instanceof ObjectNode inner) {
        out.set(member.getKey(), words(inner).put("truncated", true));
      } else if (member.getValue().isString()) {
        String word = member.getValue().stringValue();
        out.put(member.getKey(), word.substring(0, Math.min(word.length(), LONGEST_WORD)));
      } else if (member.getValue().isValueNode()) {
        out.set(member.getKey(), member.getValue());
      }
    }
    return out;
  }

  /// The value, or its text if it nests too deep for a part of something larger.
  static JsonNode shallow(JsonNode value) {
    return isDeeper(value, DEEPEST) ? StringNode.valueOf(text(value)) : value;
  }

  private static boolean isDeeper(JsonNode value, int levels) {
    return value.isContainer()
        && (levels == 0 || value.valueStream().anyMatch(child -> isDeeper(child, levels - 1)));
  }

  /// The events without the text of replies that were started again.
  static List<Event.Logged> withoutVoid(List<Event.Logged> events) {
    List<Event.Logged> kept = new ArrayList<>();
    for (Event.Logged event : events) {
      JsonNode tree = read(event);
      if (tree.path("event").asString("").equals("reply_restarted")) {
        long from = tree.path("payload").path("from").asLong(Long.MAX_VALUE);
        kept.removeIf(earlier -> earlier.number() >= from && isContent(earlier));
      } else {
        kept.add(event);
      }
    }
    return kept;
  }

  private static boolean isContent(Event.Logged event) {
    return read(event).path("type").asString("").equals("content");
  }
}
