package dev.switchboard.cli;

import dev.switchboard.check.JsonCut;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.tool.ToolCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The text of a tool call, read as far as possible: an invalid call with an id still gets a
/// result.
record CallText(String text, JsonCut cut) {
  static CallText of(String text) {
    return new CallText(text, JsonCut.object(text));
  }

  /// Whether it is only `{"user": text}`.
  boolean isUser() {
    return cut.whole() && cut.names().equals(List.of("user")) && string("user") != null;
  }

  /// Whether it is an answer to a request for consent.
  boolean isConsent() {
    return cut.whole() && cut.names().contains("consent") && string("id") == null;
  }

  /// The call.
  ///
  /// @param broken the fault of its list, null for none
  ExecLine.Call call(@Nullable String broken) {
    String why = broken == null ? fault() : broken;
    String id = string("id");
    if (id == null) {
      return new ExecLine.Nameless(why == null ? needs("id") : why);
    }
    String name = string("name");
    String arguments = value("arguments");
    ToolCall call =
        new ToolCall(
            id,
            name == null ? "" : name,
            arguments == null ? Json.EMPTY_OBJECT : Json.text(arguments));
    return why == null ? new ExecLine.Sound(call) : new ExecLine.Malformed(call, why);
  }

  private @Nullable String fault() {
    if (cut.names().contains("user") && string("id") == null) {
      return "a user's line is {\"user\": text} and nothing else";
    }
    try {
      ToolCall unused = ToolCall.read(Json.text(text));
      return null;
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String needs(String name) {
    return "a tool call needs '" + name + "', a non-empty string";
  }

  /// Why that text is not JSON, as the rest of a clause.
  static String syntax(String text) {
    try {
      Json.text(text).check();
      return "is not JSON";
    } catch (JsonException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /// The text of that member, null if it is missing.
  private @Nullable String value(String name) {
    int index = cut.names().indexOf(name);
    return index < 0 || index >= cut.values().size() ? null : cut.values().get(index);
  }

  /// The string in that member, null if it is missing or another type.
  private @Nullable String string(String name) {
    String value = value(name);
    try {
      JsonNode node = value == null ? null : Json.text(value).tree();
      return node != null && node.isString() ? node.stringValue() : null;
    } catch (JsonException e) {
      return null;
    }
  }
}
