package dev.switchboard.config;

import dev.switchboard.webhook.UrlGuard;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the definitions of tools are read against.
///
/// @param folder where the names of further files begin
/// @param unset the severity of an environment variable that is not set
/// @param guard with the file's own allow list
/// @param handlers whether a `handler` is allowed
record Surroundings(
    Path folder,
    Environment environment,
    Severity unset,
    UrlGuard guard,
    Defaults defaults,
    boolean handlers) {
  private static final Pattern PORT = Pattern.compile(":([0-9]+)$");

  /// How a URL that the guard refuses can be allowed, a clause.
  String trust(String url, UrlGuard.Verdict.Blocked blocked) {
    String service = service(url, blocked.host());
    if (service == null) {
      return "allow a private service that you trust in network.allow";
    }
    return "if you trust this service, "
        + (guard.equals(UrlGuard.STRICT)
            ? "write allow = [\"" + service + "\"] below [network]"
            : "add \"" + service + "\" to network.allow");
  }

  /// What the allow list would have to name, null where no entry helps.
  private static @Nullable String service(String url, @Nullable String host) {
    try {
      URI parsed = new URI(url);
      boolean secure = "https".equalsIgnoreCase(parsed.getScheme());
      Matcher stated = PORT.matcher(String.valueOf(parsed.getRawAuthority()));
      String port = stated.find() ? stated.group(1) : secure ? "443" : "80";
      String name = host != null && host.contains(":") ? "[" + host + "]" : host;
      String service = name + ":" + port;
      boolean helps = UrlGuard.of(List.of(service)).check(url) instanceof UrlGuard.Verdict.Allowed;
      return helps ? service : null;
    } catch (URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }
}
