package dev.switchboard.openapi;

import dev.switchboard.json.Codec;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The request that a document describes for an example of its values, made by reading the document
/// a second time, straight after the text of the specification; and the arguments with which a tool
/// has to make the same.
final class DocumentedRequest {
  private static final Set<String> NO_PARAMETERS =
      Set.of("accept", "content-type", "authorization", "accept-encoding", "idempotency-key");

  private final ExampleValues examples;
  private final OpenApiDocument.Stated operation;
  private final Iterator<String> names;

  final ObjectNode arguments = Codec.object();
  final Map<String, String> headers = new LinkedHashMap<>();
  String target = "";
  @Nullable String body;
  @Nullable String type;

  DocumentedRequest(ExampleValues examples, OpenApiDocument.Stated operation, OpenApiTool tool) {
    this.examples = examples;
    this.operation = operation;
    // In the order of path, others, body.
    names = tool.parameters().tree().path("properties").propertyNames().iterator();
    target = operation.path();
    StringJoiner query = new StringJoiner("&");
    List<JsonNode> stated = parameters();
    stated.stream()
        .filter(one -> in(one).equals("path"))
        .forEach(one -> target = target.replace("{" + name(one) + "}", inPath(one, value(one))));
    for (JsonNode one : stated) {
      switch (in(one)) {
        case "query" -> pairs(name(one), style(one), explode(one), value(one)).forEach(query::add);
        case "header" -> headers.put(name(one), joined(value(one), ",", explode(one), false));
        case "cookie" ->
            headers.merge(
                "Cookie",
                credential() + String.join("; ", pairs(name(one), "form", true, value(one))),
                (a, b) -> a + "; " + b);
        default -> {}
      }
    }
    if (query.length() > 0) {
      target += (target.contains("?") ? "&" : "?") + query;
    }
    readBody();
  }

  private List<JsonNode> parameters() {
    Map<String, JsonNode> all = new LinkedHashMap<>();
    for (JsonNode place : List.of(operation.item(), operation.operation())) {
      for (JsonNode each : place.path("parameters")) {
        JsonNode parameter = examples.at(each);
        all.put(in(parameter) + name(parameter), parameter);
      }
    }
    List<JsonNode> shown = new ArrayList<>(all.values());
    shown.removeIf(one ->
        in(one).equals("header") && NO_PARAMETERS.contains(name(one).toLowerCase(Locale.ROOT))
            || in(one).equals("path") && !operation.path().contains("{" + name(one) + "}")
            || isCredential(one));
    List<JsonNode> sorted =
        new ArrayList<>(shown.stream().filter(one -> in(one).equals("path")).toList());
    shown.stream().filter(one -> !in(one).equals("path")).forEach(sorted::add);
    return sorted;
  }

  /// The cookie that the user states, which comes first.
  private String credential() {
    return examples
        .document()
        .root()
        .path("components")
        .path("securitySchemes")
        .valueStream()
        .filter(scheme -> in(scheme).equals("cookie"))
        .findFirst()
        .map(scheme -> name(scheme) + "=k3y; ")
        .orElse("");
  }

  private boolean isCredential(JsonNode parameter) {
    return examples
        .document()
        .root()
        .path("components")
        .path("securitySchemes")
        .valueStream()
        .anyMatch(
            scheme -> in(scheme).equals(in(parameter)) && name(scheme).equals(name(parameter)));
  }

  /// Request line, headers that the document speaks of, and body.
  String words(String base) {
    StringBuilder words = new StringBuilder(operation.method() + " " + base + target + "\n");
    headers.forEach((name, value) -> words.append(name + ": " + value + "\n"));
    return words
        + "Content-Type: "
        + (body == null ? null : type)
        + "\n"
        + (body == null ? "" : body);
  }

  private static String in(JsonNode parameter) {
    return parameter.path("in").asString("");
  }

  private static String name(JsonNode parameter) {
    return parameter.path("name").asString("");
  }

  private static String style(JsonNode parameter) {
    String usual =
        in(parameter).equals("query") || in(parameter).equals("cookie") ? "form" : "simple";
    return parameter.path("content").isObject() ? "json" : parameter.path("style").asString(usual);
  }

  private static boolean explode(JsonNode parameter) {
    return parameter.path("explode").asBoolean(style(parameter).equals("form"));
  }

  private JsonNode value(JsonNode parameter) {
    JsonNode value = examples.ofParameter(parameter);
    arguments.set(names.next(), value);
    return value;
  }

  private static String inPath(JsonNode parameter, JsonNode value) {
    boolean explode = explode(parameter);
    return switch (style(parameter)) {
      case "label" -> "." + joined(value, explode ? "." : ",", explode, true);
      case "matrix" -> matrix(name(parameter), explode, value);
      default -> joined(value, ",", explode, true);
    };
  }

  private static String matrix(String name, boolean explode, JsonNode value) {
    if (explode && value.isArray()) {
      StringBuilder all = new StringBuilder();
      value.forEach(item -> all.append(";").append(name).append("=").append(percent(text(item))));
      return all.toString();
    }
    return explode && value.isObject()
        ? ";" + joined(value, ";", true, true)
        : ";" + name + "=" + joined(value, ",", false, true);
  }

  private static List<String> pairs(String name, String style, boolean explode, JsonNode value) {
    List<String> pairs = new ArrayList<>();
    if (style.equals("json")) {
      pairs.add(percent(name) + "=" + percent(value.toString()));
    } else if (style.equals("deepObject")) {
      deep(percent(name), value, pairs);
    } else if (explode && value.isArray()) {
      value.forEach(item -> pairs.add(percent(name) + "=" + percent(text(item))));
    } else if (explode && value.isObject()) {
      value.forEachEntry((key, member) -> pairs.add(percent(key) + "=" + percent(text(member))));
    } else {
      String between =
          style.equals("spaceDelimited") ? "%20" : style.equals("pipeDelimited") ? "%7C" : ",";
      pairs.add(percent(name) + "=" + joined(value, between, false, true));
    }
    return pairs;
  }

  private static void deep(String path, JsonNode value, List<String> pairs) {
    if (value.isObject()) {
      value.forEachEntry((key, member) -> deep(path + "%5B" + percent(key) + "%5D", member, pairs));
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        deep(path + "%5B" + i + "%5D", value.get(i), pairs);
      }
    } else {
      pairs.add(path + "=" + percent(text(value)));
    }
  }

  private static String joined(JsonNode value, String between, boolean named, boolean encoded) {
    List<String> words = new ArrayList<>();
    if (value.isObject()) {
      value.forEachEntry((key, member) ->
          words.add(
              key + (named ? "=" : between) + (encoded ? percent(text(member)) : text(member))));
    } else if (value.isArray()) {
      value.forEach(item -> words.add(encoded ? percent(text(item)) : text(item)));
    } else {
      words.add(encoded ? percent(text(value)) : text(value));
    }
    return String.join(between, words);
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asString("") : value.toString();
  }

  private static String percent(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private void readBody() {
    JsonNode stated = examples.at(operation.operation().path("requestBody"));
    JsonNode content = stated.path("content");
    if (content.isEmpty() || operation.method().equals("GET")) {
      return;
    }
    type = best(content);
    JsonNode media = examples.at(content.path(type));
    JsonNode value = examples.ofMedia(media);
    if (type.startsWith("application/x-www-form-urlencoded")) {
      type = "application/x-www-form-urlencoded";
      form(value, media.path("encoding"));
    } else if (type.startsWith("text/")) {
      arguments.set(names.next(), value);
      body = text(value);
    } else {
      json(value);
    }
    if (type.equals("*/*")) {
      type = "application/json";
    }
    boolean nothing = value.isObject() && value.isEmpty() && arguments.path("body").isMissingNode();
    if (nothing && !stated.path("required").asBoolean(false)) {
      body = null;
    }
  }

  private static String best(JsonNode content) {
    List<String> types = List.copyOf(content.propertyNames());
    for (String wanted : List.of("application/json", "json", "form", "text/", "*/*")) {
      for (String each : types) {
        String plain = each.replaceFirst(";.*", "").strip();
        if (wanted.equals("json")
            ? plain.endsWith("json")
            : wanted.equals("application/json")
                ? plain.equals(wanted)
                : plain.contains(wanted) && !plain.contains("multipart")) {
          return each;
        }
      }
    }
    throw new IllegalStateException("no type that is sent: " + types);
  }

  /// Beside the parameters where each member has a place there, else as a whole.
  private void json(JsonNode value) {
    List<String> left = new ArrayList<>();
    names.forEachRemaining(left::add);
    boolean beside = value.isObject() && left.containsAll(value.propertyNames());
    if (left.size() == 1 && (!beside || value.isEmpty())) {
      arguments.set(left.getFirst(), value);
      body = value.toString();
      return;
    }
    value.forEachEntry(arguments::set);
    body = value.toString();
  }

  private void form(JsonNode value, JsonNode encoding) {
    List<String> all = new ArrayList<>();
    List<String> left = new ArrayList<>();
    names.forEachRemaining(left::add);
    value.forEachEntry((field, member) -> {
      JsonNode how = encoding.path(field);
      String usual = member.isObject() ? "json" : "form";
      String style = how.path("style").asString(usual);
      all.addAll(pairs(field, style, how.path("explode").asBoolean(style.equals("form")), member));
      String plain = field.replaceAll("[^A-Za-z0-9_.-]", "_");
      arguments.set(
          left.stream()
              .filter(name -> name.equals(field))
              .findFirst()
              .orElse(left.contains(plain + "_field") ? plain + "_field" : plain),
          member);
    });
    body = String.join("&", all);
  }
}
