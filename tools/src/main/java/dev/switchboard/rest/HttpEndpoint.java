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
import dev.switchboard.tool.ToolResult;
import dev.switchboard.webhook.GuardedHttp;
import dev.switchboard.webhook.UrlGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A handler that sends an HTTP request to a service, through the guarded client. Arguments are
/// encoded into its path, query, headers and body, and cannot leave their place.
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
/// By default the method implies the mode: GET and HEAD read, POST and PUT are external, PATCH is a
/// safe write, DELETE is destructive. GET and HEAD are retried, others only if the service
/// recognizes repeated requests by a header. Immutable and thread-safe.
public final class HttpEndpoint implements ToolHandler {
  /// The style of an argument in a request (OpenAPI, "Style Values"), which implies its place.
  public enum Style {
    /// In the path: `3,4`.
    SIMPLE,
    /// In the path: `.3.4`.
    LABEL,
    /// In the path: `;id=3,4`.
    MATRIX,
    /// In the query: `id=3&id=4`, or not exploded `id=3,4`.
    FORM,
    /// In the query: `id=3%204`.
    SPACE_DELIMITED,
    /// In the query: `id=3%7C4`.
    PIPE_DELIMITED,
    /// In the query: `id[role]=admin`, or for a list `id[0]=3`.
    DEEP_OBJECT,
    /// In the query: `id=` and the value as JSON.
    JSON,
    /// In a header: `3,4`.
    HEADER,
    /// In the `Cookie` header: `id=3; id=4`.
    COOKIE;

    boolean isOfQuery() {
      return switch (this) {
        case FORM, SPACE_DELIMITED, PIPE_DELIMITED, DEEP_OBJECT, JSON -> true;
        case SIMPLE, LABEL, MATRIX, HEADER, COOKIE -> false;
      };
    }

    boolean isOfPath() {
      return switch (this) {
        case SIMPLE, LABEL, MATRIX -> true;
        case FORM, SPACE_DELIMITED, PIPE_DELIMITED, DEEP_OBJECT, JSON, HEADER, COOKIE -> false;
      };
    }
  }

  private final RequestForm form;
  private final @Nullable ResultPath result;
  private final GuardedHttp network;
  private final long responseLimit;

  private HttpEndpoint(Builder builder, RequestForm form) {
    this.form = form;
    result = builder.result;
    network = builder.network;
    responseLimit = builder.responseLimit;
  }

  /// An endpoint for GET.
  ///
  /// @param url with `{name}` for an argument in its path
  public static Builder get(String url) {
    return of("GET", url);
  }

  /// An endpoint for POST, with a JSON object of the remaining arguments.
  ///
  /// @param url with `{name}` for an argument in its path
  public static Builder post(String url) {
    return of("POST", url);
  }

  /// An endpoint for any method.
  ///
  /// @param method such as `PUT`
  /// @param url with `{name}` for an argument in its path
  public static Builder of(String method, String url) {
    return new Builder(method, url);
  }

  /// The names of arguments with a place in the request, in order; others are also allowed if the
  /// body contains the remaining arguments.
  public Set<String> places() {
    return form.places();
  }

  /// Whether the body contains the remaining arguments.
  public boolean takesTheRest() {
    return form.body() instanceof Body.Rest || form.body() instanceof Body.Form;
  }

  /// The names of arguments in the path, which are required.
  public Set<String> inPath() {
    return Placeholders.in(form.url());
  }

  @Override
  public ToolMode mode() {
    return switch (form.method()) {
      case "GET", "HEAD", "QUERY" -> ToolMode.READ;
      case "PATCH" -> ToolMode.SAFE_WRITE;
      case "DELETE" -> ToolMode.DESTRUCTIVE;
      default -> ToolMode.EXTERNAL;
    };
  }

  @Override
  public boolean mayRepeat(ToolMode mode) {
    return form.mayRepeat();
  }

  @Override
  public boolean knowsRepeats() {
    return form.idempotencyHeader() != null;
  }

  @Override
  public boolean endsWhenCancelled() {
    return true;
  }

  @Override
  public void check(ToolHandler.Arguments arguments) {
    form.check(arguments.json().tree());
  }

  @Override
  public Object handle(ToolHandler.Arguments arguments, ToolContext context)
      throws InterruptedException {
    HttpRequest request =
        form.request(arguments.json().tree(), context.idempotencyKey(), responseLimit);
    try {
      return answer(network.send(request, context::onCancel), context);
    } catch (IOException e) {
      throw ToolException.ofRequest(e);
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
    // Not the plain JSON: the status decides about success, not a member `success` of the service.
    return ToolResult.ok(result == null ? json : result.in(json, answer.status()));
  }

  /// Builds an endpoint.
  public static final class Builder {
    static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final String method;
    private final String url;
    private final List<Parameter> parameters = new ArrayList<>();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final List<Parameter> fields = new ArrayList<>();
    private @Nullable Body body;
    private boolean optional;
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

    /// Adds an argument with its own style.
    ///
    /// @param argument of the call; `{argument}` is its place in the path
    /// @param name in the request
    /// @param explode whether items of lists and members of objects are written separately
    public Builder parameter(String argument, String name, Style style, boolean explode) {
      parameters.add(new Parameter(argument, name, style, explode));
      return this;
    }

    /// Adds a header. Its value may have placeholders; it is omitted if their arguments are
    /// missing.
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /// Sends the remaining arguments as a form.
    public Builder form() {
      body = new Body.Form(List.of(), false);
      return this;
    }

    /// Adds an argument to a form, with a style of the query.
    ///
    /// @param argument of the call
    /// @param name of the field
    /// @param explode whether items of lists and members of objects are written separately
    public Builder field(String argument, String name, Style style, boolean explode) {
      fields.add(new Parameter(argument, name, style, explode));
      return this;
    }

    /// Sends no body instead of an empty one if no arguments remain.
    public Builder mayHaveNoBody() {
      optional = true;
      return this;
    }

    /// Sends no body, whatever the method.
    public Builder noBody() {
      body = new Body.None();
      return this;
    }

    /// Sends that argument, a text, unchanged; set its type by the header `Content-Type`.
    public Builder textBody(String argument) {
      body = new Body.Text(argument);
      return this;
    }

    /// Sends that JSON with placeholders: a string that is only `{name}` becomes the argument, of
    /// any type.
    public Builder body(Json template) {
      body = new Body.Template(template);
      return this;
    }

    /// Sends the remaining arguments as a JSON object: the default of POST, PUT and PATCH.
    public Builder jsonBody() {
      body = new Body.Rest(false);
      return this;
    }

    /// Makes that part of the service's response the result.
    ///
    /// @param path such as `$.order.items[0]`, or a JSON pointer (RFC 6901)
    /// @throws IllegalArgumentException when it is neither
    public Builder result(String path) {
      result = ResultPath.of(path);
      return this;
    }

    /// Sends the call's idempotency key in that header, so that a request may be retried.
    public Builder idempotencyHeader(String name) {
      idempotencyHeader = name;
      return this;
    }

    /// Sets the HTTP client, which knows the private services that may be reached.
    public Builder network(GuardedHttp client) {
      network = client;
      return this;
    }

    /// Limits the bytes of a response: 1 MiB by default.
    public Builder responseLimit(long bytes) {
      responseLimit = bytes;
      return this;
    }

    /// Builds the endpoint.
    ///
    /// @throws IllegalArgumentException when the URL has a placeholder before its path, the guard
    ///   refuses it, or a header cannot be sent
    public HttpEndpoint build() {
      String origin = RequestForm.originOf(url);
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
      for (Parameter parameter : parameters) {
        if (parameter.style() == Style.HEADER) {
          HttpRequest.checkHeader(parameter.name(), "x");
        }
      }
      List<Parameter> all = new ArrayList<>(parameters);
      for (String name : Placeholders.in(url)) {
        if (parameters.stream().noneMatch(one -> isInPath(one, name))) {
          all.add(Parameter.path(name));
        }
      }
      return new HttpEndpoint(
          this, RequestForm.of(method, url, all, headers, body(), idempotencyHeader));
    }

    /// This endpoint as the table `http` of an agent's file.
    ///
    /// @throws IllegalArgumentException when a table cannot express it, with the rest of a sentence
    public Json table() {
      return HttpTable.of(method, url, parameters, headers, body(), idempotencyHeader);
    }

    private Body body() {
      Body usual = WITH_BODY.contains(method) ? new Body.Rest(false) : new Body.None();
      return switch (body == null ? usual : body) {
        case Body.Rest rest -> new Body.Rest(optional);
        case Body.Form form -> new Body.Form(List.copyOf(fields), optional);
        case Body.None none -> none;
        case Body.Template template -> template;
        case Body.Text text -> text;
      };
    }

    private static boolean isInPath(Parameter parameter, String name) {
      return parameter.argument().equals(name) && parameter.style().isOfPath();
    }
  }
}
