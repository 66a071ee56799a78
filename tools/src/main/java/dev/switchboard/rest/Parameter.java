package dev.switchboard.rest;

import dev.switchboard.rest.HttpEndpoint.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// The place and style of an argument in a request (OpenAPI 3.1, "Parameter Object").
///
/// @param argument of the call
/// @param name in the request
/// @param explode whether items of lists and members of objects are written separately
record Parameter(String argument, String name, Style style, boolean explode) {
  /// An argument in the path, with the default style.
  static Parameter path(String name) {
    return new Parameter(name, name, Style.SIMPLE, false);
  }

  /// An argument in the query; each item of a list has the name.
  static Parameter query(String name) {
    return new Parameter(name, name, Style.FORM, true);
  }

  /// The value for the path or a header.
  String written(JsonNode value) {
    return switch (style) {
      case LABEL -> "." + joined(value, explode ? "." : ",", explode, Percent::encoded);
      case MATRIX -> matrix(value);
      case HEADER -> joined(value, ",", explode, UnaryOperator.identity());
      case SIMPLE, FORM, SPACE_DELIMITED, PIPE_DELIMITED, DEEP_OBJECT, JSON, COOKIE ->
          joined(value, ",", explode, Percent::encoded);
    };
  }

  private String matrix(JsonNode value) {
    String own = Percent.encoded(name);
    if (!explode || value.isValueNode()) {
      return ";" + own + "=" + joined(value, ",", false, Percent::encoded);
    }
    StringBuilder out = new StringBuilder();
    if (value.isArray()) {
      value.forEach(
          item -> out.append(';').append(own).append('=').append(Percent.encoded(text(item))));
    } else {
      out.append(';').append(joined(value, ";", true, Percent::encoded));
    }
    return out.toString();
  }

  /// The pairs of the value for the query, each `name=value`.
  List<String> pairs(JsonNode value) {
    String own = Percent.encoded(name);
    List<String> pairs = new ArrayList<>();
    if (style == Style.DEEP_OBJECT) {
      addDeep(own, value, pairs);
    } else if (style == Style.JSON) {
      pairs.add(own + "=" + Percent.encoded(value.toString()));
    } else if (value.isValueNode() || !explode) {
      pairs.add(own + "=" + joined(value, delimiter(), false, Percent::encoded));
    } else if (value.isArray()) {
      value.forEach(item -> pairs.add(own + "=" + encoded(item)));
    } else {
      for (var member : value.properties()) {
        pairs.add(Percent.encoded(member.getKey()) + "=" + encoded(member.getValue()));
      }
    }
    return pairs;
  }

  /// Adds members of objects and items of lists, each with its own path in brackets.
  private static void addDeep(String path, JsonNode value, List<String> pairs) {
    if (value.isObject()) {
      for (var member : value.properties()) {
        addDeep(path + "%5B" + Percent.encoded(member.getKey()) + "%5D", member.getValue(), pairs);
      }
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        addDeep(path + "%5B" + i + "%5D", value.get(i), pairs);
      }
    } else {
      pairs.add(path + "=" + encoded(value));
    }
  }

  private String delimiter() {
    return switch (style) {
      case SPACE_DELIMITED -> "%20";
      case PIPE_DELIMITED -> "%7C";
      case SIMPLE, LABEL, MATRIX, FORM, DEEP_OBJECT, JSON, HEADER, COOKIE -> ",";
    };
  }

  /// @param named whether members of objects are written as `name=value`, otherwise as `name,value`
  private static String joined(
      JsonNode value, String between, boolean named, UnaryOperator<String> encoding) {
    if (value.isValueNode()) {
      return encoding.apply(text(value));
    }
    StringJoiner all = new StringJoiner(between);
    if (value.isArray()) {
      value.forEach(item -> all.add(encoding.apply(text(item))));
    } else {
      for (var member : value.properties()) {
        all.add(
            encoding.apply(member.getKey())
                + (named ? "=" : between)
                + encoding.apply(text(member.getValue())));
      }
    }
    return all.toString();
  }

  private static String encoded(JsonNode value) {
    return Percent.encoded(text(value));
  }

  /// A value as text; a value that is nested deeper than the styles support, as JSON.
  static String text(JsonNode value) {
    return value.isValueNode() ? value.asString("") : value.toString();
  }
}
