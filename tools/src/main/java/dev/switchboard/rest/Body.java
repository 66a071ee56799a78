package dev.switchboard.rest;

import dev.switchboard.json.Codec;
import dev.switchboard.json.Json;
import dev.switchboard.rest.HttpEndpoint.Style;
import dev.switchboard.text.Placeholders;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request.
sealed interface Body {
  /// No body.
  record None() implements Body {}

  /// A JSON object of the remaining arguments.
  ///
  /// @param optional whether there is no body if none remain
  record Rest(boolean optional) implements Body {}

  /// A form of the remaining arguments.
  ///
  /// @param fields those with their own style
  /// @param optional whether there is no body if none remain
  record Form(List<Parameter> fields, boolean optional) implements Body {}

  /// An argument that is a text, unchanged.
  record Text(String argument) implements Body {}

  /// A JSON value with placeholders: a string that is only `{name}` becomes that argument, of any
  /// type; a placeholder within a text becomes its text. A member whose argument is missing is
  /// omitted.
  record Template(Json json) implements Body {}

  /// The names of a template's placeholders.
  static Set<String> placesIn(JsonNode template) {
    Set<String> names = new LinkedHashSet<>();
    if (template.isString()) {
      names.addAll(Placeholders.in(template.stringValue()));
    } else {
      template.forEach(inner -> names.addAll(placesIn(inner)));
    }
    return names;
  }

  /// The text of the body, null for none.
  ///
  /// @param taken the arguments with another place in the request
  static @Nullable String text(Body body, JsonNode arguments, Set<String> taken) {
    return switch (body) {
      case None none -> null;
      case Rest(boolean optional) -> {
        ObjectNode rest = rest(arguments, taken);
        yield optional && rest.isEmpty() ? null : rest.toString();
      }
      case Form(List<Parameter> fields, boolean optional) -> {
        ObjectNode rest = rest(arguments, taken);
        yield optional && rest.isEmpty() ? null : form(rest, fields);
      }
      case Text(String argument) ->
          arguments.has(argument) ? Parameter.text(arguments.path(argument)) : null;
      case Template(Json json) -> {
        JsonNode filled = filled(json.tree(), arguments);
        yield filled == null ? null : filled.toString();
      }
    };
  }

  private static ObjectNode rest(JsonNode arguments, Set<String> taken) {
    ObjectNode rest = Codec.object();
    for (var argument : arguments.properties()) {
      if (!taken.contains(argument.getKey())) {
        rest.set(argument.getKey(), argument.getValue());
      }
    }
    return rest;
  }

  private static String form(JsonNode values, List<Parameter> fields) {
    List<String> pairs = new ArrayList<>();
    for (var value : values.properties()) {
      String name = value.getKey();
      if (!value.getValue().isNull()) {
        pairs.addAll(
            fields.stream()
                .filter(field -> field.argument().equals(name))
                .findFirst()
                .orElse(usual(name, value.getValue()))
                .pairs(value.getValue()));
      }
    }
    return String.join("&", pairs);
  }

  /// A field with the default style: one for each item of a list, objects as JSON.
  private static Parameter usual(String name, JsonNode value) {
    return value.isObject() ? new Parameter(name, name, Style.JSON, false) : Parameter.query(name);
  }

  /// The template with its placeholders filled, null if nothing remains.
  private static @Nullable JsonNode filled(JsonNode template, JsonNode arguments) {
    if (template.isString()) {
      return filled(template.stringValue(), template, arguments);
    }
    if (template.isArray()) {
      ArrayNode items = Codec.object().putArray("items");
      template.forEach(item -> {
        JsonNode filled = filled(item, arguments);
        if (filled != null) {
          items.add(filled);
        }
      });
      return items;
    }
    if (template.isObject()) {
      ObjectNode object = Codec.object();
      for (var member : template.properties()) {
        JsonNode filled = filled(member.getValue(), arguments);
        if (filled != null) {
          object.set(member.getKey(), filled);
        }
      }
      return object;
    }
    return template;
  }

  private static @Nullable JsonNode filled(String text, JsonNode template, JsonNode arguments) {
    Set<String> names = Placeholders.in(text);
    if (names.isEmpty()) {
      return template;
    }
    if (names.stream().anyMatch(name -> !arguments.has(name))) {
      return null;
    }
    String only = names.iterator().next();
    return text.equals("{" + only + "}")
        ? arguments.path(only)
        : Codec.object()
            .put("text", Placeholders.fill(text, name -> Parameter.text(arguments.path(name))))
            .path("text");
  }
}
