package dev.switchboard.rest;

import dev.switchboard.handler.ToolException;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.json.Json;
import dev.switchboard.rest.HttpEndpoint.Style;
import dev.switchboard.text.Placeholders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The template of an endpoint's requests, with the place of each argument.
///
/// @param url with `{argument}` in its path
/// @param parameters in path, query, headers and cookies
/// @param headers whose values may have placeholders, omitted if their arguments are missing
/// @param idempotencyHeader null for none
/// @param places the names of arguments with a place in the request, in order
record RequestForm(
    String method,
    String url,
    List<Parameter> parameters,
    Map<String, String> headers,
    Body body,
    @Nullable String idempotencyHeader,
    Set<String> places) {
  private static final Pattern SLASH = Pattern.compile("/");
  private static final String COOKIE = "Cookie";

  static RequestForm of(
      String method,
      String url,
      List<Parameter> parameters,
      Map<String, String> headers,
      Body body,
      @Nullable String idempotencyHeader) {
    Set<String> places = new LinkedHashSet<>();
    parameters.forEach(parameter -> places.add(parameter.argument()));
    headers.values().forEach(value -> places.addAll(Placeholders.in(value)));
    if (body instanceof Body.Template(Json json)) {
      places.addAll(Body.placesIn(json.tree()));
    } else if (body instanceof Body.Text(String argument)) {
      places.add(argument);
    }
    return new RequestForm(
        method,
        url,
        List.copyOf(parameters),
        Collections.unmodifiableMap(new LinkedHashMap<>(headers)),
        body,
        idempotencyHeader,
        Collections.unmodifiableSet(places));
  }

  /// Whether a request without an answer may be repeated: it changes nothing, or the service
  /// recognizes repetitions.
  boolean mayRepeat() {
    return idempotencyHeader != null
        || switch (method) {
          case "GET", "HEAD", "QUERY" -> true;
          default -> false;
        };
  }

  /// The request for those arguments.
  HttpRequest request(JsonNode arguments, String idempotencyKey, long responseLimit) {
    Map<String, String> sent = headers(arguments);
    if (idempotencyHeader != null) {
      sent.put(idempotencyHeader, idempotencyKey);
    }
    if (body instanceof Body.Form) {
      sent.put("Content-Type", "application/x-www-form-urlencoded");
    }
    String text = Body.text(body, arguments, places);
    return new HttpRequest(method, target(arguments), sent, text, responseLimit, !mayRepeat());
  }

  /// Checks that those arguments make a request.
  ///
  /// @throws ToolException for a value that would leave its place
  void check(JsonNode arguments) {
    if (!places.isEmpty()) {
      Map<String, String> unusedHeaders = headers(arguments);
      String unusedTarget = target(arguments);
    }
  }

  private Map<String, String> headers(JsonNode arguments) {
    Map<String, String> sent = new LinkedHashMap<>();
    headers.forEach((name, value) -> {
      if (Placeholders.in(value).stream().allMatch(arguments::hasNonNull)) {
        Placeholders.in(value).forEach(each -> checkHeader(each, name, arguments.path(each)));
        sent.put(name, inHeader(value, arguments));
      }
    });
    List<String> cookies = new ArrayList<>();
    for (Parameter parameter : parameters) {
      JsonNode value = arguments.path(parameter.argument());
      if (isThere(value) && parameter.style() == Style.HEADER) {
        String written = parameter.written(value);
        checkHeader(parameter.argument(), parameter.name(), written);
        sent.put(parameter.name(), written);
      } else if (isThere(value) && parameter.style() == Style.COOKIE) {
        cookies.addAll(parameter.pairs(value));
      }
    }
    if (!cookies.isEmpty()) {
      String all = String.join("; ", cookies);
      sent.merge(COOKIE, all, (stated, more) -> stated + "; " + more);
    }
    return sent;
  }

  private static void checkHeader(String argument, String header, JsonNode value) {
    checkHeader(argument, header, Parameter.text(value));
  }

  private static void checkHeader(String argument, String header, String value) {
    try {
      HttpRequest.checkHeader(header, value);
    } catch (IllegalArgumentException e) {
      throw ToolException.invalidArgument(argument, String.valueOf(e.getMessage()));
    }
  }

  private static String inHeader(String value, JsonNode arguments) {
    return Placeholders.fill(
        value, name -> arguments.has(name) ? Parameter.text(arguments.path(name)) : null);
  }

  private static boolean isThere(JsonNode value) {
    return !value.isMissingNode() && !value.isNull();
  }

  private String target(JsonNode arguments) {
    Map<String, String> written = new LinkedHashMap<>();
    List<String> query = new ArrayList<>();
    for (Parameter parameter : parameters) {
      JsonNode value = arguments.path(parameter.argument());
      if (isThere(value) && parameter.style().isOfQuery()) {
        query.addAll(parameter.pairs(value));
      } else if (isThere(value) && parameter.style().isOfPath()) {
        written.put(parameter.argument(), parameter.written(value));
      }
    }
    String path = Placeholders.fill(url, name -> inPath(name, written.get(name)));
    refuseOtherPath(written);
    if (query.isEmpty()) {
      return path;
    }
    return path + (url.contains("?") ? "&" : "?") + String.join("&", query);
  }

  private static String inPath(String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw ToolException.invalidArgument(
          name, "'" + name + "' must not be empty: it is a part of the URL");
    }
    return value;
  }

  /// Refuses path segments that would lead to another path. A value has no slash: it is encoded.
  private void refuseOtherPath(Map<String, String> written) {
    String path = url.substring(originOf(url).length());
    int query = path.indexOf('?');
    for (String segment : SLASH.split(query < 0 ? path : path.substring(0, query), -1)) {
      String filled = Placeholders.fill(segment, written::get);
      boolean other = filled.equals(".") || filled.equals("..");
      Set<String> names = other ? Placeholders.in(segment) : Set.of();
      if (!names.isEmpty()) {
        throw ToolException.invalidArgument(
            names.iterator().next(), "an argument must not be '%s' in the URL".formatted(filled));
      }
    }
  }

  /// Scheme, host and port.
  static String originOf(String url) {
    int host = url.indexOf("://");
    int end = host < 0 ? -1 : url.indexOf('/', host + 3);
    int query = host < 0 ? -1 : url.indexOf('?', host + 3);
    int first = end < 0 ? query : query < 0 ? end : Math.min(end, query);
    return first < 0 ? url : url.substring(0, first);
  }
}
