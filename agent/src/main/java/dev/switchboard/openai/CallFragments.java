package dev.switchboard.openai;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.model.RequestedCall;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The fragments of one tool call that have arrived.
final class CallFragments {
  private static final Set<String> KNOWN = Set.of("index", "id", "type", "function");

  private final int order;
  private final StringBuilder arguments = new StringBuilder();
  private final ObjectNode extra = Codec.object();
  private String id = "";
  private String name = "";

  /// @param order its index among the calls of a reply, not necessarily unique
  CallFragments(int order) {
    this.order = order;
  }

  int order() {
    return order;
  }

  static String name(JsonNode fragment) {
    return fragment.path("function").path("name").asString("");
  }

  boolean has(String otherId) {
    return !id.isEmpty() && id.equals(otherId);
  }

  /// Whether a fragment with this id belongs to another call.
  boolean isAnother(String otherId) {
    return !id.isEmpty() && !otherId.isEmpty() && !id.equals(otherId);
  }

  /// Whether a fragment with a name begins another call: this one has another name, or its
  /// arguments are complete.
  boolean isOver(JsonNode fragment) {
    if (!name.isEmpty() && !name.equals(name(fragment))) {
      return true;
    }
    JsonNode more = fragment.path("function").path("arguments");
    return !more.asString("{}").isEmpty() && isJson(arguments.toString());
  }

  private static boolean isJson(String text) {
    try {
      Json.text(text).check();
      return true;
    } catch (JsonException e) {
      return false;
    }
  }

  /// Whether a fragment with a name may continue this one's: the call has an id, but no arguments
  /// yet.
  boolean awaitsName() {
    return !id.isEmpty() && arguments.isEmpty();
  }

  /// Some servers send a name in pieces, or all of it up to now.
  private void addName(String piece) {
    if (name.isEmpty() || awaitsName() && piece.startsWith(name)) {
      name = piece.isEmpty() ? name : piece;
    } else if (awaitsName()) {
      name += piece;
    }
  }

  void add(JsonNode fragment) {
    addName(name(fragment));
    id = id.isEmpty() ? fragment.path("id").asString("") : id;
    JsonNode more = fragment.path("function").path("arguments");
    if (more.isString()) {
      arguments.append(more.stringValue());
    } else if (more.isContainer()) {
      arguments.append(Json.of(more).text());
    }
    fragment.forEachEntry((member, value) -> {
      if (!KNOWN.contains(member) && !value.isNull()) {
        extra.set(member, value);
      }
    });
  }

  RequestedCall call() {
    return new RequestedCall(
        id, name, Json.text(arguments.toString()), extra.isEmpty() ? null : Json.of(extra));
  }
}
