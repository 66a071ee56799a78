package dev.switchboard.model;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Surrogates;
import dev.switchboard.model.Exchange.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The lines of a recording, each of what is new since the one before. Used by one thread at a
/// time.
final class ExchangeWriter {
  private List<Message> before = List.of();

  static String header(String model) {
    return line(Codec.object().put("recording", Recording.VERSION).put("model", model));
  }

  String line(Exchange exchange) {
    List<Message> messages = exchange.messages();
    int from = extendsBefore(messages) ? before.size() : 0;
    before = messages;
    ObjectNode line = Codec.object().put("from", from);
    ArrayNode fresh = line.putArray("messages");
    messages
        .subList(from, messages.size())
        .forEach(message -> fresh.add(MessageJson.write(message)));
    if (!exchange.tools().isEmpty()) {
      ObjectNode tools = line.putObject("tools");
      exchange.tools().forEach(tools::put);
      line.put("choice", word(exchange.choice()));
    }
    if (!exchange.fragments().isEmpty()) {
      ArrayNode fragments = line.putArray("fragments");
      exchange.fragments().forEach(fragments::add);
    }
    switch (exchange.outcome()) {
      case Outcome.Replied(ModelReply reply) -> line.set("reply", MessageJson.write(reply));
      case Outcome.Failed(
              ModelException.Kind kind,
              String message,
              @Nullable Duration retryAfter) ->
          write(line.putObject("failure"), kind, message, retryAfter);
    }
    return line(line);
  }

  private boolean extendsBefore(List<Message> messages) {
    return messages.size() >= before.size() && messages.subList(0, before.size()).equals(before);
  }

  private static void write(
      ObjectNode failure, ModelException.Kind kind, String message, @Nullable Duration retryAfter) {
    failure.put("kind", word(kind)).put("message", message);
    if (retryAfter != null) {
      failure.put("retry_after_ms", retryAfter.toMillis());
    }
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String line(ObjectNode node) {
    return Surrogates.repaired(Json.of(node).text()) + "\n";
  }
}
