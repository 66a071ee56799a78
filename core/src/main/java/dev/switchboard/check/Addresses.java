package dev.switchboard.check;

/// The forms of the addresses that formats name.
final class Addresses {
  private static final String ATOM_CHARACTERS = "!#$%&'*+-/=?^_`{|}~";

  private Addresses() {}

  /// Whether the text is an e-mail address with a plain (dot-atom) or quoted local part and a host
  /// name or a bracketed address.
  static boolean isEmail(String text) {
    int at = text.lastIndexOf('@');
    if (at < 1 || at > 64) {
      return false;
    }
    String local = text.substring(0, at);
    return (isDotAtom(local) || isQuoted(local)) && isDomain(text.substring(at + 1));
  }

  private static boolean isQuoted(String text) {
    int last = text.length() - 1;
    if (last < 1 || text.charAt(0) != '"' || text.charAt(last) != '"') {
      return false;
    }
    for (int i = 1; i < last; i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        if (i == last) {
          return false;
        }
      } else if (c == '"') {
        return false;
      }
      if (c < ' ' || c > '~') {
        return false;
      }
    }
    return true;
  }

  /// Whether the authority of a URI, whose characters are good, has a host and a port of their
  /// form.
  static boolean isAuthority(String text) {
    String place = text.substring(text.lastIndexOf('@') + 1);
    int end = place.startsWith("[") ? place.indexOf(']') : place.indexOf(':');
    String host = end < 0 ? place : place.substring(0, end);
    if (host.startsWith("[") && !host.startsWith("[v") && !host.startsWith("[V")) {
      int zone = host.indexOf('%');
      if (!isIpv6(host.substring(1, zone < 0 ? host.length() : zone))) {
        return false;
      }
    }
    String port = end < 0 ? "" : place.substring(place.startsWith("[") ? end + 1 : end);
    return port.isEmpty()
        || (port.charAt(0) == ':' && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
  }

  private static boolean isDotAtom(String text) {
    boolean afterDot = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.') {
        if (afterDot) {
          return false;
        }
        afterDot = true;
      } else if (letterOrDigit(c) || ATOM_CHARACTERS.indexOf(c) >= 0) {
        afterDot = false;
      } else {
        return false;
      }
    }
    return !afterDot;
  }

  private static boolean isDomain(String text) {
    if (text.startsWith("[") && text.endsWith("]")) {
      String address = text.substring(1, text.length() - 1);
      return address.startsWith("IPv6:") ? isIpv6(address.substring(5)) : isIpv4(address);
    }
    return text.length() <= 253 && isHost(text);
  }

  private static boolean isHost(String text) {
    int labels = 0;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || text.charAt(i) == '.') {
        if (i == start
            || i - start > 63
            || text.charAt(start) == '-'
            || text.charAt(i - 1) == '-') {
          return false;
        }
        labels++;
        start = i + 1;
      } else if (!letterOrDigit(text.charAt(i)) && text.charAt(i) != '-') {
        return false;
      }
    }
    return labels > 0;
  }

  static boolean isIpv4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      return false;
    }
    for (String part : parts) {
      if (!isOctet(part)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOctet(String part) {
    if (part.isEmpty() || part.length() > 3 || (part.length() > 1 && part.charAt(0) == '0')) {
      return false;
    }
    int value = 0;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
      value = value * 10 + c - '0';
    }
    return value < 256;
  }

  static boolean isIpv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text, true) == 8;
    }
    if (text.indexOf("::", gap + 1) >= 0) {
      return false;
    }
    String head = text.substring(0, gap);
    String tail = text.substring(gap + 2);
    int before = head.isEmpty() ? 0 : groups(head, false);
    int after = tail.isEmpty() ? 0 : groups(tail, true);
    return before >= 0 && after >= 0 && before + after < 8;
  }

  /// The number of 16-bit groups, or -1 where there is something else.
  private static int groups(String text, boolean last) {
    String[] parts = text.split(":", -1);
    int count = parts.length;
    for (int i = 0; i < parts.length; i++) {
      if (last && i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
        if (!isIpv4(parts[i])) {
          return -1;
        }
        count++;
      } else if (!isGroup(parts[i])) {
        return -1;
      }
    }
    return count;
  }

  private static boolean isGroup(String part) {
    if (part.isEmpty() || part.length() > 4) {
      return false;
    }
    for (int i = 0; i < part.length(); i++) {
      if (!TextFormat.hexadecimal(part.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean letterOrDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
