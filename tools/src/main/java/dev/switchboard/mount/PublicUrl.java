package dev.switchboard.mount;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The URL at which a carrier reaches this process; its signatures contain it.
///
/// @param secure whether it uses TLS
/// @param host as written, an IPv6 address in brackets
/// @param port -1 for the default one
/// @param path the prefix of the routes, empty or `/` and words
public record PublicUrl(boolean secure, String host, int port, String path) {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[?(::1|0:0:0:0:0:0:0:1)]?");

  /// The URL of this text: `https://`, or `http://` on loopback, without query and fragment.
  ///
  /// @throws IllegalArgumentException when it is not such a URL
  public static PublicUrl of(String text) {
    URI uri = uri(text);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    boolean bare =
        uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
    if (host == null || !bare || !(scheme.equals("https") || scheme.equals("http"))) {
      throw new IllegalArgumentException(
          "a public URL begins with https:// and names a host, such as https://phone.example.com");
    }
    if (scheme.equals("http") && !isLoopback(host)) {
      throw new IllegalArgumentException(
          "a public URL begins with https://; http:// is for this machine only");
    }
    String path = uri.getRawPath().replaceAll("/+$", "");
    return new PublicUrl(scheme.equals("https"), host, uri.getPort(), path);
  }

  private static URI uri(String text) {
    try {
      return new URI(text.strip());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("a public URL cannot be read: " + e.getReason(), e);
    }
  }

  /// Whether that host of a URL is this machine.
  public static boolean isLoopback(String host) {
    return LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
  }

  /// The URL of a route.
  ///
  /// @param target its path, and its query if it has one
  public String http(String target) {
    return (secure ? "https://" : "http://") + place(port) + path + target;
  }

  /// The URL of a socket.
  ///
  /// @param target its path, and its query if it has one
  public String socket(String target) {
    return (secure ? "wss://" : "ws://") + place(port) + path + target;
  }

  /// The URLs of a route that a signature may contain: with its port and without.
  public List<String> spellings(String target) {
    int usual = secure ? 443 : 80;
    List<String> spellings = new ArrayList<>();
    for (int each : new int[] {-1, port < 0 ? usual : port}) {
      spellings.add((secure ? "https://" : "http://") + place(each) + path + target);
    }
    return spellings;
  }

  /// The URLs of a socket that a signature may contain, including those of a route.
  public List<String> socketSpellings(String target) {
    List<String> spellings = new ArrayList<>(spellings(target));
    for (String spelling : spellings(target)) {
      spellings.add("ws" + spelling.substring("http".length()));
    }
    return spellings;
  }

  private String place(int shownPort) {
    return shownPort < 0 ? host : host + ":" + shownPort;
  }
}
