package dev.switchboard.openapi;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The URL of an operation's requests. A model never sees it.
final class ServerUrl {
  private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

  private ServerUrl() {}

  /// The URL before the path: the user's, or the first server of the operation, the path or the
  /// document, with its variables replaced.
  static String of(
      OpenApiDocument.Stated operation, OpenApiDocument document, OpenApiSettings settings)
      throws Unsupported {
    String stated = settings.baseUrl();
    String url = stated == null ? absolute(server(operation, document), settings) : stated;
    if (url.contains("?") || url.contains("#")) {
      throw new Unsupported("has a server with a query or a fragment");
    }
    if (stated == null) {
      checkHost(url, settings);
    }
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  private static JsonNode server(OpenApiDocument.Stated operation, OpenApiDocument document) {
    for (JsonNode place :
        new JsonNode[] {operation.operation(), operation.item(), document.root()}) {
      if (place.path("servers").has(0)) {
        return place.path("servers").get(0);
      }
    }
    return document.root().path("servers");
  }

  private static String absolute(JsonNode server, OpenApiSettings settings) throws Unsupported {
    String url = filled(server, settings.variables());
    if (url.contains("://")) {
      return url;
    }
    if (settings.source() == null) {
      throw new Unsupported("has no server with a host: state base_url");
    }
    try {
      return new URI(settings.source()).resolve(url.isEmpty() ? "/" : url).toString();
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new Unsupported("has a server that is not a URL");
    }
  }

  private static String filled(JsonNode server, Map<String, String> variables) throws Unsupported {
    Matcher variable = VARIABLE.matcher(server.path("url").asString(""));
    StringBuilder url = new StringBuilder();
    while (variable.find()) {
      String name = variable.group(1);
      JsonNode usual = server.path("variables").path(name).path("default");
      String value = variables.containsKey(name) ? variables.get(name) : usual.asString("");
      if (value.isEmpty()) {
        throw new Unsupported(
            "has a server with the variable '" + name + "': state it in variables");
      }
      variable.appendReplacement(url, Matcher.quoteReplacement(value));
    }
    return variable.appendTail(url).toString();
  }

  /// Checks that a document from elsewhere does not send a user's credentials to a third party.
  private static void checkHost(String url, OpenApiSettings settings) throws Unsupported {
    boolean secrets = !settings.auth().isEmpty() || !settings.headers().isEmpty();
    String source = settings.source();
    if (secrets && source != null && !host(url).equals(host(source))) {
      throw new Unsupported(
          "has a server on another host than the document: state base_url, so that credentials go"
              + " where you want");
    }
  }

  private static String host(String url) {
    try {
      return String.valueOf(new URI(url).getHost()).toLowerCase(Locale.ROOT);
    } catch (URISyntaxException e) {
      return url;
    }
  }
}
