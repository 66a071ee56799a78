package dev.switchboard.store;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The URL of a PostgreSQL database, such as `postgresql://user:password@host:5432/name`.
final class PostgresUrl {
  static final String SCHEME = "postgresql://";

  private final URI uri;

  private PostgresUrl(URI uri) {
    this.uri = uri;
  }

  static PostgresUrl of(String url) {
    return new PostgresUrl(URI.create(url));
  }

  /// Why the URL is not valid for PostgreSQL, as the rest of a sentence; null if it is valid. The
  /// URL itself is not quoted, since it may contain a password.
  static @Nullable String fault(String url) {
    String form = "\"" + SCHEME + "user:password@host:5432/name\"";
    if (!url.startsWith(SCHEME)) {
      return "must be \"sqlite:\" and a file, such as \"sqlite:agent.db\", or PostgreSQL's, such as"
          + " "
          + form;
    }
    try {
      URI uri = URI.create(url);
      if (uri.getHost() != null && uri.getPath() != null && uri.getPath().length() > 1) {
        return null;
      }
    } catch (IllegalArgumentException e) {
      // It names neither.
    }
    return "must name a host and a database, such as " + form;
  }

  /// Host, port and name of the database, without user and password.
  String name() {
    return uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()) + uri.getPath();
  }

  /// The URL for the driver, with the options that this one states.
  String jdbc() {
    return "jdbc:" + SCHEME + name() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
  }

  @Nullable String user() {
    return part(0);
  }

  @Nullable String password() {
    return part(1);
  }

  private @Nullable String part(int number) {
    String[] parts =
        uri.getRawUserInfo() == null ? new String[0] : uri.getRawUserInfo().split(":", 2);
    return number < parts.length ? URLDecoder.decode(parts[number], StandardCharsets.UTF_8) : null;
  }
}
