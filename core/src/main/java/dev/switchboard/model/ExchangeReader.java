package dev.switchboard.model;

import dev.switchboard.model.Exchange.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads the lines of a recording, one after the other, since each builds on the one before. Throws
/// [IllegalArgumentException] with what is wrong in a line.
final class ExchangeReader {
  private List<Message> before = List.of();

  Exchange read(JsonNode line) {
    List<Message> messages = messages(line);
    before = messages;
    return new Exchange(
        messages,
        tools(line.path("tools")),
        choice(line.path("choice")),
        fragments(line.path("fragments")),
        outcome(line));
  }

  private List<Message> messages(JsonNode line) {
    JsonNode from = line.path("from");
    if (!from.isInt() || from.intValue() < 0) {
      throw new IllegalArgumentException("'from' must be the number of messages that stay");
    }
    if (from.intValue() > before.size()) {
      throw new IllegalArgumentException(
          "'from' is %s, and the request before had only %d".formatted(from, before.size()));
    }
    JsonNode fresh = line.path("messages");
    if (!fresh.isArray()) {
      throw new IllegalArgumentException("'messages' must be a list");
    }
    List<Message> messages = new ArrayList<>(before.subList(0, from.intValue()));
    for (JsonNode message : fresh) {
      messages.add(MessageJson.read(message));
    }
    return List.copyOf(messages);
  }

  private static Map<String, String> tools(JsonNode in) {
    if (!in.isMissingNode() && !in.isObject()) {
      throw new IllegalArgumentException("'tools' must be an object of names and digests");
    }
    Map<String, String> tools = new LinkedHashMap<>();
    in.forEachEntry((name, digest) -> tools.put(name, digest.asString("")));
    return tools;
  }

  private static ToolChoice choice(JsonNode in) {
    return in.isMissingNode() ? ToolChoice.NONE : word("choice", ToolChoice.values(), in);
  }

  private static List<String> fragments(JsonNode in) {
    List<String> fragments = new ArrayList<>();
    for (JsonNode fragment : in) {
      if (!fragment.isString()) {
        throw new IllegalArgumentException("'fragments' must be a list of strings");
      }
      fragments.add(fragment.stringValue());
    }
    return List.copyOf(fragments);
  }

  private static Outcome outcome(JsonNode line) {
    JsonNode reply = line.path("reply");
    JsonNode failure = line.path("failure");
    if (reply.isObject() == failure.isObject()) {
      throw new IllegalArgumentException("one of 'reply' and 'failure' must be there, an object");
    }
    return reply.isObject()
        ? new Outcome.Replied(MessageJson.readReply(reply))
        : new Outcome.Failed(
            word("kind", ModelException.Kind.values(), failure.path("kind")),
            failure.path("message").asString(""),
            retryAfter(failure.path("retry_after_ms")));
  }

  private static @Nullable Duration retryAfter(JsonNode in) {
    return in.isMissingNode() ? null : Duration.ofMillis(in.asLong(0));
  }

  private static <E extends Enum<E>> E word(String name, E[] values, JsonNode in) {
    for (E value : values) {
      if (ExchangeWriter.word(value).equals(in.asString(""))) {
        return value;
      }
    }
    throw new IllegalArgumentException("'" + name + "' is " + in + ", which is none of its words");
  }
}
