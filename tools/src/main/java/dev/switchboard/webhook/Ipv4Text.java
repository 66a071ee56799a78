package dev.switchboard.webhook;

/// Parses IPv4 addresses: one to four parts, each decimal, octal (`0177`) or hexadecimal (`0x7f`),
/// the last one filling the rest, as in the URL standard and C's `inet_aton`.
final class Ipv4Text {
  private Ipv4Text() {}

  /// Whether a host with this last label can only be an IPv4 address.
  static boolean isNumber(String label) {
    boolean hex = label.startsWith("0x");
    return !label.isEmpty()
        && label.chars().skip(hex ? 2 : 0).allMatch(c -> Character.digit(c, hex ? 16 : 10) >= 0);
  }

  /// @throws UrlRefusedException when a part is not a number or too large
  static IpAddress read(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length > 4) {
      throw new UrlRefusedException(
          "the host ends in a number but is not an IPv4 address: it has more than 4 parts");
    }
    long bits = 0;
    for (int i = 0; i < parts.length - 1; i++) {
      bits = bits << 8 | number(parts[i], 0xff);
    }
    int left = 8 * (5 - parts.length);
    return IpAddress.v4(bits << left | number(parts[parts.length - 1], (1L << left) - 1));
  }

  static String write(long bits) {
    return (bits >> 24 & 0xff)
        + "."
        + (bits >> 16 & 0xff)
        + "."
        + (bits >> 8 & 0xff)
        + "."
        + (bits & 0xff);
  }

  private static long number(String part, long max) {
    boolean hex = part.startsWith("0x");
    int radix = hex ? 16 : part.length() > 1 && part.startsWith("0") ? 8 : 10;
    if (part.isEmpty()) {
      throw new UrlRefusedException(
          "the host ends in a number but is not an IPv4 address: a part is empty");
    }
    long value = 0;
    for (int i = hex ? 2 : 0; i < part.length(); i++) {
      int digit = Character.digit(part.charAt(i), radix);
      value = value * radix + digit;
      if (digit < 0 || value > max) {
        throw new UrlRefusedException(
            "the host ends in a number but is not an IPv4 address: a part is not a number from 0 to"
                + " "
                + max);
      }
    }
    return value;
  }
}
