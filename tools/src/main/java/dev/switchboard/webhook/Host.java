package dev.switchboard.webhook;

import java.net.InetAddress;
import java.text.Normalizer;
import java.util.Locale;
import okhttp3.HttpUrl;

/// The host of a URL in its canonical spelling.
sealed interface Host {
  /// A name: lower case, ASCII (international labels as `xn--`), without a trailing dot.
  record Name(String text) implements Host {}

  /// A literal address, which is not looked up.
  record Literal(IpAddress address) implements Host {
    @Override
    public String text() {
      return address.unmapped().text();
    }

    boolean isAt(InetAddress peer) {
      return address.unmapped().equals(IpAddress.of(peer));
    }
  }

  int MAX_NAME = 253;
  int MAX_LABEL = 63;

  /// The canonical text, an IPv6 address without its brackets.
  String text();

  /// The canonical text as in a URL, an IPv6 address in brackets.
  default String inUrl() {
    return text().indexOf(':') >= 0 ? "[" + text() + "]" : text();
  }

  /// The host of that text in a URL.
  ///
  /// @throws UrlRefusedException when the text is not a valid host
  static Host read(String raw) {
    if (raw.isEmpty()) {
      throw new UrlRefusedException("the URL has no host");
    }
    if (raw.indexOf('%') >= 0) {
      throw new UrlRefusedException("the host holds a percent sign");
    }
    if (raw.startsWith("[") && raw.endsWith("]")) {
      return new Literal(Ipv6Text.read(raw.substring(1, raw.length() - 1)));
    }
    if (raw.length() > 2 * MAX_NAME) {
      throw new UrlRefusedException("the host is too long");
    }
    String name = withoutLastDot(ascii(raw));
    String[] labels = name.split("\\.", -1);
    if (Ipv4Text.isNumber(labels[labels.length - 1])) {
      return new Literal(Ipv4Text.read(name));
    }
    checkLengths(name, labels);
    return new Name(name);
  }

  private static String ascii(String raw) {
    String folded = Normalizer.normalize(raw, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    checkLetters(folded);
    boolean plain = folded.chars().allMatch(c -> c < 0x80);
    if (plain && !folded.contains("xn--")) {
      return folded;
    }
    String mapped = international(folded);
    checkLetters(mapped);
    if (plain && !mapped.equals(folded)) {
      throw new UrlRefusedException("the host is not an international name in canonical form");
    }
    return mapped;
  }

  /// UTS 46 as in the HTTP client, so that guard and client parse a name equally.
  private static String international(String name) {
    try {
      return new HttpUrl.Builder().scheme("http").host(name).build().host();
    } catch (IllegalArgumentException e) {
      throw new UrlRefusedException("the host is not a valid international name");
    }
  }

  private static void checkLetters(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (c < 0x80 && !letter && "._-".indexOf(c) < 0) {
        throw new UrlRefusedException(
            "the host holds a character that no host name has (U+%04X)".formatted((int) c));
      }
    }
  }

  private static String withoutLastDot(String name) {
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  private static void checkLengths(String name, String[] labels) {
    for (String label : labels) {
      if (label.isEmpty() || label.length() > MAX_LABEL) {
        throw new UrlRefusedException(
            "a label of the host is empty or longer than " + MAX_LABEL + " characters");
      }
    }
    if (name.length() > MAX_NAME) {
      throw new UrlRefusedException("the host is longer than " + MAX_NAME + " characters");
    }
  }
}
