package dev.switchboard.server;

import dev.switchboard.json.Json;
import dev.switchboard.server.access.Problem;
import io.javalin.http.Context;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The body of a request: a JSON object with only these members.
record JsonBody(JsonNode tree) {
  /// The body of that request; an empty one is an object without members.
  ///
  /// @throws Problem `bad_request` when it is not an object, or has other members
  static JsonBody of(Context ctx, Set<String> members) {
    String text = ctx.body();
    JsonNode tree = Json.text(text.isBlank() ? "{}" : text).tree();
    if (!tree.isObject()) {
      throw Problem.badRequest("The body must be a JSON object.");
    }
    for (String name : tree.propertyNames()) {
      if (!members.contains(name)) {
        String shown = name.matches("[A-Za-z0-9_-]{1,40}") ? " `" + name + "`" : "";
        throw Problem.badRequest(
            "The body has a member"
                + shown
                + " that is not known; known are `"
                + String.join("`, `", new TreeSet<>(members))
                + "`.");
      }
    }
    return new JsonBody(tree);
  }

  /// Whether there is such a member.
  boolean has(String member) {
    return tree.hasNonNull(member);
  }

  /// The text of that member, null if there is none.
  ///
  /// @throws Problem `bad_request` when it is not a string
  @Nullable String text(String member) {
    JsonNode value = tree.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isString()) {
      throw Problem.badRequest("`" + member + "` must be a string.");
    }
    return value.stringValue();
  }

  /// The text of that required member.
  ///
  /// @throws Problem `bad_request` when there is none
  String needed(String member) {
    String text = text(member);
    if (text == null) {
      throw Problem.badRequest("`" + member + "` is missing.");
    }
    return text;
  }

  /// Whether that member is true; it is false if there is none.
  ///
  /// @throws Problem `bad_request` when it is not a boolean
  boolean flag(String member) {
    JsonNode value = tree.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw Problem.badRequest("`" + member + "` must be true or false.");
    }
    return value.booleanValue();
  }

  /// The object of that member, null if there is none.
  ///
  /// @throws Problem `bad_request` when it is not an object
  @Nullable Json object(String member) {
    JsonNode value = tree.path(member);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isObject()) {
      throw Problem.badRequest("`" + member + "` must be an object.");
    }
    return Json.of(value);
  }
}
