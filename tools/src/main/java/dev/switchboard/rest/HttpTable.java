package dev.switchboard.rest;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes an endpoint as the table `http` of an agent's file, which cannot express everything that
/// a builder can.
final class HttpTable {
  private HttpTable() {}

  /// @throws IllegalArgumentException that says what the table cannot express
  static Json of(
      String method,
      String url,
      List<Parameter> parameters,
      Map<String, String> headers,
      Body body,
      @Nullable String idempotencyHeader) {
    ObjectNode table = Codec.object();
    if (!method.equals("GET")) {
      table.put("method", method);
    }
    table.put("url", url);
    ArrayNode query = Codec.object().putArray("query");
    ObjectNode stated = Codec.object();
    headers.forEach(stated::put);
    for (Parameter parameter : parameters) {
      switch (parameter.style()) {
        case SIMPLE -> require(!parameter.explode(), parameter);
        case FORM -> {
          require(parameter.explode() && parameter.name().equals(parameter.argument()), parameter);
          query.add(parameter.argument());
        }
        case HEADER -> stated.put(parameter.name(), "{" + parameter.argument() + "}");
        case LABEL, MATRIX, SPACE_DELIMITED, PIPE_DELIMITED, DEEP_OBJECT, JSON, COOKIE ->
            require(false, parameter);
      }
    }
    if (!query.isEmpty()) {
      table.set("query", query);
    }
    if (!stated.isEmpty()) {
      table.set("headers", stated);
    }
    addBody(body, HttpEndpoint.Builder.WITH_BODY.contains(method), table);
    if (idempotencyHeader != null) {
      table.put("idempotency_header", idempotencyHeader);
    }
    return Json.of(table);
  }

  private static void require(boolean said, Parameter parameter) {
    if (!said) {
      throw new IllegalArgumentException(
          "'http' cannot say the style of the parameter '"
              + parameter.name()
              + "'; [[agent.openapi]] can");
    }
  }

  private static void addBody(Body body, boolean usual, ObjectNode table) {
    switch (body) {
      case Body.None none when usual -> table.put("body", "none");
      case Body.None none -> {}
      case Body.Rest rest when usual -> {}
      case Body.Rest rest -> table.put("body", "json");
      case Body.Form(List<Parameter> fields, boolean optional) -> {
        for (Parameter field : fields) {
          require(false, field);
        }
        table.put("body", "form");
      }
      case Body.Template(Json json) when json.tree().isObject() -> table.set("body", json.tree());
      case Body.Template template ->
          throw new IllegalArgumentException(
              "'http' cannot say what its body is; [[agent.openapi]] can");
      case Body.Text text ->
          throw new IllegalArgumentException(
              "'http' cannot say what its body is; [[agent.openapi]] can");
    }
  }
}
