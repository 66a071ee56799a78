package dev.switchboard.provider;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.model.Message;
import dev.switchboard.model.ModelReply;
import dev.switchboard.model.ProviderItems;
import dev.switchboard.model.RequestedCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A part of a reply, in the order in which the model made them.
public sealed interface ReplyPart {
  /// The text between two pieces of words.
  String BETWEEN = "\n\n";

  /// An item of the provider, unchanged.
  record Item(JsonNode json) implements ReplyPart {}

  /// A piece of the words.
  ///
  /// @param phase what the provider needs back with it, null for nothing
  record Words(String text, @Nullable String phase) implements ReplyPart {}

  /// A call.
  record Requested(RequestedCall call) implements ReplyPart {}

  /// The parts of a message for the model of that name, with the items that it may get; words and
  /// calls in this order where there are none.
  ///
  /// @param by the name that [ProviderItems#by] has of the model
  static List<ReplyPart> of(Message.Assistant said, String by) {
    ProviderItems items = said.items();
    List<ReplyPart> parts = items == null || !items.isFor(by) ? null : read(said, items.entries());
    if (parts != null) {
      return parts;
    }
    List<ReplyPart> plain = new ArrayList<>();
    if (!said.text().isEmpty()) {
      plain.add(new Words(said.text(), null));
    }
    said.calls().forEach(call -> plain.add(new Requested(call)));
    return plain;
  }

  /// The parts that the entries state; null if these do not fit the message.
  private static @Nullable List<ReplyPart> read(Message.Assistant said, List<Json> entries) {
    List<ReplyPart> parts = new ArrayList<>();
    String text = said.text();
    int at = 0;
    boolean spoken = false;
    int calls = 0;
    for (Json entry : entries) {
      JsonNode json = entry.tree();
      if (json.has("item")) {
        parts.add(new Item(json.path("item")));
      } else if (json.has("text")) {
        String before = spoken ? BETWEEN : "";
        spoken = true;
        int from = at + before.length();
        int length = json.path("text").asInt(-1);
        if (length < 0 || length > text.length() - from || !text.startsWith(before, at)) {
          return null;
        }
        at = from + length;
        String phase = json.path("phase").isString() ? json.path("phase").stringValue() : null;
        parts.add(new Words(text.substring(from, at), phase));
      } else if (json.path("call").asInt(-1) == calls && calls < said.calls().size()) {
        parts.add(new Requested(said.calls().get(calls)));
        calls++;
      } else {
        return null;
      }
    }
    return at == text.length() && calls == said.calls().size() ? parts : null;
  }

  /// The messages without the items that the model of that name must not get any more: those before
  /// its last reply that was made without them.
  static List<Message> since(List<Message> messages, String by) {
    int fresh = messages.size() - 1;
    while (fresh >= 0 && !isFresh(messages.get(fresh), by)) {
      fresh--;
    }
    return fresh <= 0 ? messages : withoutItems(messages, fresh);
  }

  private static boolean isFresh(Message message, String by) {
    return message instanceof Message.Assistant said
        && said.items() != null
        && said.items().fresh()
        && said.items().by().equals(by);
  }

  /// The messages, the first ones without their items and without what providers need back with
  /// their calls.
  ///
  /// @param number how many of them
  static List<Message> withoutItems(List<Message> messages, int number) {
    List<Message> all = new ArrayList<>(messages);
    all.subList(0, number)
        .replaceAll(message -> message instanceof Message.Assistant said ? plain(said) : message);
    return all;
  }

  private static Message plain(Message.Assistant said) {
    return new Message.Assistant(
        said.text(), said.calls().stream().map(RequestedCall::withoutExtra).toList());
  }

  /// Whether any message has items for the model of that name.
  static boolean hasItems(List<Message> messages, String by) {
    return messages.stream()
        .anyMatch(message ->
            message instanceof Message.Assistant said
                && said.items() != null
                && said.items().isFor(by)
                && !said.items().entries().isEmpty());
  }

  /// The reply with its parts as items, if it has anything beside its words and calls. An item that
  /// nests too deep to be stored is left out.
  ///
  /// @param parts in their order; pieces of words joined by [#BETWEEN] are the reply's text, and
  ///   the calls its calls
  /// @param fresh whether the items of earlier replies were left out
  static ModelReply withItems(ModelReply reply, List<ReplyPart> parts, String by, boolean fresh) {
    List<ReplyPart> left = parts.stream().filter(part -> !nestsTooDeep(part)).toList();
    boolean more = left.stream().anyMatch(ReplyPart::isMore);
    if (!more && !fresh) {
      return reply;
    }
    ProviderItems items = ProviderItems.of(by, more ? entries(left) : List.of());
    return reply.withItems(fresh ? items.freshly() : items);
  }

  private static boolean nestsTooDeep(ReplyPart part) {
    return part instanceof Item(JsonNode json) && Json.of(json).nestsTooDeep();
  }

  /// Whether the provider needs something back of a part beside its words or call.
  private static boolean isMore(ReplyPart part) {
    return switch (part) {
      case Item item -> true;
      case Words(String text, var phase) -> phase != null;
      case Requested(RequestedCall call) -> call.extra() != null;
    };
  }

  private static List<Json> entries(List<ReplyPart> parts) {
    List<Json> entries = new ArrayList<>();
    int calls = 0;
    for (ReplyPart part : parts) {
      ObjectNode entry = Codec.object();
      switch (part) {
        case Item(JsonNode json) -> entry.set("item", json);
        case Words(String text, var phase) -> {
          entry.put("text", text.length());
          if (phase != null) {
            entry.put("phase", phase);
          }
        }
        case Requested requested -> entry.put("call", calls++);
      }
      entries.add(Json.of(entry).repaired());
    }
    return entries;
  }
}
