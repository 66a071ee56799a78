package dev.switchboard.openapi;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A user's settings for a document: which operations become tools, and how requests reach the
/// service.
///
/// @param include operation ids, or a method and a path, with `*` for any characters; empty for all
/// @param exclude operations that do not become tools, in the same form
/// @param tags of the operations; empty for all
/// @param prefix of the tools' names, empty for none
/// @param baseUrl of the service; null for the document's servers
/// @param source the URL of the document; null for a file
/// @param variables of the servers' URLs
/// @param auth the credential for each security scheme, by its name
/// @param headers of every request
/// @param idempotencyHeader with the call's idempotency key; null for none
public record OpenApiSettings(
    List<String> include,
    List<String> exclude,
    List<String> tags,
    String prefix,
    @Nullable String baseUrl,
    @Nullable String source,
    Map<String, String> variables,
    Map<String, String> auth,
    Map<String, String> headers,
    @Nullable String idempotencyHeader) {
  /// All operations at the document's first server, without credentials.
  public static final OpenApiSettings PLAIN =
      new OpenApiSettings(
          List.of(), List.of(), List.of(), "", null, null, Map.of(), Map.of(), Map.of(), null);

  public OpenApiSettings {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    tags = List.copyOf(tags);
    variables = Map.copyOf(variables);
    auth = Map.copyOf(auth);
    headers = Map.copyOf(headers);
  }

  /// These settings with those credentials.
  public OpenApiSettings withAuth(Map<String, String> credentials) {
    return new OpenApiSettings(
        include,
        exclude,
        tags,
        prefix,
        baseUrl,
        source,
        variables,
        credentials,
        headers,
        idempotencyHeader);
  }

  /// These settings with that base URL.
  public OpenApiSettings withBaseUrl(@Nullable String url) {
    return new OpenApiSettings(
        include, exclude, tags, prefix, url, source, variables, auth, headers, idempotencyHeader);
  }

  /// The name of the class, since the values are secret.
  @Override
  public String toString() {
    return "OpenApiSettings";
  }

  boolean hasHeader(String name) {
    return headers.keySet().stream().anyMatch(name::equalsIgnoreCase);
  }
}
