package dev.switchboard.tool;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.json.Json.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A [ToolResult] to and from its wire form.
final class ToolResultJson {
  /// The names of a result's own members.
  static final Set<String> MEMBERS =
      Set.of(
          "callId",
          "success",
          "terminal",
          "needsFollowup",
          "nextAction",
          "message",
          "error",
          "code",
          "fallback",
          "circuit_state",
          "retry_after_ms",
          "violation",
          "faults",
          "data",
          "text",
          "truncated");

  /// Those that a tool's answer may set; the runtime sets the others.
  private static final Set<String> ANSWERED =
      Set.of("terminal", "needsFollowup", "nextAction", "message", "error", "data");

  private ToolResultJson() {}

  static Json write(ToolResult result) {
    ObjectNode out = Codec.object();
    put(out, "callId", result.callId());
    out.put("success", result.success());
    put(out, "terminal", result.terminal());
    put(out, "needsFollowup", result.needsFollowup());
    put(out, "nextAction", result.nextAction());
    put(out, "message", result.message());
    put(out, "error", result.error());
    put(out, "code", result.code() == null ? null : result.code().word());
    put(out, "fallback", result.fallback());
    put(out, "circuit_state", result.circuitState());
    put(out, "retry_after_ms", result.retryAfterMs());
    put(out, "violation", result.violation());
    if (!result.faults().isEmpty()) {
      out.set("faults", faults(result.faults()));
    }
    put(out, "data", result.data());
    put(out, "text", result.text());
    put(out, "truncated", result.truncated());
    result.more().forEach((name, value) -> put(out, name, value));
    return Json.of(out);
  }

  private static ArrayNode faults(List<Fault> faults) {
    ArrayNode list = Codec.object().arrayNode();
    for (Fault fault : faults) {
      list.addObject()
          .put("pointer", fault.pointer())
          .put("expected", fault.expected())
          .put("found", fault.found());
    }
    return list;
  }

  private static void put(ObjectNode out, String name, @Nullable Object value) {
    switch (value) {
      case null -> {}
      case String text -> out.put(name, text);
      case Boolean flag -> out.put(name, flag);
      case Long number -> out.put(name, number);
      case Json json when json.tree().isNull() -> {}
      case Json json -> out.set(name, json.tree());
      default -> throw new IllegalArgumentException("no member of a result: " + name);
    }
  }

  static ToolResult read(Json json) {
    JsonNode tree = json.tree();
    if (!tree.path("success").isBoolean()) {
      throw new IllegalArgumentException("a result needs 'success', true or false");
    }
    ToolResult.Builder result = ToolResult.builder(tree.path("success").booleanValue());
    Map<String, Json> more = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : tree.properties()) {
      String name = member.getKey();
      if (!MEMBERS.contains(name)) {
        more.put(name, Json.of(member.getValue()));
      } else if (!name.equals("success") && !read(result, name, member.getValue())) {
        throw new IllegalArgumentException("'" + name + "' of a result is of the wrong type");
      }
    }
    return result.more(more).build();
  }

  static @Nullable ToolResult recognise(Json json) {
    JsonNode tree = json.repaired().tree();
    JsonNode success = tree.path("success");
    if (!tree.isObject() || !success.isBoolean()) {
      return null;
    }
    ToolResult.Builder result = ToolResult.builder(success.booleanValue());
    Map<String, Json> more = new LinkedHashMap<>();
    boolean foreign = false;
    for (Map.Entry<String, JsonNode> member : tree.properties()) {
      String name = member.getKey();
      JsonNode value = member.getValue();
      if (name.equals("success") || value.isNull()) {
        continue;
      }
      if (!MEMBERS.contains(name)) {
        more.put(name, Json.of(value));
      } else if (!ANSWERED.contains(name) || !read(result, name, value)) {
        foreign = true;
      }
    }
    ToolResult read = result.more(more).build();
    return foreign ? foreign(read, json.text()) : read;
  }

  /// A failure in a service's own words does not end a conversation.
  private static ToolResult foreign(ToolResult read, String text) {
    boolean silent = read.terminal() == null && read.needsFollowup() == null;
    ToolResult.Builder result = read.toBuilder().text(text);
    return (silent && !read.success() ? result.needsFollowup(true) : result).build();
  }

  /// Sets the member if it is one of a result and has its type; returns whether it did.
  private static boolean read(ToolResult.Builder result, String name, JsonNode value) {
    if (!fits(name, value)) {
      return false;
    }
    switch (name) {
      case "terminal" -> result.terminal(value.booleanValue());
      case "needsFollowup" -> result.needsFollowup(value.booleanValue());
      case "fallback" -> result.fallback(value.booleanValue());
      case "truncated" -> result.truncated(value.booleanValue());
      case "nextAction" -> result.nextAction(value.stringValue());
      case "message" -> result.message(value.stringValue());
      case "error" -> result.error(value.stringValue());
      case "callId" -> result.callId(value.stringValue());
      case "text" -> result.text(value.stringValue());
      case "circuit_state" -> result.circuitState(value.stringValue());
      case "violation" -> result.violation(value.stringValue());
      case "retry_after_ms" -> result.retryAfterMs(value.longValue());
      case "data" -> result.data(Json.of(value));
      case "faults" -> result.faults(faults(value));
      case "code" -> result.code(Objects.requireNonNull(ResultCode.ofWord(value.stringValue())));
      default -> throw new IllegalArgumentException("no member of a result: " + name);
    }
    return true;
  }

  private static boolean fits(String name, JsonNode value) {
    return switch (name) {
      case "terminal", "needsFollowup", "fallback", "truncated" -> value.isBoolean();
      case "nextAction", "message", "error", "callId", "text", "circuit_state", "violation" ->
          value.isString();
      case "retry_after_ms" -> value.isIntegralNumber() && value.canConvertToLong();
      case "data" -> value.isObject();
      case "faults" -> value.isArray();
      case "code" -> value.isString() && ResultCode.ofWord(value.stringValue()) != null;
      default -> false;
    };
  }

  static ToolResult.@Nullable Preview preview(ToolResult result) {
    JsonNode preview = of(result.data(), "preview");
    if (preview.isString()) {
      return new ToolResult.Preview(null, preview.stringValue());
    }
    JsonNode before = preview.path("before");
    JsonNode after = preview.path("after");
    return before.isString() && after.isString()
        ? new ToolResult.Preview(before.stringValue(), after.stringValue())
        : null;
  }

  static @Nullable ToolCall undo(ToolResult result) {
    JsonNode undo = of(result.data(), "undo");
    JsonNode name = undo.path("name");
    JsonNode arguments = undo.path("arguments");
    return name.isString() && arguments.isObject()
        ? ToolCall.of(name.stringValue(), Json.of(arguments))
        : null;
  }

  private static JsonNode of(@Nullable Json data, String member) {
    return (data == null ? Json.EMPTY_OBJECT : data).tree().path(member);
  }

  private static List<Fault> faults(JsonNode value) {
    List<Fault> faults = new ArrayList<>();
    for (JsonNode fault : value) {
      faults.add(
          new Fault(
              fault.path("pointer").asString(""),
              fault.path("expected").asString(""),
              fault.path("found").asString("")));
    }
    return faults;
  }
}
