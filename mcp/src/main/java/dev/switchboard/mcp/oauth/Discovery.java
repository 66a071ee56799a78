package dev.switchboard.mcp.oauth;

import dev.switchboard.http.HttpAnswer;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Finds the authorization server of an MCP server (RFC 9728, RFC 8414, OpenID Connect Discovery).
///
/// A document is accepted only if it describes the requested server. A server without such a
/// document is treated as one of 2025-03-26, which is its own authorization server.
final class Discovery {
  private static final String RESOURCE = "/.well-known/oauth-protected-resource";
  private static final String OAUTH = "/.well-known/oauth-authorization-server";
  private static final String OPENID = "/.well-known/openid-configuration";

  private final Settings settings;
  private final Requests requests;

  /// The result.
  ///
  /// @param resource the name of the MCP server, for which tokens are requested
  /// @param scopes that the server requires; empty if it states none
  record Found(String resource, List<String> scopes, AuthorizationServer server) {}

  Discovery(Settings settings, Requests requests) {
    this.settings = settings;
    this.requests = requests;
  }

  /// @param named the URL of the document, as the server states it; null for none
  /// @param known the issuer of the existing login, which is kept if the server still names it
  /// @throws OAuthException with a sentence that names the fault
  Found find(@Nullable String named, @Nullable String known) throws IOException {
    JsonNode document = named == null ? probed() : stated(named);
    if (document == null) {
      return new Found(settings.server().canonical(), List.of(), ownServer());
    }
    String resource = resource(document);
    String issuer = issuer(Requests.texts(document.path("authorization_servers")), known);
    List<String> scopes = Challenge.scopes(Requests.texts(document.path("scopes_supported")));
    AuthorizationServer server = server(issuer, List.of(issuer));
    if (server == null) {
      throw settings.fault(
          "there is no metadata of its authorization server " + Settings.shown(issuer));
    }
    return new Found(resource, scopes, server);
  }

  private JsonNode stated(String url) throws IOException {
    WebAddress address = address(url, "names a document about itself");
    HttpAnswer answer = requests.get(address);
    JsonNode document = answer.status() == 200 ? Requests.object(answer) : null;
    if (document == null) {
      throw settings.fault(
          "the document about it at %s cannot be read (status %d)"
              .formatted(Settings.shown(address.canonical()), answer.status()));
    }
    return document;
  }

  private @Nullable JsonNode probed() throws IOException {
    WebAddress server = settings.server();
    Set<String> places = new LinkedHashSet<>();
    places.add(server.origin() + RESOURCE + server.folder());
    places.add(server.origin() + RESOURCE);
    return firstOf(places);
  }

  /// The first document at these URLs; null if there is none.
  private @Nullable JsonNode firstOf(Set<String> places) throws IOException {
    for (String place : places) {
      WebAddress address = address(place, "leads to a place of metadata");
      HttpAnswer answer = requests.get(address);
      if (answer.status() >= 500 || answer.status() == 429) {
        throw settings.fault(
            "%s answers %d, so its metadata is not known now"
                .formatted(address.canonical(), answer.status()));
      }
      JsonNode document = answer.status() == 200 ? Requests.object(answer) : null;
      if (document != null) {
        return document;
      }
    }
    return null;
  }

  private String resource(JsonNode document) throws OAuthException {
    String resource = Requests.text(document, "resource");
    if (resource == null) {
      throw settings.fault("the document about it does not say what it is about (`resource`)");
    }
    if (!address(resource, "is called `resource`").covers(settings.server())) {
      throw settings.fault(
          "the document about it is about another server, " + Settings.shown(resource));
    }
    return resource;
  }

  private String issuer(List<String> named, @Nullable String known) throws OAuthException {
    String wanted = settings.issuer() == null ? known : settings.issuer();
    if (wanted != null && named.contains(wanted)) {
      return wanted;
    }
    if (settings.issuer() != null) {
      throw settings.fault("it does not name the configured issuer " + settings.issuer());
    }
    if (named.isEmpty()) {
      throw settings.fault("the document about it names no authorization server");
    }
    return named.getFirst();
  }

  /// The authorization server of an MCP server that is its own authorization server.
  private AuthorizationServer ownServer() throws IOException {
    String origin = settings.server().origin();
    String wanted = settings.issuer();
    if (wanted != null && !wanted.equals(origin) && !wanted.equals(origin + '/')) {
      throw settings.fault("it does not name the configured issuer " + wanted);
    }
    AuthorizationServer server = server(origin, List.of(origin, origin + '/'));
    if (server != null) {
      return server;
    }
    if (settings.clientId() != null && wanted == null) {
      throw settings.fault(
          "it does not say which its authorization server is; configure the `issuer` that the"
              + " client belongs to");
    }
    return AuthorizationServer.withoutMetadata(origin, settings.http().guard());
  }

  /// The server that its metadata describes; null if there is none.
  ///
  /// @param names the metadata must state one of these
  private @Nullable AuthorizationServer server(String issuer, List<String> names)
      throws IOException {
    WebAddress address = address(issuer, "names an authorization server");
    if (address.query() != null) {
      throw settings.fault("the name of its authorization server has a query");
    }
    JsonNode document = firstOf(places(address));
    if (document == null) {
      return null;
    }
    String stated = Requests.text(document, "issuer");
    if (stated == null || !names.contains(stated)) {
      throw settings.fault(
          "the metadata of its authorization server %s is of another, %s"
              .formatted(Settings.shown(issuer), Settings.shown(String.valueOf(stated))));
    }
    try {
      return AuthorizationServer.of(document, settings::address);
    } catch (IllegalArgumentException e) {
      throw settings.fault(
          "the metadata of its authorization server %s cannot be used: %s"
              .formatted(Settings.shown(issuer), e.getMessage()));
    }
  }

  private static Set<String> places(WebAddress issuer) {
    String folder = issuer.folder();
    Set<String> places = new LinkedHashSet<>();
    places.add(issuer.origin() + OAUTH + folder);
    places.add(issuer.origin() + OPENID + folder);
    places.add(issuer.origin() + folder + OPENID);
    return places;
  }

  private WebAddress address(String text, String what) throws OAuthException {
    try {
      return settings.address(text);
    } catch (IllegalArgumentException e) {
      throw settings.fault(
          "it %s, %s, that may not be opened: %s"
              .formatted(what, Settings.shown(text), e.getMessage()));
    }
  }
}
