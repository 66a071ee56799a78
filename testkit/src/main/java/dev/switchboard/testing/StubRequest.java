package dev.switchboard.testing;

import dev.switchboard.json.Json;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A request that a [StubWebhook] received.
///
/// @param path path and query
/// @param headers by name, in any letter case; several of one name are joined by commas
public record StubRequest(String method, String path, Map<String, String> headers, String body) {
  public StubRequest {
    Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(headers);
    headers = Collections.unmodifiableMap(copy);
  }

  /// The value of a header, by name in any letter case, or null.
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /// The body as JSON.
  public Json json() {
    return Json.text(body);
  }
}
