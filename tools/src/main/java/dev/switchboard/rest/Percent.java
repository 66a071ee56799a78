package dev.switchboard.rest;

import java.nio.charset.StandardCharsets;

/// Percent-encoding of values (RFC 3986, 2.1). It encodes all characters except the unreserved
/// ones, so that a value never becomes another part of the URL.
final class Percent {
  private static final String HEX = "0123456789ABCDEF";

  private Percent() {}

  static String encoded(String value) {
    StringBuilder out = new StringBuilder(value.length() + 8);
    for (byte one : value.getBytes(StandardCharsets.UTF_8)) {
      if (isUnreserved(one)) {
        out.append((char) one);
      } else {
        out.append('%').append(HEX.charAt(one >> 4 & 0xf)).append(HEX.charAt(one & 0xf));
      }
    }
    return out.toString();
  }

  private static boolean isUnreserved(byte one) {
    return one >= 'A' && one <= 'Z'
        || one >= 'a' && one <= 'z'
        || one >= '0' && one <= '9'
        || one == '-'
        || one == '.'
        || one == '_'
        || one == '~';
  }
}
