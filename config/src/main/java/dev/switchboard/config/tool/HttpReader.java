package dev.switchboard.config.tool;

import static java.util.Objects.requireNonNull;

import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.json.Json;
import dev.switchboard.rest.HttpEndpoint;
import dev.switchboard.text.Placeholders;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads a tool that sends an HTTP request to a service.
final class HttpReader {
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "QUERY");

  private final ToolKeys.Http http;
  private final ToolKeys tool;
  private final FileTable.Context file;

  HttpReader(ToolKeys.Http http, ToolKeys tool, FileTable.Context file) {
    this.http = http;
    this.tool = tool;
    this.file = file;
  }

  /// The endpoint; null if there is a fault, which is reported.
  ///
  /// @param parameters the schema of the tool, null if it cannot be read
  @Nullable HttpEndpoint read(@Nullable Json parameters) {
    HttpEndpoint.Builder endpoint = endpoint();
    if (endpoint == null || isBlocked(requireNonNull(http.url()))) {
      return null;
    }
    try {
      HttpEndpoint made = endpoint.network(file.network()).build();
      if (parameters != null) {
        checkPlaces(made, parameters.tree());
      }
      return made;
    } catch (IllegalArgumentException e) {
      http.at().bad("cannot be sent: " + e.getMessage());
      return null;
    }
  }

  private boolean isBlocked(String url) {
    StatedValue value = http.at().member("url");
    String filled = Placeholders.fill(url, place -> "x");
    return BlockedUrl.report(file, filled, value, value.path());
  }

  private HttpEndpoint.@Nullable Builder endpoint() {
    if (http.url() == null) {
      return null;
    }
    String method = http.method() == null ? "GET" : method(http.method());
    if (method == null) {
      return null;
    }
    HttpEndpoint.Builder endpoint = HttpEndpoint.of(method, http.url());
    for (StatedValue name : http.query()) {
      String text = name.filledText();
      if (text != null) {
        endpoint.query(text);
      }
    }
    new Headers(file).ofService(http.headers()).forEach(endpoint::header);
    if (tool.responseLimit() != null) {
      endpoint.responseLimit(tool.responseLimit());
    }
    String header = http.idempotencyHeader() == null ? null : http.idempotencyHeader().filledText();
    if (header != null) {
      endpoint.idempotencyHeader(header);
    }
    readBody(endpoint);
    readResult(endpoint);
    return endpoint;
  }

  private static @Nullable String method(StatedValue value) {
    String text = value.text();
    String method = text == null ? null : text.toUpperCase(Locale.ROOT);
    if (method != null && !METHODS.contains(method)) {
      value.bad("must be one of '" + String.join("', '", METHODS) + "', not '" + text + "'");
      return null;
    }
    return method;
  }

  private void readBody(HttpEndpoint.Builder endpoint) {
    StatedValue body = http.body();
    if (body == null) {
      return;
    }
    if (body.isString()) {
      switch (String.valueOf(body.text())) {
        case "json" -> endpoint.jsonBody();
        case "form" -> endpoint.form();
        case "none" -> endpoint.noBody();
        default -> body.bad("must be 'json', 'form', 'none' or a table");
      }
    } else if (body.isTable("'json', 'form', 'none' or a table")) {
      endpoint.body(body.json());
    }
  }

  private void readResult(HttpEndpoint.Builder endpoint) {
    StatedValue result = http.result();
    String path = result == null ? null : result.text();
    if (result == null || path == null) {
      return;
    }
    try {
      endpoint.result(path);
    } catch (IllegalArgumentException e) {
      result.bad("is wrong: " + e.getMessage());
    }
  }

  /// Checks that each parameter has a place and each place a parameter, and that those in the path
  /// are required.
  private void checkPlaces(HttpEndpoint endpoint, JsonNode schema) {
    JsonNode properties = schema.path("properties");
    for (String name : endpoint.places()) {
      if (!properties.has(name)) {
        http.at().bad("has a place for '" + name + "', which is not one of the tool's parameters");
      }
    }
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(name -> required.add(name.asString("")));
    for (String name : endpoint.inPath()) {
      if (properties.has(name) && !required.contains(name)) {
        http.at()
            .member("url")
            .bad("has '{" + name + "}', which has to be required among the tool's parameters");
      }
    }
    if (!endpoint.takesTheRest()) {
      for (String name : properties.propertyNames()) {
        if (!endpoint.places().contains(name)) {
          http.at()
              .bad(
                  "sends the parameter '"
                      + name
                      + "' nowhere: name it in url, query, headers or body");
        }
      }
    }
  }
}
