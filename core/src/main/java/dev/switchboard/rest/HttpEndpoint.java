package dev.switchboard.rest;

import dev.switchboard.handler.ToolContext;
import dev.switchboard.handler.ToolException;
import dev.switchboard.handler.ToolHandler;
import dev.switchboard.http.HttpAnswer;
import dev.switchboard.http.HttpRequest;
import dev.switchboard.json.Json;
import dev.switchboard.json.JsonException;
import dev.switchboard.text.Placeholders;
import dev.switchboard.tool.ToolMode;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A service's own request that answers calls, through the guarded client: arguments stand in its
/// path, query, headers and body, each encoded so that it stays in its place.
///
/// ```java
/// Tool.dynamic("get_order", schema)
///     .answeredBy(
///         HttpEndpoint.get("https://api.example.com/orders/{id}")
///             .query("expand")
///             .header("Authorization", "Bearer " + token)
///             .build());
/// ```
///
/// Its mode follows from the method where the tool states none: GET and HEAD read, POST and PUT are
/// external, PATCH is a safe write, DELETE is destructive. GET and HEAD are tried again, others
/// only where the service knows repeated requests by a header. Immutable, and safe for use by
/// several threads.
public final class HttpEndpoint implements ToolHandler {
  private static final Pattern SLASH = Pattern.compile("/");

  private final String method;
  private final String url;
  private final List<Parameter> parameters;
  private final Map<String, String> headers;
  private final Body body;
  private final @Nullable ResultPath result;
  private final @Nullable String idempotencyHeader;
  private final GuardedHttp network;
  private final long responseLimit;
  private final Set<String> places; // the names of arguments, in their order

  private HttpEndpoint(Builder builder, List<Parameter> parameters, Body body) {
    method = builder.method;
    url = builder.url;
    this.parameters = List.copyOf(parameters);
    headers = Map.copyOf(builder.headers);
    this.body = body;
    result = builder.result;
    idempotencyHeader = builder.idempotencyHeader;
    network = builder.network;
    responseLimit = builder.responseLimit;
    places = Collections.unmodifiableSet(placesOf());
  }

  private Set<String> placesOf() {
    Set<String> names = new LinkedHashSet<>();
    parameters.forEach(parameter -> names.add(parameter.argument()));
    headers.values().forEach(value -> names.addAll(Placeholders.in(value)));
    if (body instanceof Body.Template(Json json)) {
      names.addAll(Body.placesIn(json.tree()));
    }
    return names;
  }

  /// An endpoint that is read.
  ///
  /// @param url with `{name}` where an argument stands, in its path
  public static Builder get(String url) {
    return of("GET", url);
  }

  /// An endpoint to which a JSON object is posted of the arguments that stand nowhere else.
  ///
  /// @param url with `{name}` where an argument stands, in its path
  public static Builder post(String url) {
    return of("POST", url);
  }

  /// An endpoint of any method.
  ///
  /// @param method such as `PUT`
  /// @param url with `{name}` where an argument stands, in its path
  public static Builder of(String method, String url) {
    return new Builder(method, url);
  }

  /// The names of arguments that stand in the request, in their order; with a body of the rest, any
  /// other may follow.
  public Set<String> places() {
    return places;
  }

  /// Whether the body takes the arguments that stand nowhere else.
  public boolean takesTheRest() {
    return body instanceof Body.Rest || body instanceof Body.Form;
  }

  /// The names of arguments in the path, without which there is no URL.
  public Set<String> inPath() {
    return Placeholders.in(url);
  }

  @Override
  public ToolMode mode() {
    return switch (method) {
      case "GET", "HEAD" -> ToolMode.READ;
      case "PATCH" -> ToolMode.SAFE_WRITE;
      case "DELETE" -> ToolMode.DESTRUCTIVE;
      default -> ToolMode.EXTERNAL;
    };
  }

  @Override
  public boolean mayRepeat(ToolMode mode) {
    return idempotencyHeader != null || method.equals("GET") || method.equals("HEAD");
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  @Override
  public Object handle(ToolHandler.Arguments arguments, ToolContext context)
      throws InterruptedException {
    HttpRequest request = request(arguments.json().tree(), context.idempotencyKey());
    try {
      return answer(network.send(request, context::onCancel), context);
    } catch (IOException e) {
      throw ToolException.ofRequest(e);
    }
  }

  /// The request for those arguments.
  HttpRequest request(JsonNode arguments, String idempotencyKey) {
    Map<String, String> sent = new LinkedHashMap<>();
    headers.forEach((name, value) -> {
      if (Placeholders.in(value).stream().allMatch(arguments::hasNonNull)) {
        sent.put(name, inHeader(value, arguments));
      }
    });
    for (Parameter parameter : parameters) {
      JsonNode value = arguments.path(parameter.argument());
      if (parameter.style() == Parameter.Style.HEADER && isThere(value)) {
        sent.put(parameter.name(), parameter.written(value));
      }
    }
    if (idempotencyHeader != null) {
      sent.put(idempotencyHeader, idempotencyKey);
    }
    if (body instanceof Body.Form) {
      sent.put("Content-Type", "application/x-www-form-urlencoded");
    }
    String text = Body.text(body, arguments, places);
    try {
      return new HttpRequest(
          method, target(arguments), sent, text, responseLimit, !mayRepeat(mode()));
    } catch (IllegalArgumentException e) {
      // A header with characters that none may have.
      throw ToolException.permanent(String.valueOf(e.getMessage()));
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
      } else if (isThere(value) && parameter.style() != Parameter.Style.HEADER) {
        written.put(parameter.name(), parameter.written(value));
      }
    }
    String path = Placeholders.fill(url, name -> inPath(name, written.get(name)));
    refuseOtherPath(path);
    if (query.isEmpty()) {
      return path;
    }
    return path + (url.contains("?") ? "&" : "?") + String.join("&", query);
  }

  private static String inPath(String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw ToolException.permanent("'" + name + "' must not be empty: it is a part of the URL");
    }
    return value;
  }

  /// Segments that are read as steps to another path, however a value came to be one.
  private void refuseOtherPath(String filled) {
    String path = filled.substring(Builder.originOf(url).length());
    int query = path.indexOf('?');
    for (String segment : List.of(SLASH.split(query < 0 ? path : path.substring(0, query)))) {
      if (segment.equals(".") || segment.equals("..")) {
        throw ToolException.permanent("an argument must not be '" + segment + "' in the URL");
      }
    }
  }

  private Object answer(HttpAnswer answer, ToolContext context) {
    if (!answer.successful()) {
      throw ToolException.ofAnswer(answer, context.time().now());
    }
    String text = answer.body();
    if (text.isBlank()) {
      return Json.EMPTY_OBJECT;
    }
    Json json = Json.text(text);
    try {
      json.check();
    } catch (JsonException e) {
      return text;
    }
    return result == null ? json : result.in(json, answer.status());
  }

  /// An endpoint in the making.
  public static final class Builder {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final String method;
    private final String url;
    private final List<Parameter> parameters = new ArrayList<>();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable Body body;
    private @Nullable ResultPath result;
    private @Nullable String idempotencyHeader;
    private GuardedHttp network = GuardedHttp.strict();
    private long responseLimit = 1024 * 1024;

    private Builder(String method, String url) {
      this.method = method.toUpperCase(Locale.ROOT);
      this.url = url;
    }

    /// Adds arguments to the query, each under its name.
    public Builder query(String... names) {
      for (String name : names) {
        parameters.add(Parameter.query(name));
      }
      return this;
    }

    /// Adds a parameter that is written in a way of its own.
    Builder parameter(Parameter parameter) {
      parameters.add(parameter);
      return this;
    }

    /// Adds a header; its value may have placeholders, without whose arguments it is left out.
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /// Sends the arguments that stand nowhere else as a form.
    public Builder form() {
      body = new Body.Form();
      return this;
    }

    /// Sends that JSON with arguments in it: a string that is nothing but `{name}` becomes the
    /// argument, whatever its type.
    public Builder body(Json template) {
      body = new Body.Template(template);
      return this;
    }

    /// Sends the arguments that stand nowhere else as a JSON object, as POST, PUT and PATCH do by
    /// default.
    public Builder jsonBody() {
      body = new Body.Rest();
      return this;
    }

    /// Answers with that part of the service's answer.
    ///
    /// @param path such as `$.order.items[0]`, or a JSON pointer (RFC 6901)
    /// @throws IllegalArgumentException when it is neither
    public Builder result(String path) {
      result = ResultPath.of(path);
      return this;
    }

    /// Sends the call's idempotency key in that header, so that a request may be repeated.
    public Builder idempotencyHeader(String name) {
      idempotencyHeader = name;
      return this;
    }

    /// Sets the client, with the internal services that it may reach.
    public Builder network(GuardedHttp client) {
      network = client;
      return this;
    }

    /// Limits the bytes that are read of an answer: 1 MiB by default.
    public Builder responseLimit(long bytes) {
      responseLimit = bytes;
      return this;
    }

    /// The endpoint.
    ///
    /// @throws IllegalArgumentException when the URL has a placeholder before its path, the guard
    ///   refuses it, or a header cannot be sent
    public HttpEndpoint build() {
      String origin = originOf(url);
      if (!Placeholders.in(origin).isEmpty()) {
        throw new IllegalArgumentException("the host of a URL cannot be an argument");
      }
      if (network.guard().check(origin + "/") instanceof UrlGuard.Verdict.Blocked blocked) {
        throw new IllegalArgumentException("URL blocked: " + blocked.reason());
      }
      headers.forEach(
          (name, value) -> HttpRequest.checkHeader(name, Placeholders.fill(value, place -> "x")));
      if (idempotencyHeader != null) {
        HttpRequest.checkHeader(idempotencyHeader, "x");
      }
      List<Parameter> all = new ArrayList<>(parameters);
      for (String name : Placeholders.in(url)) {
        if (parameters.stream().noneMatch(one -> isInPath(one, name))) {
          all.add(Parameter.path(name));
        }
      }
      Body usual = WITH_BODY.contains(method) ? new Body.Rest() : new Body.None();
      return new HttpEndpoint(this, all, body == null ? usual : body);
    }

    private static boolean isInPath(Parameter parameter, String name) {
      return parameter.name().equals(name)
          && !parameter.style().isOfQuery()
          && parameter.style() != Parameter.Style.HEADER;
    }

    /// Scheme, host and port.
    private static String originOf(String url) {
      int host = url.indexOf("://");
      int end = host < 0 ? -1 : url.indexOf('/', host + 3);
      int query = host < 0 ? -1 : url.indexOf('?', host + 3);
      int first = end < 0 ? query : query < 0 ? end : Math.min(end, query);
      return first < 0 ? url : url.substring(0, first);
    }
  }
}
