package dev.switchboard.testing;

import dev.switchboard.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What the Responses API says of a request that it refuses: the status, code and text of the real
/// one.
final class ResponsesCheck {
  private static final Set<String> MEMBERS =
      Set.of(
          "background",
          "conversation",
          "include",
          "input",
          "instructions",
          "max_output_tokens",
          "max_tool_calls",
          "metadata",
          "model",
          "parallel_tool_calls",
          "previous_response_id",
          "prompt",
          "prompt_cache_key",
          "reasoning",
          "safety_identifier",
          "service_tier",
          "store",
          "stream",
          "stream_options",
          "temperature",
          "text",
          "tool_choice",
          "tools",
          "top_logprobs",
          "top_p",
          "truncation");
  private static final Set<String> TOOL =
      Set.of("type", "name", "description", "parameters", "strict");
  private static final Map<String, Set<String>> ITEMS =
      Map.of(
          "message", Set.of("type", "role", "content", "phase"),
          "reasoning", Set.of("type", "id", "summary", "content", "encrypted_content"),
          "function_call", Set.of("type", "call_id", "name", "arguments"),
          "function_call_output", Set.of("type", "call_id", "output"));
  private static final Set<String> PARTS =
      Set.of("input_text", "input_image", "input_file", "output_text", "refusal");

  private final JsonNode body;
  private final List<JsonNode> input = new ArrayList<>();
  private final boolean needsIds;
  private final Predicate<String> isOutput;

  /// A refusal.
  ///
  /// @param code null for none
  /// @param param the faulty member, null for none
  record Rejection(int status, @Nullable String code, @Nullable String param, String message) {
    static Rejection of(String param, String message) {
      return new Rejection(400, null, param, message);
    }

    static Rejection missing(String param) {
      return new Rejection(
          400, "missing_required_parameter", param, "Missing required parameter: '" + param + "'.");
    }

    static Rejection unknown(String param) {
      return new Rejection(400, "unknown_parameter", param, "Unknown parameter: '" + param + "'.");
    }
  }

  /// @param needsIds whether reasoning is accepted only with its id
  /// @param isOutput whether items of that type were sent by the server
  ResponsesCheck(JsonNode body, boolean needsIds, Predicate<String> isOutput) {
    this.body = body;
    this.needsIds = needsIds;
    this.isOutput = isOutput;
    body.path("input").forEach(input::add);
  }

  /// Why the request is refused, null if it is not.
  ///
  /// @param isKnown whether the server has made that encrypted reasoning
  @Nullable Rejection check(Predicate<String> isKnown) {
    Rejection no = members(body, MEMBERS, "");
    no = no != null ? no : body.path("model").isString() ? null : Rejection.missing("model");
    no = no != null ? no : tools();
    for (int i = 0; no == null && i < input.size(); i++) {
      no = item(i, "input[" + i + "]", isKnown);
    }
    return no != null ? no : calls();
  }

  private static @Nullable Rejection members(JsonNode object, Set<String> known, String at) {
    for (String member : object.propertyNames()) {
      if (!known.contains(member)) {
        return Rejection.unknown(at + member);
      }
    }
    return null;
  }

  private @Nullable Rejection tools() {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < body.path("tools").size(); i++) {
      JsonNode tool = body.path("tools").get(i);
      String at = "tools[" + i + "].";
      Rejection no = members(tool, TOOL, at);
      for (String member : List.of("type", "name", "parameters", "strict")) {
        no = no == null && !tool.has(member) ? Rejection.missing(at + member) : no;
      }
      if (no != null) {
        return no;
      }
      names.add(tool.path("name").asString(""));
    }
    JsonNode choice = body.path("tool_choice");
    for (JsonNode allowed : choice.path("tools")) {
      String name = allowed.path("name").asString("");
      if (!names.contains(name)) {
        return Rejection.of(
            "tool_choice", "Tool choice '" + name + "' not found in 'tools' parameter.");
      }
    }
    boolean called = choice.isObject() || choice.asString("").equals("required");
    return called && names.isEmpty()
        ? Rejection.of("tool_choice", "Tool choice is only allowed when 'tools' are specified.")
        : null;
  }

  private @Nullable Rejection item(int i, String at, Predicate<String> isKnown) {
    JsonNode item = input.get(i);
    String type = item.path("type").asString("message");
    Set<String> known = ITEMS.get(type);
    boolean reasons = type.equals("reasoning");
    if (item.has("id") && !(needsIds && reasons)) {
      return unstored(item.path("id").asString(""));
    }
    if (known == null) {
      return isOutput.test(type)
          ? null
          : new Rejection(400, "invalid_value", at + ".type", "Invalid value: '" + type + "'.");
    }
    Rejection no = members(item, known, at + ".");
    if (no == null && type.equals("message")) {
      no = content(item, at);
    }
    return no != null || !reasons ? no : reasoning(i, at, isKnown);
  }

  private static Rejection unstored(String id) {
    return new Rejection(
        404,
        null,
        "input",
        "Item with id '"
            + id
            + "' not found. Items are not persisted when `store` is set to false. Try again with"
            + " `store` set to true, or remove this item from your input.");
  }

  private static @Nullable Rejection content(JsonNode message, String at) {
    if (!message.has("content")) {
      return Rejection.missing(at + ".content");
    }
    int i = 0;
    for (JsonNode part : message.path("content")) {
      String type = part.path("type").asString("");
      if (!PARTS.contains(type)) {
        String param = at + ".content[" + i + "]";
        return new Rejection(400, "invalid_value", param, "Invalid value: '" + type + "'.");
      }
      i++;
    }
    return null;
  }

  private @Nullable Rejection reasoning(int i, String at, Predicate<String> isKnown) {
    JsonNode item = input.get(i);
    String content = item.path("encrypted_content").asString("");
    if (needsIds && !item.has("id")) {
      return Rejection.missing(at + ".id");
    }
    if (!item.has("summary")) {
      return Rejection.missing(at + ".summary");
    }
    if (!isKnown.test(content)) {
      return new Rejection(
          400,
          "invalid_encrypted_content",
          null,
          "The encrypted content "
              + content
              + " could not be verified. Reason: Encrypted content could not be decrypted or"
              + " parsed.");
    }
    return i + 1 < input.size() && isOfModel(input.get(i + 1))
        ? null
        : Rejection.of(
            "input",
            "Item 'rs_"
                + content
                + "' of type 'reasoning' was provided without its required following item.");
  }

  private boolean isOfModel(JsonNode item) {
    String type = item.path("type").asString("message");
    return switch (type) {
      case "message" -> item.path("role").asString("").equals("assistant");
      case "reasoning", "function_call" -> true;
      default -> isOutput.test(type);
    };
  }

  private @Nullable Rejection calls() {
    Set<String> open = new HashSet<>();
    for (JsonNode item : input) {
      String id = item.path("call_id").asString("");
      switch (item.path("type").asString("")) {
        case "function_call" -> open.add(id);
        case "function_call_output" -> {
          if (!open.remove(id)) {
            return Rejection.of(
                "input", "No tool call found for function call output with call_id " + id + ".");
          }
        }
        default -> {}
      }
    }
    return open.isEmpty()
        ? null
        : Rejection.of(
            "input", "No tool output found for function call " + open.iterator().next() + ".");
  }

  /// All that reasoning is tied to beside the items before it.
  String head() {
    return body.path("tools").toString() + body.at("/text/format");
  }

  /// The items in a form that is the same however they are written.
  List<String> prefix() {
    return input.stream().map(ResponsesCheck::plain).toList();
  }

  /// An item in a form that is the same for one of a reply and one of a request.
  static String plain(JsonNode item) {
    String type = item.path("type").asString("message");
    return switch (type) {
      case "message" -> item.path("role").asString("") + item.path("phase") + text(item);
      case "reasoning" -> type + item.path("encrypted_content").asString("");
      case "function_call" -> type + item.path("call_id") + item.path("name") + arguments(item);
      default -> type + item.path("call_id") + item.path("output");
    };
  }

  private static String arguments(JsonNode call) {
    return Json.text(call.path("arguments").asString("{}")).tree().toString();
  }

  private static String text(JsonNode message) {
    JsonNode content = message.path("content");
    StringBuilder text = new StringBuilder(content.asString(""));
    content.forEach(part -> text.append(part.path("text").asString(part.toString())));
    return text.toString();
  }
}
