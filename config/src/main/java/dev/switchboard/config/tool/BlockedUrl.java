package dev.switchboard.config.tool;

import dev.switchboard.config.ConfigException.Fault.FaultClass;
import dev.switchboard.config.ConfigException.Fault.Severity;
import dev.switchboard.config.FileTable;
import dev.switchboard.config.FileTable.StatedValue;
import dev.switchboard.webhook.UrlGuard;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The fault of a URL that the guard refuses.
///
/// @param host the canonical host, null if the URL has no readable one
/// @param reason a clause
public record BlockedUrl(UrlGuard guard, String url, @Nullable String host, String reason) {
  private static final Pattern PORT = Pattern.compile(":([0-9]+)$");

  /// Whether the tools of that file must not reach the URL of that value; it is reported then.
  ///
  /// @param title the value in the message
  public static boolean report(
      FileTable.Context file, String url, StatedValue value, String title) {
    UrlGuard guard = file.network().guard();
    if (guard.check(url) instanceof UrlGuard.Verdict.Blocked blocked) {
      new BlockedUrl(guard, url, blocked.host(), blocked.reason()).report(value, title);
      return true;
    }
    return false;
  }

  private void report(StatedValue value, String title) {
    value.report(
        Severity.ERROR, FaultClass.URL_BLOCKED, title + " is blocked: " + reason + remedy());
  }

  /// How to allow it, as the end of a sentence; empty if nothing allows it.
  private String remedy() {
    String service = service();
    if (service == null) {
      return "";
    }
    return "; if you trust this service, "
        + (guard.equals(UrlGuard.STRICT)
            ? "write allow = [\"" + service + "\"] below [network]"
            : "add \"" + service + "\" to network.allow");
  }

  /// The entry that the allow list would need, null if no entry helps.
  private @Nullable String service() {
    if (host == null) {
      return null;
    }
    try {
      URI parsed = new URI(url);
      boolean secure = "https".equalsIgnoreCase(parsed.getScheme());
      Matcher stated = PORT.matcher(String.valueOf(parsed.getRawAuthority()));
      String port = stated.find() ? stated.group(1) : secure ? "443" : "80";
      String service = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
      boolean helps = UrlGuard.of(List.of(service)).check(url) instanceof UrlGuard.Verdict.Allowed;
      return helps ? service : null;
    } catch (URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }
}
